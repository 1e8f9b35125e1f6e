import { Command, Option } from 'commander'
import { EchelonError } from 'echelon/runtime'
import type { RunStatus, RunSummary } from '@echelon/store'
import pc from 'picocolors'
import { setTimeout } from 'node:timers/promises'
import { clean } from '../terminal/clean.ts'
import { configFor, type GlobalOptions } from '../configuration.ts'
import { keyRedactorOf, type Redactor } from '../conversation/redactor.ts'
import { STORE_FILE } from '../default-places.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { atLeastOne, commaList } from '../option-values.ts'
import { standAsText, standIn } from '../replay/show-stand.ts'
import { findRun } from '../runs/find-run.ts'
import { forkKept, type KeptForkOptions } from '../runs/fork-kept.ts'
import { endHere, goOn, type GoOnOptions, type OwnRun, ownRun } from '../runs/go-on.ts'
import { lengthOfTime } from '../runs/lengths.ts'
import { readAnswer, requestOf } from '../runs/read-answer.ts'
import { describeList } from '../runs/show-list.ts'
import { describeEvents, describeRun, historyOf, keptRun, runAsJson } from '../runs/show-run.ts'
import { standingOf } from '../runs/words.ts'
import { STARTED_AS } from '../started-as.ts'
import { type OpenedStore, storeThere } from '../store/keep-store.ts'
import { readOrigin } from '../store/run-origin.ts'
import { type Io, printLine } from '../io.ts'

const AFTERWORD = `
<run> is a run id, the first characters of one, or last: the newest unfinished run,
or else the newest run.
If your own program started the run, answer it with --later.
The full text is shown: personal data is not hidden, the configured API keys are.

Exit status: 0 done (resume, answer, fork: the answer is verified or complete), 1 the run ended
otherwise or data is damaged, 2 bad usage or no such run, 3 the run waits for an answer.`

const STATUSES = ['running', 'waiting', 'interrupted', 'damaged', 'finished', 'canceled'] as const

interface StoreOptions extends GlobalOptions {
  readonly store?: string
}

/** `echelon runs`: shows stored runs and acts on them. */
export function runsCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  const act = actor(io, finish)
  return new Command('runs')
    .description('list, show, answer, resume, cancel, fork and prune stored runs')
    .addHelpText('afterAll', AFTERWORD)
    .addCommand(listRuns(io, act))
    .addCommand(showRun(io, act))
    .addCommand(answerRun(io, act))
    .addCommand(resumeRun(io, act))
    .addCommand(cancelRun(io, act))
    .addCommand(forkRun(io, act))
    .addCommand(pruneRuns(io, act))
}

type Work<Options> = (
  store: OpenedStore | undefined,
  args: readonly string[],
  options: Options,
  hideKeys: Redactor,
) => Promise<ExitStatus>

type Act = <Options extends StoreOptions>(command: Command, work: Work<Options>) => Command

/** Opens the store for a subcommand, and closes it afterwards. */
const actor =
  (io: Io, finish: (status: ExitStatus) => void): Act =>
  <Options extends StoreOptions>(command: Command, work: Work<Options>) =>
    command
      .option('--store <file>', `file where runs are stored; default: ${STORE_FILE}`)
      .action(async (...given: readonly unknown[]) => {
        const options = command.optsWithGlobals<Options>()
        // Commander passes the words of a reply as a list.
        const args = given.flat().filter((one) => typeof one === 'string')
        const config = await configFor(io, options)
        const store = await storeThere(options, config)
        try {
          finish(await work(store, args, options, keyRedactorOf(config)))
        } finally {
          await store?.close()
        }
      })

const NONE = `There are no runs yet: decide a task with ${STARTED_AS} decide, talk with ${STARTED_AS} chat, or name a file with --store.`

