import { Command, InvalidArgumentError, Option } from 'commander'
import { createDecider, type DeciderOptions, EchelonError } from 'echelon'
import {
  type CaseOptions,
  type CaseResult,
  type LogEntry,
  MODES,
  type Mode,
  type PartialSettings,
} from 'echelon/decide'
import { httpCsvSource, standardTools } from 'echelon/tools'
import { cancelOnInterrupt } from '../cancel-on-interrupt.ts'
import { environmentKey } from '../environment.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { onTape, type TapeOptions } from '../model-tape.ts'
import { createProgress, type Progress } from '../progress.ts'
import { keepRecords, RECORDS_FOLDER } from '../records.ts'
import { describeEntry, describeResult } from '../show-case.ts'
import { openTrace, type Trace } from '../trace-file.ts'

interface DecideOptions extends TapeOptions {
  readonly json?: true
  readonly trace?: string
  readonly mode: Mode
  readonly gold?: string
  readonly tools?: readonly string[]
  readonly small?: string
  readonly big?: string
  readonly ladder?: readonly string[]
  readonly baseUrl?: string
  readonly seed?: number
  readonly today?: string
  readonly timezone?: string
  readonly artifacts: string
  readonly stockUrl?: string
  readonly maxSeconds?: number
  readonly maxCallSeconds?: number
  readonly maxCost?: number
  /** False with `--no-records`. */
  readonly records?: string | false
  readonly costAlert?: number
}

/** `echelon decide TASK`: one task, shown as it is decided. */
export function decideCommand(finish: (status: ExitStatus) => void): Command {
  return new Command('decide')
    .description('decide one task, and show every step')
    .argument('<task...>', 'the task in plain words; - reads it from standard input')
    .option('--json', 'print the result as JSON, and nothing else on stdout')
    .option('--trace <file>', 'append the log of the run to a file, one JSON object a line')
    .addOption(
      new Option('--mode <mode>', 'how long the small model is tried')
        .choices(MODES)
        .default(MODES[0]),
    )
    .option('--gold <answer>', 'the right answer, if you know it: it then decides')
    .option('--tools <names>', 'tools that the answer must rest on, with commas', commaList)
    .option('--small <model>', 'the model to begin with, as provider/model')
    .option('--big <model>', 'the model to promote to, as provider/model')
    .option('--ladder <models>', 'several models, cheapest first, with commas', commaList)
    .option(
      '--base-url <url>',
      'server of the openai-compatible provider; its key: ECHELON_API_KEY',
    )
    .option('--seed <number>', 'handed to the models, where they sample by one', wholeNumber)
    .option('--today <date>', 'the day that counts as today, such as 2025-09-08')
    .option('--timezone <zone>', 'the zone that dates are meant in, such as Asia/Bangkok')
    .option('--artifacts <folder>', 'where plots go', 'artifacts')
    .option(
      '--stock-url <url>',
      'prices as CSV with a date and a close column; {ticker} and {n} are replaced',
    )
    .option('--record-models <file>', 'record every call of a model to a new file')
    .option('--replay-models <file>', 'answer from such a file, without key or network')
    .option('--max-seconds <number>', 'time of the run; default 60', positive)
    .option('--max-call-seconds <number>', 'time of one answer of a model; default 15', positive)
    .option('--max-cost <dollars>', 'US dollars; no limit by default', positive)
    .option('--records <folder>', `where records of runs are kept; default ${RECORDS_FOLDER}`)
    .option('--no-records', 'keep no records of this run')
    .option('--cost-alert <dollars>', 'say when the runs of a day took more', positive)
    .action(async (words: readonly string[], options: DecideOptions) => {
      const task = await readTask(words)
      const result = await onTape(options, (models) => decide(task, options, models))
      finish(result.verified ? EXIT.success : EXIT.unverified)
    })
}

