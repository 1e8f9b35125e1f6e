import { Command } from 'commander'
import type { Config } from 'echelon/config'
import {
  type CaseOptions,
  type CaseResult,
  createDecider,
  type DeciderOptions,
  type WantedAnswer,
} from 'echelon/decide'
import { EchelonError } from 'echelon/internal/value'
import { type CaseConfigOptions, caseConfig } from '../run/case-config.ts'
import { caseTools } from '../run/case-tools.ts'
import { clean } from '../terminal/clean.ts'
import { type ExitStatus, statusOfCase } from '../exit-status.ts'
import { withModelOptions } from '../run/model-options.ts'
import { onTape, type TapeOptions } from '../run/model-tape.ts'
import { type OtelOptions, withTraces } from '../otel.ts'
import { commaList, wholeNumber } from '../option-values.ts'
import { keepRecords, type RecordsChoice } from '../records.ts'
import { type LogOptions, withLog } from '../run/run-log.ts'
import {
  keepStore,
  NOT_BOTH,
  type OpenedStore,
  type StoreChoice,
  withStore,
} from '../store/keep-store.ts'
import { caseOrigin } from '../store/run-origin.ts'
import { watchCase, type Watching } from '../run/watch-case.ts'
import { wantedAnswer } from '../run/wanted-answer.ts'
import { checkWrittenFiles } from '../written-files.ts'
import { STARTED_AS } from '../started-as.ts'
import type { Io } from '../io.ts'

interface DecideOptions
  extends CaseConfigOptions, TapeOptions, RecordsChoice, StoreChoice, OtelOptions, LogOptions {
  readonly json?: true
  readonly record?: string
  readonly trace?: string
  readonly gold?: string
  readonly tools?: readonly string[]
  readonly wanted?: WantedAnswer
  readonly today?: string
  readonly timezone?: string
  readonly stockUrl?: string
  readonly idempotencyKey?: string
}

const STATUSES = `
Exit status: 0 verified, 1 not verified, 2 bad usage or configuration,
4 supported by its evidence, which is not a proof.`

/** `echelon decide TASK`: runs one task and shows each step. */
export function decideCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  const command = new Command('decide')
    .description('run one task and show every step')
    .argument('<task...>', 'the task in plain words; - reads it from stdin')
    .option('--json', 'print only the result on stdout, as JSON')
    .option('--record <file>', `record the whole run to a new file for ${STARTED_AS} replay`)
    .option('--trace <file>', 'append the log of the run to a file as JSON lines')
    .option('--gold <answer>', 'the right answer, if known; the result is checked against it')
    .option(
      '--tools <names>',
      'tools whose results the answer must use, comma-separated',
      commaList,
    )
    .option(
      '--wanted <kind>',
      'kind of answer: number, date, yes-no, text, choice=FIRST,SECOND or json=SCHEMA.json',
      wantedAnswer,
    )
    .option('--seed <number>', 'seed for models that support one', wholeNumber)
    .option('--today <date>', 'date to use as today, such as 2025-09-08')
    .option('--timezone <zone>', 'time zone for dates, such as Asia/Bangkok')
    .option('--artifacts <folder>', 'folder for plots; default: artifacts')
    .option(
      '--stock-url <url>',
      'URL of prices as CSV with date and close columns; {ticker} and {n} are filled in',
    )
    .option(
      '--idempotency-key <key>',
      'run the task only once for this key, across processes; the same key returns the same result',
    )
  return withLog(withStore(withModelOptions(command).addHelpText('after', STATUSES))).action(
    async (words: readonly string[], _: unknown, called: Command) => {
      const options = called.optsWithGlobals<DecideOptions>()
      checkWrittenFiles(options)
      const task = await readTask(io, words)
      const result = await withTraces(io, options, (traced) =>
        onTape(io, options, (models) => decide(io, task, options, { ...models, ...traced })),
      )
      finish(statusOfCase(result))
    },
  )
}