/** @throws EchelonError UNKNOWN_RUN, STORE_DAMAGED */
async function runIn(
  store: OpenedStore | undefined,
  said: string | undefined = '',
): Promise<{ readonly store: OpenedStore; readonly run: RunSummary }> {
  if (store === undefined) {
    throw new EchelonError(
      'UNKNOWN_RUN',
      `there is no run ${clean(said)}; nothing is stored here yet`,
    )
  }
  const run = await findRun(store.runs, said)
  if (run.status !== 'damaged') return { store, run }
  throw new EchelonError(
    'STORE_DAMAGED',
    `the run ${clean(run.id)} is damaged (${clean(run.reason ?? '')}), so it cannot be used; other runs are not affected. Restore a backup to recover it`,
  )
}

interface ListOptions extends StoreOptions {
  readonly status?: RunStatus
  readonly all?: true
  readonly limit: number
  readonly json?: true
}

const listRuns = (io: Io, act: Act): Command =>
  act<ListOptions>(
    new Command('list')
      .description('list unfinished runs, newest first')
      .addOption(new Option('--status <status>', 'only runs with this status').choices(STATUSES))
      .option('--all', 'include finished runs')
      .option('--limit <number>', 'maximum number of runs', atLeastOne, 100)
      .option('--json', 'print them as JSON'),
    async (store, _, { status, all, limit, json }, hideKeys) => {
      const wanted = status === undefined ? (all ? STATUSES : STATUSES.slice(0, 4)) : [status]
      const runs = hideKeys((await store?.runs.list({ status: wanted, limit })) ?? [])
      if (json) printLine(io, JSON.stringify(runs, null, 2))
      else if (runs.length > 0) printLine(io, describeList(io, runs))
      else printLine(io, await whyNone(store, status))
      return reportDamaged(io, runs)
    },
  )

/** Warns about damaged runs, which count as a failure although the list was shown. */
function reportDamaged(io: Io, runs: readonly RunSummary[]): ExitStatus {
  const count = runs.filter(({ status }) => status === 'damaged').length
  if (count === 0) return EXIT.success
  io.stderr.write(
    `echelon: ${counted(count, 'run')} damaged; ${STARTED_AS} state doctor shows what is wrong\n`,
  )
  return EXIT.unverified
}

async function whyNone(
  store: OpenedStore | undefined,
  status: RunStatus | undefined,
): Promise<string> {
  const [any] = (await store?.runs.list({ limit: 1 })) ?? []
  if (any === undefined) return NONE
  if (status !== undefined) return `No run is ${status}; ${STARTED_AS} runs list --all shows all.`
  return `All runs have ended; ${STARTED_AS} runs list --all shows them.`
}

interface ShowOptions extends StoreOptions {
  readonly step?: number
  readonly json?: true
  readonly events?: true
}

const showRun = (io: Io, act: Act): Command =>
  act<ShowOptions>(
    new Command('show')
      .description('show a run step by step: messages, tool calls, time and cost')
      .argument('<run>')
      .option('--step <n>', 'show the state after this step', atLeastOne)
      .option('--events', 'show the events of the run')
      .option('--json', 'print it as JSON'),
    async (there, [said], { step, json, events }, hideKeys) => {
      const { store, run } = await runIn(there, said)
      if (events) {
        const kept = hideKeys(await store.events.read(run.id))
        printLine(io, json ? JSON.stringify(kept, null, 2) : describeEvents(io, kept))
        return EXIT.success
      }
      const kept = await keptRun(io, run, { entries: await store.runs.read(run.id), hideKeys })
      if (step === undefined) {
        printLine(io, json ? JSON.stringify(runAsJson(kept), null, 2) : describeRun(io, kept))
        return EXIT.success
      }
      const at = kept.steps.find(({ n }) => n === step)
      if (at === undefined) {
        const count = kept.steps.filter(({ n }) => n !== undefined).length
        throw usage(`the run has ${count} ${count === 1 ? 'step' : 'steps'}, not a step ${step}`)
      }
      const history = await historyOf(kept, store.sessions)
      const { definition } = kept
      const stand = hideKeys(standIn(kept.entries, at.seq, { definition, history }))
      printLine(io, json ? JSON.stringify({ step, ...stand }, null, 2) : standAsText(at, stand))
      return EXIT.success
    },
  )