async function decide(
  task: string,
  options: DecideOptions,
  models: Pick<DeciderOptions, 'registry'>,
): Promise<CaseResult> {
  const records = keepRecords(options)
  const decider = await createDecider({
    ...deciderOptions(options),
    ...models,
    ...(await toolOptions(options)),
    ...records.given,
  })
  const trace = options.trace === undefined ? undefined : openTrace(options.trace)
  const progress = createProgress({ quiet: options.json === true })
  const interrupt = cancelOnInterrupt((text) => progress.say(text))
  try {
    const result = await decider.runCase(task, {
      ...caseOptions(options),
      signal: interrupt.signal,
      onEvent: (event) => progress.follow(event),
      onLog: (entry) => show(entry, progress, trace),
    })
    progress.stop()
    if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
    else progress.print(describeResult(result))
    return result
  } finally {
    progress.stop()
    interrupt.release()
    const incomplete = trace?.close()
    const said = [...(incomplete === undefined ? [] : [incomplete]), ...records.remarks]
    for (const sentence of said) process.stderr.write(`echelon: ${sentence}\n`)
  }
}

function show(entry: LogEntry, progress: Progress, trace: Trace | undefined): void {
  trace?.write(entry)
  const line = describeEntry(entry)
  if (line !== undefined) progress.print(line)
}

const OFFLINE_NOTICE =
  'No model is named, so the offline models answer: offline/small and offline/big read arithmetic, dates and the sample stock. --small and --big name others.\n'

function deciderOptions(options: DecideOptions): DeciderOptions {
  const { small, big, ladder, baseUrl, artifacts, replayModels } = options
  const apiKey = environmentKey()
  if (ladder !== undefined && (small !== undefined || big !== undefined)) {
    throw usage('--ladder stands instead of --small and --big; name the models once')
  }
  if (
    baseUrl !== undefined &&
    [small, big, ...(ladder ?? [])].every((name) => name === undefined)
  ) {
    throw usage('--base-url names a server but no model; add --small openai-compatible/<model>')
  }
  const named = small ?? big
  const isOffline = named === undefined && ladder === undefined && replayModels === undefined
  if (isOffline) process.stderr.write(OFFLINE_NOTICE)
  return {
    artifacts,
    // One model alone is its own ladder: promoting a task to itself would prove nothing.
    ...(small !== undefined && big === undefined ? { ladder: [small] } : {}),
    ...(small === undefined && big !== undefined ? { ladder: [big] } : {}),
    ...(small !== undefined && big !== undefined ? { small, big } : {}),
    ...(ladder === undefined ? {} : { ladder }),
    settings: limitSettings(options),
    providers: {
      'openai-compatible': {
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(apiKey === undefined ? {} : { apiKey }),
      },
    },
  }
}

function limitSettings({ maxSeconds, maxCallSeconds, maxCost }: DecideOptions): PartialSettings {
  return {
    budget: {
      ...(maxSeconds === undefined ? {} : { max_seconds: maxSeconds }),
      ...(maxCost === undefined ? {} : { max_cost_usd: maxCost }),
    },
    limits: maxCallSeconds === undefined ? {} : { max_call_seconds: maxCallSeconds },
  }
}

/** Closing prices from a server of the user's own instead of the sample data. */
async function toolOptions({ stockUrl }: DecideOptions): Promise<Pick<DeciderOptions, 'tools'>> {
  if (stockUrl === undefined) return {}
  const stock = httpCsvSource({ url: stockUrl, attribution: 'the server named with --stock-url' })
  return { tools: await standardTools({ stock }) }
}

function caseOptions({ mode, gold, tools, seed, today, timezone }: DecideOptions): CaseOptions {
  return {
    mode,
    ...(gold === undefined ? {} : { goldAnswer: gold }),
    ...(tools === undefined ? {} : { expectedTools: tools }),
    ...(seed === undefined ? {} : { seed }),
    ...(today === undefined ? {} : { today }),
    ...(timezone === undefined ? {} : { timeZone: timezone }),
  }
}

/** More than any task may hold; what a pipe brings beyond it is not even read. */
const MOST_BYTES = 1024 * 1024

async function readTask(words: readonly string[]): Promise<string> {
  if (words.length !== 1 || words[0] !== '-') return words.join(' ')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > MOST_BYTES)
      throw usage('the task on standard input is longer than 1 MB; shorten it')
    chunks.push(part)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).trim()
  } catch {
    throw usage('the task on standard input is no UTF-8 text; convert it')
  }
}

const commaList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

export function positive(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0) {
    throw new InvalidArgumentError('It must be a number above 0.')
  }
  return number
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('It must be a whole number.')
  }
  return number
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
