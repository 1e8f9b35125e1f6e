import { Command } from 'commander'
import { EchelonError, type RunEvent } from 'echelon/runtime'
import pc from 'picocolors'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import { endLine } from '../conversation/event-line.ts'
import { clean, cleanLines } from '../terminal/clean.ts'
import { configFor, type GlobalOptions } from '../configuration.ts'
import { EXIT, type ExitStatus, statusOfCase } from '../exit-status.ts'
import { atLeastOne, commaList } from '../option-values.ts'
import { type ForkChoice, type Forked, forkFile, placeOf } from '../replay/fork-file.ts'
import type { PicturedStep } from '../replay/picture.ts'
import { type ReplayedFile, replayFile } from '../replay/replayed-file.ts'
import { describeLikeness, describeRuns } from '../replay/show-replay.ts'
import { describeStand, standAfter } from '../replay/show-stand.ts'
import { describeStep } from '../replay/show-step.ts'
import { describeResult } from '../terminal/show-case.ts'
import { type Io, printLine } from '../io.ts'

const AFTERWORD = `
A fork takes the steps before N from the recording and continues with live models. Tools that only
read answer from the recording when called with the same arguments, else live. From step N on, each
recorded call of a tool that acts answers from the recording once; other calls are denied unless
--act names the tool. A tool that --act names may repeat what was done before step N.

A recording made by a program is only shown, not run again, because its agent exists only in that
program: status 0 then means that the file is readable, not that a replay is exact. The program itself
replays and forks it (replayRecording and forkRecording of echelon/replay).

Exit status: 0 exact (a fork: its answer is verified or complete; of a program: shown), 1 differs from
the recording, or the recording is cut off (a fork: no such answer), 2 bad usage or not a recording.`

interface ReplayOptions extends GlobalOptions {
  readonly until?: number
  readonly forkAt?: number
  readonly small?: string
  readonly big?: string
  readonly model?: string
  readonly act?: readonly string[]
  readonly json?: true
}

/** `echelon replay FILE`: replays a recorded run step by step, or forks it at a step. */
export function replayCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('replay')
    .description('replay a recording offline, step by step, or fork it at a step')
    .argument('<file>', 'file written by --record')
    .option('--until <step>', 'stop after this step and show the state there', atLeastOne)
    .option('--fork-at <step>', 'continue live from this step', atLeastOne)
    .option(
      '--small <model>',
      'fork of a decide run: model that starts the task, as provider/model',
    )
    .option('--big <model>', 'fork of a decide run: model to escalate to')
    .option('--model <model>', 'fork of a chat: model that answers')
    .option('--act <names>', 'tools that may act in a fork, comma-separated', commaList)
    .option('--json', 'print only one JSON object on stdout')
    .addHelpText('after', AFTERWORD)
    .action(async (path: string, _: unknown, called: Command) => {
      const options = called.optsWithGlobals<ReplayOptions>()
      checkOptions(options)
      const file = await replayFile(io, path)
      finish(
        await (options.forkAt === undefined ? show(io, file, options) : fork(io, file, options)),
      )
    })
}

function checkOptions({ until, forkAt, small, big, model, act }: ReplayOptions): void {
  if (until !== undefined && forkAt !== undefined) {
    throw usage('--until and --fork-at cannot be combined; give one of them')
  }
  const isForking = (small ?? big ?? model ?? act) !== undefined
  if (isForking && forkAt === undefined) {
    throw usage(
      '--small, --big, --model and --act are for a fork; give its first step with --fork-at',
    )
  }
}

async function show(
  io: Io,
  file: ReplayedFile,
  { until, json }: ReplayOptions,
): Promise<ExitStatus> {
  const step = until === undefined ? undefined : stepOf(file, until)
  if (json) {
    const stand = step === undefined ? undefined : await standAfter(io, file, step)
    printLine(io, JSON.stringify(asObject(file, until, stand), null, 2))
  } else {
    printLine(io, describeRuns(io, file, until === undefined ? {} : { until }))
    printLine(io, step === undefined ? describeLikeness(file) : await describeStand(io, file, step))
  }
  return statusOf(file, step)
}