const withRepeatedOptions = (command: Command): Command =>
  command
    .option('--base-url <url>', 'model server that the run was started with, if it had --base-url')
    .option(
      '--stock-url <url>',
      'price server that the run was started with, if it had --stock-url',
    )
    .option('--json', 'print the result as JSON')

type ResumeOptions = StoreOptions & GoOnOptions

const resumeRun = (io: Io, act: Act): Command =>
  act<ResumeOptions>(
    withRepeatedOptions(new Command('resume'))
      .description('resume a run in this terminal, in the folder where it was started')
      .argument('<run>'),
    async (there, [said], options) => {
      const { store, run } = await runIn(there, said)
      assertOpen(run)
      if (run.status === 'running') {
        throw usage(
          `a process is already working on the run ${short(run)}; you can answer or cancel it from here`,
        )
      }
      return goOn(io, ownRun(run), store, options)
    },
  )

interface AnswerOptions extends ResumeOptions {
  readonly request?: string
  readonly later?: true
}

const answerRun = (io: Io, act: Act): Command =>
  act<AnswerOptions>(
    withRepeatedOptions(new Command('answer'))
      .description('answer what a run waits for, and resume it here')
      .argument('<run>')
      .argument('<reply...>', 'once, always, no (or deny) or never; yes or no; a text; or JSON')
      .option('--request <id>', 'id of the request, if there are several')
      .option(
        '--later',
        'only store the answer; resume, a host or the terminal that asked continues the run',
      ),
    async (there, [said, ...words], options) => {
      const { store, run } = await runIn(there, said)
      assertOpen(run)
      const request = requestOf(run, options.request)
      const reply = readAnswer(request, words.join(' '))
      // Checked before the answer is stored: can this process resume the run?
      const own = options.later === true ? undefined : ownRun(run)
      // Throws if the journal is damaged: such a run could not be resumed, so it takes no answer.
      await store.runs.read(run.id)
      await store.runs.reply(run.id, request.id, reply)
      const resume = `${STARTED_AS} runs resume ${short(run)}`
      if (own === undefined) return tell(io, `answered; ${resume} continues it`)
      try {
        return await goOn(io, own, store, options)
      } catch (error) {
        if (isBusy(error)) return tell(io, 'answered; the process that works on it continues')
        if (error instanceof EchelonError)
          tell(io, `the answer is stored, but resuming failed; try ${resume} later:`)
        throw error
      }
    },
  )

/** Whether a live process holds the run, perhaps while it waits for an answer. */
const isBusy = (error: unknown): boolean =>
  error instanceof EchelonError && error.code === 'RUN_BUSY'

function tell(io: Io, sentence: string): ExitStatus {
  io.stderr.write(`${sentence}\n`)
  return EXIT.success
}

/** How long to wait for a live process to end the run. */
const PATIENCE_MS = 5000

const cancelRun = (io: Io, act: Act): Command =>
  act<ResumeOptions>(
    withRepeatedOptions(new Command('cancel'))
      .description('cancel a run, in the process that works on it if there is one')
      .argument('<run>'),
    async (there, [said], options) => {
      const { store, run } = await runIn(there, said)
      assertOpen(run)
      await store.runs.askToCancel(run.id)
      const isOwn = readOrigin(run.made) !== undefined
      if (isOwn && run.status !== 'running') await endIfIdle(io, ownRun(run), store, options)
      const ended = await untilEnded(store, run.id)
      io.stderr.write(
        ended
          ? `the run ${short(run)} ${standingOf(ended).text}\n`
          : `the run ${short(run)} was asked to cancel; the process that works on it, or the program that started it, ends it when it next looks\n`,
      )
      return ended === undefined ? EXIT.unverified : EXIT.success
    },
  )

