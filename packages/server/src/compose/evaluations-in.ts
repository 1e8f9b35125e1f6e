import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Decider } from 'echelon/decide'
import { checkGates, type Gates, metricsOf, readDataset, runDataset } from 'echelon/evals'
import { isJson, isJsonObject, type JsonObject } from 'echelon/runtime'
import { endOfCase } from '../agents/decide-agent.ts'
import type { DatasetRunner } from '../evaluations/evaluations.ts'

export interface EvaluationsInOptions {
  /** Cases that run at the same time. Default 4. */
  readonly concurrency?: number
  /** Bounds that each evaluation has to keep. Default none. */
  readonly gates?: Gates
}

const SUFFIX = '.json'
const METRICS = '.metrics.json'
const MODE = 'hrm_small_then_escalate'

/** The data sets of a folder, `NAME.json`, for a decision agent. Known answers are withheld from the runs. */
export function evaluationsIn(
  folder: string,
  decider: Decider,
  { concurrency = 4, gates }: EvaluationsInOptions = {},
): DatasetRunner {
  return {
    async list() {
      const files = await readdir(folder).catch(() => [])
      return files
        .filter((file) => file.endsWith(SUFFIX) && !file.endsWith(METRICS))
        .map((file) => file.slice(0, -SUFFIX.length))
        .toSorted()
    },
    async run(name, { signal, told, spent }) {
      const text = await readFile(join(folder, name + SUFFIX), 'utf8')
      const cases = readDataset(text)
      let done = 0
      const ran = await runDataset(cases, {
        mode: MODE,
        repeat: 1,
        concurrency,
        clock: { now: () => performance.now() },
        signal,
        withoutGold: true,
        async decide(input, options) {
          const result = await decider.runOutcome(input, options)
          spent({ agent: decider.name, models: decider.models, end: endOfCase(result) })
          return result
        },
        canCheck: (input, day) => decider.canCheck(input, day),
        onDone: () => told(++done, cases.length),
      })
      const metrics = metricsOf(ran, {
        created: new Date().toISOString(),
        dataset: {
          name: name + SUFFIX,
          sha256: createHash('sha256').update(text).digest('hex'),
          cases: cases.length,
        },
        models: decider.models,
        mode: MODE,
        repeat: 1,
        concurrency,
        gold: 'withheld',
        machine: thisMachine(),
      })
      return {
        metrics: isJsonForm(metrics) ? metrics : {},
        gates: gates === undefined ? [] : checkGates(metrics, gates),
      }
    },
    async questions(name) {
      const text = await readFile(join(folder, name + SUFFIX), 'utf8').catch(() => undefined)
      // A deleted data set has no questions.
      if (text === undefined) return new Map()
      return new Map(readDataset(text).map(({ id, input }) => [id, input]))
    },
  }
}

const thisMachine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  node: process.versions.node,
})

const isJsonForm = (value: unknown): value is JsonObject => isJson(value) && isJsonObject(value)
