import { createHash } from 'node:crypto'
import { cpus } from 'node:os'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import { createDecider, type DeciderOptions, EchelonError } from 'echelon'
import type { Config } from 'echelon/config'
import type { CaseResult, Decider } from 'echelon/decide'
import {
  checkGates,
  compareRuns,
  type Comparison,
  type DatasetRun,
  type EvalCase,
  type EvaluationFacts,
  type GateVerdict,
  type Metrics,
  metricsOf,
  plannedRuns,
  readDataset,
  readMetrics,
  runDataset,
} from 'echelon/evals'
import pc from 'picocolors'
import { type CaseConfigOptions, caseConfig } from '../run/case-config.ts'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import { evaluateConversations, isConversations } from '../eval/conversations.ts'
import { type OutFolder, outFolder } from '../eval/out-folder.ts'
import { progressBar } from '../eval/progress-bar.ts'
import { textOfFile } from '../eval/text-of-file.ts'
import { describeComparison, describeGates, describeMetrics } from '../eval/show-metrics.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { type CaseDecider, recordedIn } from '../record/recorded-cases.ts'
import { withModelOptions } from '../run/model-options.ts'
import { onTape, type TapeOptions } from '../run/model-tape.ts'
import { type OtelOptions, withTraces } from '../otel.ts'
import { atLeastOne, positive } from '../option-values.ts'
import { keepRecords, type RecordsChoice } from '../records.ts'
import { STARTED_AS } from '../started-as.ts'
import { type Io, printLine } from '../io.ts'

interface EvalOptions extends CaseConfigOptions, TapeOptions, RecordsChoice, OtelOptions {
  readonly simulator?: string
  readonly out: string
  readonly gates?: true
  readonly baseline?: string
  readonly withoutGold?: true
  readonly repeat: number
  readonly concurrency: number
  readonly stopAtCost?: number
  readonly json?: true
  readonly record?: string
}

/** `echelon eval DATASET`: runs a dataset and prints metrics with intervals, and gates for CI. */
export function evalCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  const command = new Command('eval')
    .description('run a dataset, write metrics.json and a trace per case, and check quality gates')
    .argument(
      '<dataset>',
      'a JSON array of cases {id, input, expected_tools?, gold_answer?, expect?}, or a YAML file of conversations with the support agent',
    )
    .option('--simulator <model>', 'model that plays customers with a goal, for conversations')
    .option('--out <folder>', 'folder for metrics.json and cases/<id>/trace.jsonl', 'out')
    .option('--record <folder>', `record every run to its own file for ${STARTED_AS} replay`)
    .option('--gates', 'exit with status 1 when a ci_gates threshold fails')
    .option('--baseline <file>', 'earlier metrics.json; with --gates, a regression fails too')
    .option('--without-gold', 'hide the known answers from the runs, as in production')
    .option('--repeat <number>', 'runs per case', atLeastOne, 1)
    .option('--concurrency <number>', 'concurrent runs', atLeastOne, 4)
    .option(
      '--stop-at-cost <dollars>',
      'start no more runs once this many US dollars are spent',
      positive,
    )
    .option('--json', 'print only metrics and gates on stdout, as JSON')
  return withModelOptions(command).action(async (file: string, _: unknown, called: Command) => {
    const options = called.optsWithGlobals<EvalOptions>()
    if (isConversations(file)) return finish(await evaluateConversations(io, file, options))
    const status = await withTraces(io, options, (traced) =>
      onTape(io, options, (models) => evaluate(io, file, options, { ...models, ...traced })),
    )
    finish(status)
  })
}

async function evaluate(
  io: Io,
  file: string,
  options: EvalOptions,
  given: Pick<DeciderOptions, 'registry' | 'tracing'>,
): Promise<ExitStatus> {
  const text = textOfFile(file, 'the data set')
  const cases = readDataset(text)
  const before =
    options.baseline === undefined
      ? undefined
      : readMetrics(textOfFile(options.baseline, 'the baseline'), options.baseline)
  const config = await caseConfig(io, { ...options, artifacts: join(options.out, 'artifacts') })
  const records = keepRecords(options, config, { purpose: 'evaluation' })
  const parts = { config, ...given, ...records.given }
  const decider = await createDecider(parts)
  checkCases(cases, decider)
  const out = outFolder(options.out)
  const decide = options.record === undefined ? decider : recordedIn(io, options.record, parts)
  const evaluation = { options, config, decider, decide, out, reasons: new Map<string, string>() }
  const ran = await runAll(io, cases, evaluation)
  if (ran.stoppedSince !== undefined) complain(io, stoppedEarly(ran.stoppedSince))
  // Without a single run there is nothing to measure.
  if (ran.stoppedSince !== undefined && ran.made === 0) return EXIT.unverified
  const metrics = metricsOf(ran, factsOf({ file, text, cases, options, config, decider }))
  const verdicts = checkGates(metrics, config.gates, before)
  const comparison = before === undefined ? undefined : compareRuns(metrics, before)
  // Shown before it is written, so that a full disk loses no metrics.
  report(io, { metrics, verdicts, comparison, options, reasons: evaluation.reasons })
  const path = out.writeMetrics(metrics)
  if (!options.json)
    printLine(io, pc.dim(`${path} and ${join(options.out, 'cases')}/<id>/trace.jsonl`))
  for (const sentence of [...out.problems, ...records.remarks]) complain(io, sentence)
  const isHeld = verdicts.every(({ passed }) => passed) && out.problems.size === 0
  const isWhole = ran.stoppedBy === null
  return isHeld || (options.gates !== true && isWhole) ? EXIT.success : EXIT.unverified
}

