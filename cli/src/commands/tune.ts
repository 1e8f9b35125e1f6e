import { setImmediate } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { EchelonError } from 'echelon/runtime'
import { type Goal, readGoal, tune, type Tuned } from 'echelon/evals'
import pc from 'picocolors'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { type Io, printLine } from '../io.ts'
import { commaList, several, wholeNumber } from '../option-values.ts'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import { describeTune } from '../tune/show-tune.ts'
import { configOf, linesOf } from '../tune/lines.ts'
import { readTasks, type ReadTasks } from '../tune/read-tasks.ts'
import { makeFolder } from '../out-folder.ts'
import { pathsIn, writeTuned } from '../tune/tune-folder.ts'
import { tuneProgress, type TuneProgress } from '../tune/tune-progress.ts'
import { CONFIG, describeGoal, ladderName, moreTasks, PROGRAM } from '../tune/wording.ts'

interface TuneCommandOptions {
  readonly want?: Goal
  readonly ladder?: readonly string[]
  readonly opinions?: readonly string[]
  readonly cost?: readonly string[]
  readonly seed: number
  readonly out?: string
  readonly json?: true
}

/** `echelon tune TRACES`: a fitted gate, and the threshold for a wanted accuracy, cost or risk. */
export function tuneCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('tune')
    .description('fit a gate on recorded answers, and find the threshold for a goal')
    .argument('<traces>', 'JSON Lines, one task per line: {id, question, wanted?, gold?, answers}')
    .option(
      '--want <goal>',
      'accuracy=0.9, risk=0.02 (share of accepted answers that are wrong) or cost=0.002 (dollars per task)',
      goalOf,
    )
    .option(
      '--ladder <models>',
      'models from small to big; default: those of the first task',
      commaList,
    )
    .option('--opinions <models>', 'models whose answers are second opinions only', commaList)
    .option(
      '--cost <model=dollars>',
      'cost of one answer of a model, if the traces do not hold it; repeatable',
      several,
    )
    .option('--seed <number>', 'seed of the split into two halves', wholeNumber, 1)
    .option('--out <folder>', 'folder for gate.json, report.html and tune.json')
    .option('--json', 'print the report as JSON')
    .action(async (file: string, _: unknown, command: Command) => {
      finish(await tuneTraces(io, file, command.optsWithGlobals<TuneCommandOptions>()))
    })
}

function goalOf(text: string): Goal {
  try {
    return readGoal(text)
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? `${error.message}.` : '')
  }
}

async function tuneTraces(io: Io, file: string, options: TuneCommandOptions): Promise<ExitStatus> {
  const costs = costsOf(options.cost ?? [])
  if (options.out !== undefined) makeFolder(options.out)
  const interrupt = cancelOnInterrupt(io, () => undefined)
  const progress = tuneProgress(io)
  try {
    const read = await readTasks(file, {
      opinions: options.opinions ?? [],
      ...(options.ladder === undefined ? {} : { ladder: options.ladder }),
      costs,
      onRead: (count) => breathe(() => progress.read(count), interrupt.signal),
    })
    const tuned = await tuneTasks(read, options, progress, interrupt.signal)
    progress.stop()
    return await report(io, { file, read, tuned, options })
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    io.stderr.write('echelon: interrupted; nothing was written\n')
    return EXIT.unverified
  } finally {
    progress.stop()
    interrupt.release()
  }
}

class Interrupted extends Error {}

/** Draws, and lets signals in. */
async function breathe(draw: () => void, signal: AbortSignal): Promise<void> {
  draw()
  await setImmediate()
  if (signal.aborted) throw new Interrupted()
}

const tuneTasks = (
  { tasks, models }: ReadTasks,
  { want, seed }: TuneCommandOptions,
  progress: TuneProgress,
  signal: AbortSignal,
): Promise<Tuned> =>
  tune(tasks, {
    models,
    seed,
    date: new Date().toISOString().slice(0, 10),
    ...(want === undefined ? {} : { goal: want }),
    onLadder: (done, all) => breathe(() => progress.fitted(done, all), signal),
  })

interface Done {
  readonly file: string
  readonly read: ReadTasks
  readonly tuned: Tuned
  readonly options: TuneCommandOptions
}

async function report(io: Io, { file, read, tuned, options }: Done): Promise<ExitStatus> {
  const { report } = tuned
  const { out } = options
  const { goal, proposal } = report
  const verdict = goal === null ? undefined : describeGoal(goal, moreTasks(report))
  const isReached = goal === null ? proposal !== null : goal.check?.verdict === 'PASS'
  const gate = pathsIn(out ?? '.').gate
  // A threshold that misses its goal must not be copied.
  const lines = isReached ? linesOf(report, read.judges, gate) : undefined
  const config = isReached ? configOf(report, read.judges, gate) : undefined
  if (options.json) io.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else {
    printLine(io, describeTune(report, file))
    printLine(io, ending({ tuned, verdict, lines, config, out }))
  }
  if (out !== undefined) {
    // Loads the charts, which take longer than all else.
    const { htmlReport } = await import('../tune/html-report.ts')
    const page = await htmlReport({ report, file, verdict, lines, config })
    const written = writeTuned(out, tuned, page)
    if (!options.json) printLine(io, pc.dim(written.join(' · ')))
  }
  return isReached ? EXIT.success : EXIT.unverified
}

interface Ending {
  readonly tuned: Tuned
  readonly verdict: string | undefined
  readonly lines: string | undefined
  /** The lines of configuration. */
  readonly config: string | undefined
  readonly out: string | undefined
}

/** The verdict, the proposal, and the lines that use it. */
function ending({ tuned: { report }, verdict, lines, config, out }: Ending): string {
  const { proposal } = report
  const color = verdict?.startsWith('PASS') ? pc.green : pc.yellow
  const proposed =
    proposal === null
      ? 'no ladder is proposed: record more tasks'
      : proposal.threshold === null
        ? `proposed: ${ladderName(proposal.models)} alone; no cascade does better`
        : `proposed: ${ladderName(proposal.models)}, accepts from ${proposal.threshold} on`
  return [
    '',
    ...(verdict === undefined ? [] : [color(verdict)]),
    pc.bold(proposed),
    ...(config === undefined ? [] : ['', pc.dim(CONFIG), config]),
    ...(lines === undefined ? [] : ['', pc.dim(PROGRAM), lines]),
    ...(lines === undefined || out !== undefined
      ? []
      : ['', pc.dim('--out FOLDER writes gate.json')]),
  ].join('\n')
}

/** @throws EchelonError INVALID_INPUT */
function costsOf(given: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    given.map((text) => {
      // A model's name may hold an equals sign, and an amount never does.
      const at = text.lastIndexOf('=')
      const [model, cost] = [text.slice(0, at), Number(text.slice(at + 1))]
      if (at > 0 && text.slice(at + 1).trim() !== '' && Number.isFinite(cost) && cost >= 0) {
        return [model, cost] as const
      }
      throw new EchelonError(
        'INVALID_INPUT',
        `--cost ${text}: write the model and the dollars of an answer, such as openai/gpt-5=0.01`,
      )
    }),
  )
}
