import { Command } from 'commander'
import { createDecider, type DeciderOptions, EchelonError } from 'echelon'
import type { Config } from 'echelon/config'
import type { CaseOptions, CaseResult, LogEntry } from 'echelon/decide'
import { logRuns } from 'echelon/telemetry'
import { httpCsvSource, standardTools } from 'echelon/tools'
import { cancelOnInterrupt } from '../cancel-on-interrupt.ts'
import { type CaseConfigOptions, caseConfig } from '../case-config.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { withModelOptions } from '../model-options.ts'
import { onTape, type TapeOptions } from '../model-tape.ts'
import { type OtelOptions, withTraces } from '../otel.ts'
import { commaList, wholeNumber } from '../option-values.ts'
import { createProgress, type Progress } from '../progress.ts'
import { keepRecords, type RecordsChoice } from '../records.ts'
import { type LogOptions, logFor, withLog } from '../run-log.ts'
import { describeEntry, describeResult } from '../show-case.ts'
import { recordedCase } from '../record/recorded-case.ts'
import { openTrace, type Trace } from '../trace-file.ts'
import { checkWrittenFiles } from '../written-files.ts'

interface DecideOptions
  extends CaseConfigOptions, TapeOptions, RecordsChoice, OtelOptions, LogOptions {
  readonly json?: true
  readonly record?: string
  readonly trace?: string
  readonly gold?: string
  readonly tools?: readonly string[]
  readonly today?: string
  readonly timezone?: string
  readonly stockUrl?: string
}

/** `echelon decide TASK`: one task, shown as it is decided. */
export function decideCommand(finish: (status: ExitStatus) => void): Command {
  const command = new Command('decide')
    .description('decide one task, and show every step')
    .argument('<task...>', 'the task in plain words; - reads it from standard input')
    .option('--json', 'print the result as JSON, and nothing else on stdout')
    .option('--record <file>', 'record the whole run to a new file, for echelon replay')
    .option('--trace <file>', 'append the log of the run to a file, one JSON object a line')
    .option('--gold <answer>', 'the right answer, if you know it: it then decides')
    .option('--tools <names>', 'tools that the answer must rest on, with commas', commaList)
    .option('--seed <number>', 'handed to the models, where they sample by one', wholeNumber)
    .option('--today <date>', 'the day that counts as today, such as 2025-09-08')
    .option('--timezone <zone>', 'the zone that dates are meant in, such as Asia/Bangkok')
    .option('--artifacts <folder>', 'where plots go; default artifacts')
    .option(
      '--stock-url <url>',
      'prices as CSV with a date and a close column; {ticker} and {n} are replaced',
    )
  return withLog(withModelOptions(command)).action(
    async (words: readonly string[], _: unknown, called: Command) => {
      const options = called.optsWithGlobals<DecideOptions>()
      checkWrittenFiles(options)
      const task = await readTask(words)
      const result = await withTraces(options, (traced) =>
        onTape(options, (models) => decide(task, options, { ...models, ...traced })),
      )
      finish(result.verified ? EXIT.success : EXIT.unverified)
    },
  )
}

async function decide(
  task: string,
  options: DecideOptions,
  given: Pick<DeciderOptions, 'registry' | 'tracing'>,
): Promise<CaseResult> {
  const config = await caseConfig(options)
  const records = keepRecords(options, config)
  const parts = { config, ...given, ...(await toolOptions(options)), ...records.given }
  const log = await logFor(options)
  const logged = log && logRuns(log)
  const trace = options.trace === undefined ? undefined : openTrace(options.trace)
  const progress = createProgress({ quiet: options.json === true })
  const interrupt = cancelOnInterrupt((text) => progress.say(text))
  try {
    const result = await runCase(options.record, parts, task, {
      ...caseOptions(options),
      signal: interrupt.signal,
      onEvent: (event, run) => {
        progress.follow(event)
        logged?.hear(event, run)
      },
      onLog: (entry) => show(entry, progress, trace),
    })
    progress.stop()
    if (options.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
    else progress.print(describeResult(result, isAsked(options)))
    return result
  } finally {
    progress.stop()
    interrupt.release()
    const incomplete = trace?.close()
    const said = [...(incomplete === undefined ? [] : [incomplete]), ...records.remarks]
    for (const sentence of said) process.stderr.write(`echelon: ${sentence}\n`)
  }
}

async function runCase(
  record: string | undefined,
  parts: DeciderOptions & { readonly config: Config },
  task: string,
  options: CaseOptions,
): Promise<CaseResult> {
  if (record === undefined) return (await createDecider(parts)).runCase(task, options)
  return recordedCase(record, { task, options, parts }, (problem) => {
    process.stderr.write(`echelon: ${problem}\n`)
  })
}

const isAsked = ({ gold, tools }: DecideOptions): boolean =>
  gold !== undefined || tools !== undefined

function show(entry: LogEntry, progress: Progress, trace: Trace | undefined): void {
  trace?.write(entry)
  const line = describeEntry(entry)
  if (line !== undefined) progress.print(line)
}

/** Closing prices from a server of the user's own instead of the sample data. */
async function toolOptions({ stockUrl }: DecideOptions): Promise<Pick<DeciderOptions, 'tools'>> {
  if (stockUrl === undefined) return {}
  const stock = httpCsvSource({ url: stockUrl, attribution: 'the server named with --stock-url' })
  return { tools: await standardTools({ stock }) }
}

function caseOptions({ gold, tools, today, timezone }: DecideOptions): CaseOptions {
  return {
    ...(gold === undefined ? {} : { goldAnswer: gold }),
    ...(tools === undefined ? {} : { expectedTools: tools }),
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

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