type Given = Pick<DeciderOptions, 'registry' | 'tracing'>

async function decide(
  io: Io,
  task: string,
  options: DecideOptions,
  given: Given,
): Promise<CaseResult> {
  const config = await caseConfig(io, options)
  const records = keepRecords(options, config)
  const problems: string[] = []
  const say = (sentence: string): void => void problems.push(sentence)
  const store = await storeFor(options, config, say)
  try {
    const own = { ...given, ...(await caseTools(options)), ...records.given }
    const view = {
      ...options,
      isAsked: options.gold !== undefined || options.tools !== undefined,
      events: store?.events,
      remarks: () => [...problems, ...records.remarks],
    }
    return await watchCase(io, view, async (watching) => {
      const asked = { ...caseOptions(options), ...watching }
      const { record } = options
      if (record === undefined) return decided(task, options, { config, ...own, store, say }, asked)
      const { recordedCase } = await import('../record/recorded-case.ts')
      return recordedCase(record, { task, options: asked, parts: { config, ...own } }, say)
    })
  } finally {
    await store?.close()
  }
}

type Parts = Omit<DeciderOptions, 'store'> & {
  readonly config: Config
  readonly store: OpenedStore | undefined
  readonly say: (sentence: string) => void
}

async function decided(
  task: string,
  options: DecideOptions,
  { store, say, ...parts }: Parts,
  asked: CaseOptions & Watching,
): Promise<CaseResult> {
  const decider = await createDecider({ ...parts, ...(store && { store }) })
  if (store === undefined) return decider.runOutcome(task, asked)
  const { settings, run } = parts.config
  const made = caseOrigin(options, { models: decider.models, settings, artifacts: run.artifacts })
  const { idempotencyKey } = options
  if (idempotencyKey === undefined) return decider.runOutcome(task, { ...asked, made })
  let isExecuted = false
  const result = await decider.runOutcome(task, {
    ...asked,
    made,
    idempotencyKey,
    onEvent(event, run) {
      isExecuted = true
      asked.onEvent(event, run)
    },
  })
  if (!isExecuted && !asked.signal.aborted)
    say(`stored under this key, from run ${clean(result.run_id.slice(0, 8))}`)
  return result
}

/** Recorded and replayed runs are not stored: they could not be resumed with live models. */
async function storeFor(
  options: DecideOptions,
  config: Config,
  say: (sentence: string) => void,
): Promise<OpenedStore | undefined> {
  const { record, replayModels, store, idempotencyKey } = options
  const isTape = (record ?? replayModels) !== undefined
  if (isTape && typeof store === 'string') throw usage(NOT_BOTH)
  const kept = isTape ? undefined : await keepStore(options, config, say)
  if (kept !== undefined || idempotencyKey === undefined) return kept
  throw usage(
    '--idempotency-key needs a store; leave out --no-store, --record and --replay-models, or name a file with --store',
  )
}

function caseOptions({ gold, tools, today, timezone, wanted }: DecideOptions): CaseOptions {
  return {
    ...(wanted === undefined ? {} : { wanted }),
    ...(gold === undefined ? {} : { goldAnswer: gold }),
    ...(tools === undefined ? {} : { expectedTools: tools }),
    ...(today === undefined ? {} : { today }),
    ...(timezone === undefined ? {} : { timeZone: timezone }),
  }
}

/** Larger than any task may be; the rest of a pipe is not read. */
const MOST_BYTES = 1024 * 1024

async function readTask(io: Io, words: readonly string[]): Promise<string> {
  if (words.length !== 1 || words[0] !== '-') return words.join(' ')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of io.stdin) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > MOST_BYTES)
      throw usage('the task on standard input is longer than 1 MB; shorten it')
    chunks.push(part)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).trim()
  } catch {
    throw usage('the task on standard input is not UTF-8 text; convert it')
  }
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
