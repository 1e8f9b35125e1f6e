import { Command, InvalidArgumentError, Option } from 'commander'
import { createDecider, type DeciderOptions, EchelonError } from 'echelon'
import { type CaseOptions, type CaseResult, type LogEntry, MODES } from 'echelon/decide'
import { httpCsvSource, standardTools } from 'echelon/tools'
import { type CaseConfigOptions, caseConfig } from '../case-config.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { createProgress, type Progress } from '../progress.ts'
import { describeEntry, describeResult } from '../show-case.ts'
import { openTrace, type Trace } from '../trace-file.ts'

interface DecideOptions extends CaseConfigOptions {
  readonly json?: true
  readonly trace?: string
  readonly gold?: string
  readonly tools?: readonly string[]
  readonly today?: string
  readonly timezone?: string
  readonly stockUrl?: string
}

/** `echelon decide TASK`: one task, shown as it is decided. */
export function decideCommand(finish: (status: ExitStatus) => void): Command {
  return new Command('decide')
    .description('decide one task, and show every step')
    .argument('<task...>', 'the task in plain words; - reads it from standard input')
    .option('--json', 'print the result as JSON, and nothing else on stdout')
    .option('--trace <file>', 'append the log of the run to a file, one JSON object a line')
    .addOption(
      new Option('--mode <mode>', `how long the small model is tried; default ${MODES[0]}`).choices(
        MODES,
      ),
    )
    .option('--gold <answer>', 'the right answer, if you know it: it then decides')
    .option('--tools <names>', 'tools that the answer must rest on, with commas', commaList)
    .option('--small <model>', 'the model to begin with, as provider/model')
    .option('--big <model>', 'the model to promote to, as provider/model')
    .option('--ladder <models>', 'several models, cheapest first, with commas', commaList)
    .option(
      '--base-url <url>',
      'server of the models that are named; key of openai-compatible: ECHELON_API_KEY',
    )
    .option('--seed <number>', 'handed to the models, where they sample by one', wholeNumber)
    .option('--today <date>', 'the day that counts as today, such as 2025-09-08')
    .option('--timezone <zone>', 'the zone that dates are meant in, such as Asia/Bangkok')
    .option('--artifacts <folder>', 'where plots go; default artifacts')
    .option(
      '--stock-url <url>',
      'prices as CSV with a date and a close column; {ticker} and {n} are replaced',
    )
    .option('--max-seconds <number>', 'time of the run; default 60', positive)
    .option('--max-call-seconds <number>', 'time of one answer of a model; default 15', positive)
    .option('--max-cost <dollars>', 'US dollars; no limit by default', positive)
    .action(async (words: readonly string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DecideOptions>()
      const result = await decide(await readTask(words), options)
      finish(result.verified ? EXIT.success : EXIT.unverified)
    })
}

async function decide(task: string, options: DecideOptions): Promise<CaseResult> {
  const decider = await createDecider({
    config: await caseConfig(options),
    ...(await toolOptions(options)),
  })
  const trace = options.trace === undefined ? undefined : openTrace(options.trace)
  const progress = createProgress({ quiet: options.json === true })
  const interrupt = cancelOnInterrupt(progress)
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
    if (incomplete !== undefined) process.stderr.write(`echelon: ${incomplete}\n`)
  }
}

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

/** The first Ctrl-C ends the run with what there is, the second leaves at once. */
function cancelOnInterrupt(progress: Progress): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const onInterrupt = (): void => {
    if (controller.signal.aborted) process.exit(130)
    progress.say('canceling …')
    controller.abort()
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onInterrupt)
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', onInterrupt)
    },
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

function positive(text: string): number {
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
