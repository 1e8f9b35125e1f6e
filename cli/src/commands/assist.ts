import { existsSync } from 'node:fs'
import { Command } from 'commander'
import type { AssistResult } from '@echelon/assist'
import { createRedactor, describeFailure } from 'echelon/runtime'
import pc from 'picocolors'
import yoctoSpinner from 'yocto-spinner'
import { type AssistModelChoice, type AssistModels, assistModels } from '../assist/assist-models.ts'
import { ASSIST_COMMAND_NAMES, ASSIST_COMMANDS, AssistTalk, tried } from '../assist/assist-talk.ts'
import { LinePrompt } from '../chat/terminal/line-prompt.ts'
import { linesInTerminal } from '../chat/terminal/lines-in-terminal.ts'
import { answerText, greeting, wrapped } from '../chat/terminal/terminal-face.ts'
import { type Lines, talkThroughPipe } from '../chat/terminal/through-pipe.ts'
import { runTyped } from '../chat/typed-commands.ts'
import { cleanLines } from '../terminal/clean.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { positive } from '../option-values.ts'
import { STARTED_AS } from '../started-as.ts'
import type { Io } from '../io.ts'

const AFTERWORD = `
Commands in the chat and in piped input: ${ASSIST_COMMAND_NAMES.join(', ')}. /help explains them.
The intent is in <memory>/intent.json; ${STARTED_AS} intent shows and changes it.

Exit status: 0 when the last turn was answered or ended as you wanted, 1 when there was no answer
or it was held back, 2 bad usage or configuration.`

interface AssistOptions extends AssistModelChoice {
  readonly memory: string
  readonly json?: true
}

/** `echelon assist [MESSAGE]`: a conversation that keeps to what its user wants. */
export function assistCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('assist')
    .description('think something through with an assistant that follows your stated intent')
    .argument(
      '[message...]',
      'the message; if omitted, messages come from the terminal or piped lines',
    )
    .option('--memory <folder>', 'folder for intent, plans and evaluations', 'memory')
    .option('--model <model>', 'model that answers, as provider/model, or none')
    .option('--big <model>', 'model that plans and evaluates; default: --model')
    .option('--planner <model>', 'model that plans, or none to plan by rules')
    .option('--evaluator <model>', 'model that evaluates, or none for rules only')
    .option(
      '--base-url <url>',
      'server of --model; openai-compatible reads its key from ECHELON_API_KEY',
    )
    .option('--max-cost <dollars>', 'cost limit of a turn in US dollars; default: none', positive)
    .option('--json', 'print only one JSON object per turn on stdout')
    .addHelpText('after', AFTERWORD)
    .action(async (words: readonly string[], _: unknown, called: Command) => {
      finish(await assist(io, words.join(' ').trim(), called.optsWithGlobals<AssistOptions>()))
    })
}

async function assist(io: Io, message: string, options: AssistOptions): Promise<ExitStatus> {
  const { createAssistant, memoryFolder } = await import('@echelon/assist')
  const models = await assistModels(io, options)
  const memory = memoryFolder(options.memory)
  const assistant = createAssistant({ memory, evaluations: KEPT, ...models.options })
  await using session = await assistant.openSession()
  const talk = new AssistTalk(io, assistant, session, memory)
  const inTerminal = options.json !== true && isTerminal(io.stdin) && isTerminal(io.stdout)
  const hasSpinner = inTerminal && models.options.executor !== null
  const lines = linesOf(io, talk, options, { inTerminal, hasSpinner })
  const isUnnamed = options.model === undefined && models.options.executor === null
  const isTold = isUnnamed && !inTerminal && options.json !== true
  if (isTold) io.stderr.write(OFFLINE)
  const isShipped = !existsSync(memory.intentFile)
  if (isShipped && !inTerminal && options.json !== true) io.stderr.write(`${SHIPPED}\n`)
  if (message !== '') return statusOf(await lines.take(message))
  if (!inTerminal) return statusOf((await talkThroughPipe(io, lines)) ?? undefined)
  greet(io, models, isShipped)
  const prompt = new LinePrompt(io, [], ASSIST_COMMAND_NAMES)
  return statusOf(await linesInTerminal(io, prompt, lines))
}

/** As the folder keeps them: 100, for 30 days. */
const KEPT = { most: 100, maxAgeMs: 30 * 86_400_000 }

const OFFLINE = 'no model answers (no OPENAI_API_KEY); --model names one\n'

// Nobody has said what the north stars of this intent say, so that it is told.
const SHIPPED = `using the default intent of Echelon; ${STARTED_AS} intent edit changes it`

const redact = createRedactor()

function linesOf(
  io: Io,
  talk: AssistTalk,
  { json }: AssistOptions,
  { inTerminal, hasSpinner }: { readonly inTerminal: boolean; readonly hasSpinner: boolean },
): Lines<AssistResult | undefined> {
  const face = {
    say: (text: string) =>
      void (json ? io.stderr : io.stdout).write(
        `${inTerminal ? wrapped(io, text) : cleanLines(text)}\n`,
      ),
    complain: (text: string) => void io.stderr.write(`echelon: ${cleanLines(redact(text))}\n`),
  }
  return {
    command: (line) => runTyped(line, ASSIST_COMMANDS, talk, { face, redact }),
    async take(said) {
      // Signals are the conversation's: the spinner's own handler would leave before the turn has ended.
      const spinner = yoctoSpinner({
        stream: io.stderr,
        text: 'thinking',
        handleSignals: false,
      })
      if (hasSpinner) spinner.start()
      const result = await tried(() => talk.take(said, face.complain), face.complain).finally(() =>
        spinner.stop(),
      )
      if (result !== undefined) show(io, result, json === true, inTerminal)
      const problem = result?.problem ?? null
      if (problem !== null) face.complain(describeFailure(problem))
      return result
    },
    isLast: (result) => result?.outcome === 'canceled',
  }
}

function show(io: Io, result: AssistResult, json: boolean, inTerminal: boolean): void {
  const { text, outcome, problem, isQuestion, plan, evaluation, why } = result
  const told = { text, outcome, is_question: isQuestion, plan, evaluation, why }
  if (json) io.stdout.write(`${JSON.stringify(told)}\n`)
  else if (text !== '' && problem === null)
    io.stdout.write(`${inTerminal ? answerText(io, text) : cleanLines(text).trimEnd()}\n`)
}

const greet = (io: Io, { name }: AssistModels, isShipped: boolean): void =>
  void io.stdout.write(
    `${greeting(io, `${pc.bold('echelon assist')} · ${pc.cyan(name)} · ${pc.dim('/help lists commands, Ctrl-D ends')}`)}\n${isShipped ? `${greeting(io, pc.dim(SHIPPED))}\n` : ''}\n`,
  )

/** What is no terminal has no such field at all. */
const isTerminal = ({ isTTY = false }: { readonly isTTY?: boolean }): boolean => isTTY

const GOOD: readonly AssistResult['outcome'][] = ['answered', 'stopped', 'frustration', 'achieved']

const statusOf = (last: AssistResult | undefined): ExitStatus =>
  last === undefined || GOOD.includes(last.outcome) ? EXIT.success : EXIT.unverified