const complain = (io: Io, sentence: string): void => void io.stderr.write(`echelon: ${sentence}\n`)

const stoppedEarly = (reason: string): string =>
  `the evaluation stopped, because every further run would fail in the same way: ${reason}`

/** Checks all cases before any is paid for: one invalid case would end the evaluation halfway. */
function checkCases(cases: readonly EvalCase[], decider: Decider): void {
  for (const { id, input, expected_tools: expectedTools, today, timezone } of cases) {
    try {
      decider.check(input, {
        expectedTools,
        ...(today === null ? {} : { today }),
        ...(timezone === null ? {} : { timeZone: timezone }),
      })
    } catch (error) {
      if (!(error instanceof EchelonError || error instanceof RangeError)) throw error
      throw new EchelonError('INVALID_INPUT', `case ${id}: ${error.message}`, { cause: error })
    }
  }
}

interface Evaluation {
  readonly options: EvalOptions
  readonly config: Config
  readonly decider: Decider
  readonly decide: CaseDecider
  readonly out: OutFolder
  /** Why a case failed, by id; for the terminal only. */
  readonly reasons: Map<string, string>
}

async function runAll(
  io: Io,
  cases: readonly EvalCase[],
  { options, config, decider, decide, out, reasons }: Evaluation,
): Promise<DatasetRun> {
  const { repeat, concurrency, stopAtCost } = options
  const { mode } = config.run
  const bar = progressBar(io, plannedRuns(cases, { mode, repeat }).length)
  const interrupt = cancelOnInterrupt(io, () => undefined)
  let right = 0
  let cost = 0
  try {
    return await runDataset(cases, {
      mode,
      repeat,
      concurrency,
      clock: { now: () => performance.now() },
      signal: interrupt.signal,
      decide: (input, caseOptions, run) => decide.runOutcome(input, caseOptions, run),
      canCheck: (input, day) => decider.canCheck(input, day),
      traceOf: (run) => out.traceOf(run),
      withoutGold: options.withoutGold === true,
      onDone({ asked }, record, result) {
        if (!record.success) reasons.set(asked.id, reasonOf(asked, result))
        right += Number(record.success)
        cost += record.cost ?? 0
        bar.step({ right, cost })
      },
      ...(stopAtCost === undefined ? {} : { stopAtCost }),
    })
  } finally {
    bar.stop()
    interrupt.release()
  }
}

/** Shown on the terminal only, because the files keep no answers. */
const reasonOf = ({ gold_answer: gold, expect }: EvalCase, result: CaseResult): string => {
  const { answer } = result
  const isOther = expect === 'answered' && gold !== null && answer !== null && answer !== gold
  return isOther ? `answered ${answer}; ${gold} is right` : result.explanation
}

interface Asked {
  readonly file: string
  readonly text: string
  readonly cases: readonly EvalCase[]
  readonly options: EvalOptions
  readonly config: Config
  readonly decider: Decider
}

function factsOf(asked: Asked): EvaluationFacts {
  const { file, text, cases, options, config, decider } = asked
  const { repeat, concurrency } = options
  const cores = cpus()
  return {
    created: new Date().toISOString(),
    dataset: {
      name: basename(file),
      sha256: createHash('sha256').update(text).digest('hex'),
      cases: cases.length,
    },
    models: decider.models,
    mode: config.run.mode,
    repeat,
    concurrency,
    gold: options.withoutGold === true ? 'withheld' : 'given',
    machine: {
      cpu: cores[0]?.model ?? 'unknown',
      cores: cores.length,
      node: process.versions.node,
    },
  }
}

interface Report {
  readonly metrics: Metrics
  readonly verdicts: readonly GateVerdict[]
  /** With the baseline, if one is given. */
  readonly comparison: Comparison | undefined
  readonly options: EvalOptions
  readonly reasons: ReadonlyMap<string, string>
}

/** Without `--gates`, a failed threshold is a warning. */
function report(io: Io, { metrics, verdicts, comparison, options, reasons }: Report): void {
  if (options.json) {
    io.stdout.write(`${JSON.stringify({ metrics, gates: verdicts, comparison }, null, 2)}\n`)
  } else {
    printLine(io, describeMetrics(metrics, reasons))
    if (comparison !== undefined) printLine(io, describeComparison(comparison))
  }
  if (options.gates === true && !options.json) printLine(io, describeGates(verdicts))
  if (options.gates === true) return
  for (const { passed, message } of verdicts) {
    if (!passed) io.stderr.write(`warning: ${message}\n`)
  }
}