/** Ends the run here unless a live process works on it; then that process ends it. */
async function endIfIdle(
  io: Io,
  own: OwnRun,
  store: OpenedStore,
  options: ResumeOptions,
): Promise<void> {
  try {
    await endHere(io, own, store, options)
  } catch (error) {
    if (isBusy(error)) return
    if (!(error instanceof EchelonError)) throw error
    throw new EchelonError(
      error.code === 'STORE_DAMAGED' ? error.code : 'INVALID_INPUT',
      `the run ${short(own.run)} has a cancel on record, but could not be ended here: ${error.message}; fix that, then cancel it again`,
    )
  }
}

async function untilEnded({ runs }: OpenedStore, id: string): Promise<RunSummary | undefined> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const run = await runs.find(id)
    if (run !== undefined && hasEnded(run)) return run
    if (performance.now() > until) return undefined
    await setTimeout(100)
  }
}

const forkRun = (io: Io, act: Act): Command =>
  act<StoreOptions & KeptForkOptions>(
    withRepeatedOptions(new Command('fork'))
      .description('start a new run from a step of this one')
      .argument('<run>')
      .requiredOption('--at <n>', 'first step to run again, numbered as in show', atLeastOne)
      .option('--act <names>', 'tools that may act in the fork, comma-separated', commaList)
      .option('--small <model>', 'for a decide run: model that starts the task, as provider/model')
      .option('--big <model>', 'for a decide run: model to escalate to')
      .option('--model <model>', 'for a chat: model that answers'),
    async (there, [said], options) => {
      const { store, run } = await runIn(there, said)
      return forkKept(io, ownRun(run), store, options)
    },
  )

interface PruneOptions extends StoreOptions {
  readonly olderThan?: number
  readonly keep?: number
  readonly conversations?: true
  readonly condense?: true
  readonly dryRun?: true
}

const pruneRuns = (io: Io, act: Act): Command =>
  act<PruneOptions>(
    new Command('prune')
      .description(
        'delete finished runs with all their data; keeps conversations and runs that can be resumed',
      )
      .option(
        '--older-than <time>',
        'runs that ended longer ago than this, such as 30d or 12h',
        lengthOfTime,
      )
      .option('--keep <number>', 'keep this many of the newest finished runs', atLeastOne)
      .option(
        '--conversations',
        'with --older-than: also delete conversations unused for that long',
      )
      .option('--condense', 'drop steps that unfinished runs do not need to resume')
      .option('--dry-run', 'only show what would be deleted'),
    async (store, _, { olderThan, keep, condense = false, dryRun = false, ...more }) => {
      if (olderThan === undefined && keep === undefined && !condense) {
        throw usage('choose what to delete: --older-than 30d, --keep 100, or --condense')
      }
      if (more.conversations === true && olderThan === undefined) {
        throw usage('--conversations needs an age; add --older-than, such as 30d')
      }
      const pruned = await store?.runs.prune({
        ...(olderThan !== undefined && { endedBeforeMs: olderThan }),
        ...(keep !== undefined && { keep }),
        conversations: more.conversations === true,
        condense,
        dryRun,
      })
      const { runs = 0, sessions = 0, results = 0, cached = 0, condensed = 0 } = pruned ?? {}
      const counts = [
        counted(runs, 'run'),
        counted(sessions, 'conversation'),
        counted(results, 'result'),
        counted(cached, 'cached answer'),
      ]
      printLine(io, `${dryRun ? pc.dim('would delete') : 'deleted'} ${counts.join(', ')}`)
      if (condense) {
        const what = `the first steps of ${counted(condensed, 'resumable run')}`
        printLine(io, `${dryRun ? pc.dim('would drop') : 'dropped'} ${what}`)
      }
      return EXIT.success
    },
  )

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`

function assertOpen(run: RunSummary): void {
  if (!hasEnded(run)) return
  throw usage(
    `the run ${short(run)} has ended (${standingOf(run).text}); ${STARTED_AS} runs show ${short(run)} shows it`,
  )
}

const hasEnded = ({ status }: RunSummary): boolean => status === 'finished' || status === 'canceled'

const short = ({ id }: RunSummary): string => clean(id.slice(0, 8))
const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