/** Differences after the `--until` step do not count. */
function statusOf({ likeness }: ReplayedFile, until: PicturedStep | undefined): ExitStatus {
  if (likeness === undefined || likeness.type === 'exact') return EXIT.success
  if (until === undefined) return EXIT.unverified
  if (likeness.type === 'breaks-off') return EXIT.success
  const isLater = likeness.run !== until.run || (likeness.seq ?? 0) > until.seq
  return isLater ? EXIT.success : EXIT.unverified
}

function stepOf({ runs, record }: ReplayedFile, until: number): PicturedStep {
  const steps = runs.flatMap((run) => run.steps).filter(({ n }) => n !== undefined)
  const step = steps.find(({ n }) => n === until)
  if (step !== undefined) return step
  throw usage(
    `${record.path} has ${steps.length} steps; stop after a step from 1 to ${steps.length}`,
  )
}

function asObject(
  { record, about, runs, likeness, problem, result }: ReplayedFile,
  until = Infinity,
  stand: object | undefined,
): object {
  return {
    file: record.path,
    command: about?.command ?? null,
    runs: runs.map((run) => ({ ...run, steps: run.steps.filter(({ n = 0 }) => n <= until) })),
    ...(stand && { stand }),
    likeness: likeness ?? null,
    problem: problem ?? null,
    result: result ?? null,
  }
}

async function fork(io: Io, file: ReplayedFile, options: ReplayOptions): Promise<ExitStatus> {
  const { forkAt = 1, act = [], json = false } = options
  const choice: ForkChoice = { ...options, forkAt, act }
  const place = placeOf(file, forkAt)
  const config = await configFor(io, options)
  const begin = (): void => {
    if (forkAt > 1) printLine(io, describeRuns(io, file, { until: forkAt - 1 }))
    printLine(io, pc.magenta(`── from step ${forkAt} on live ──`))
  }
  const interrupt = cancelOnInterrupt(io, (text) => io.stderr.write(`${text}\n`))
  try {
    const shown = json ? { hear: nothing, begin: nothing } : { hear: liveSteps(io, forkAt), begin }
    const world = { io, config, signal: interrupt.signal, ...shown }
    const forked = await forkFile(file, place, choice, world)
    printLine(
      io,
      json ? JSON.stringify(forkedObject(file, forkAt, forked), null, 2) : describeEnd(forked),
    )
    if (forked.command === 'decide') return statusOfCase(forked.result)
    return forked.end.reason === 'stop' ? EXIT.success : EXIT.unverified
  } finally {
    interrupt.release()
  }
}

const forkedObject = ({ record }: ReplayedFile, forkAt: number, forked: Forked): object => ({
  file: record.path,
  forkAt,
  ...forked,
})

function describeEnd(forked: Forked): string {
  if (forked.command === 'decide') return describeResult(forked.result, true)
  const line = endLine(forked.end)
  return [
    '',
    pc.bold(cleanLines(forked.end.text)),
    ...(line === undefined ? [] : [pc.yellow(line)]),
  ].join('\n')
}

/** Prints each step of a live run when it ends. */
function liveSteps(io: Io, first: number): (event: RunEvent) => void {
  const began = new Map<string, Extract<RunEvent, { type: 'step-start' }>>()
  let n = first
  let at = performance.now()
  return (event) => {
    if (event.type === 'step-start') began.set(`${event.path} ${event.seq}`, event)
    if (event.type !== 'step-end') return
    const { path, seq, seen } = event
    const now = performance.now()
    const seconds = (now - at) / 1000
    at = now
    const spent = seen.type === 'generated' ? spentOn(seen) : {}
    const start = began.get(`${path} ${seq}`)
    const step: PicturedStep = {
      n: path === '' ? n++ : undefined,
      run: '',
      path,
      seq,
      seen,
      began: start,
      targets: start?.targets ?? [],
      asked: [],
      seconds,
      spent,
    }
    printLine(io, describeStep(step, (io.stdout.columns ?? 140) - 1))
  }
}

const spentOn = ({
  usage: { input, output },
  cost,
}: Extract<PicturedStep['seen'], { type: 'generated' }>): PicturedStep['spent'] => ({
  tokens: input + output,
  ...(cost !== null && { money: cost }),
})

const nothing = (): undefined => undefined
const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', clean(message))
