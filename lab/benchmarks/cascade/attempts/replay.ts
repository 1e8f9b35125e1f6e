import { defineTool } from '../../../../packages/echelon/src/core/tool/tool.ts'
import { isRecord } from '../../../../packages/echelon/src/core/value/json.ts'
import {
  createDecider,
  type Decider,
  proved,
  refuted,
  type Verifier,
} from '../../../../packages/echelon/src/decide.ts'
import type { Registry } from '../../../../packages/echelon/src/providers.ts'
import { asBound, scriptedModel } from '../../../../packages/echelon/src/testing/scripted-model.ts'
import { type Halted, type HaltingSettings, metricOf } from './halting.ts'
import type { AttemptsRow, RecordedAttempt } from './record.ts'

/** More of anything than a record has attempts, so that only the rules of the loop end a run. */
const PLENTY = 1000

const PLAN = JSON.stringify({ actions: [{ tool: 'attempt', args: {} }], cannot: null })

/**
 * The decision agent, on a small and a big model whose plan is always one attempt. The attempt ends as recorded,
 * whichever model planned it.
 */
export class RecordedAttempts {
  readonly #settings: HaltingSettings
  #decider: Promise<Decider> | undefined
  #left: RecordedAttempt[] = []
  #hasRunOut = false

  constructor(settings: HaltingSettings) {
    this.#settings = settings
  }

  /** Runs a record to the end of the run; undefined if the run asks for an attempt that was not recorded. */
  async replay({ id, attempts }: AttemptsRow): Promise<Halted | undefined> {
    this.#decider ??= this.#newDecider()
    this.#left = [...attempts]
    this.#hasRunOut = false
    const started = await (await this.#decider).start(`Do the task ${id}.`)
    const { finish_reason, limit, verified, counters } = await started.result
    if (this.#hasRunOut) return undefined
    const { tier, stalled_rounds, best_metric } = started.view()
    return { finish_reason, limit, verified, tier, ...counters, stalled_rounds, best_metric }
  }

  #newDecider(): Promise<Decider> {
    const { maxSteps, patience, escalateWhen, progress } = this.#settings
    const attempt = defineTool({
      name: 'attempt',
      description: 'makes one attempt at the task',
      input: { type: 'object' },
      run: () => this.#next(),
    })
    return createDecider({
      small: 'recorded/small',
      big: 'recorded/big',
      registry: MODELS,
      tools: [attempt],
      verifiers: [successOf(progress)],
      settings: {
        act: { max_steps: maxSteps, no_progress_patience: patience },
        flags: { escalate_when: escalateWhen },
        budget: {
          max_llm_calls_small: PLENTY,
          max_llm_calls_big: PLENTY,
          max_tool_calls: PLENTY,
          max_seconds: PLENTY,
        },
      },
    })
  }

  #next(): { readonly value: string; readonly success: boolean; readonly reflections: number } {
    const attempt = this.#left.shift()
    if (attempt === undefined) {
      this.#hasRunOut = true
      throw new Error('the record ends here')
    }
    return { value: attempt.success ? 'done' : 'not done', ...attempt }
  }
}

const MODELS: Registry = {
  keys: () => ['recorded'],
  list: async () => [],
  register: () => undefined,
  resolve: async (name) => asBound(scriptedModel([], { beyond: PLAN, modelId: name }), name),
}

/** Judges an attempt by its recorded success. Reflections of a failed attempt may count as progress. */
const successOf = (progress: HaltingSettings['progress']): Verifier => ({
  name: 'success',
  tools: [],
  read: () => ({ type: 'claim', claim: { kind: 'success' } }),
  checks: () => [],
  judge({ answer, ran }) {
    const last = ran.at(-1)?.outcome
    const value = last?.type === 'ok' && isRecord(last.value) ? last.value : {}
    const attempt = {
      success: value['success'] === true,
      reflections: Number(value['reflections']),
    }
    const verdict = attempt.success
      ? proved(answer ?? '', 'the attempt succeeded')
      : refuted(answer ?? '', 'the attempt failed', 'the attempt failed')
    return { ...verdict, metric: metricOf(attempt, progress), binary: progress === 'success' }
  },
  isClaim: () => true,
})
