import { existsSync } from 'node:fs'
import { Command } from 'commander'
import pc from 'picocolors'
import { type AssistModelChoice, assistModels } from '../assist/assist-models.ts'
import { assistLookups } from '../assist/assist-lookups.ts'
import { ASSIST_COMMANDS } from '../assist/commands.ts'
import { learnFrom } from '../memory/learn.ts'
import { FirstRun, INVITATION } from '../assist/first-run.ts'
import { EXAMPLE, reflectToAnybody } from '../assist/stranger.ts'
import { KNOWLEDGE_FILE } from '../knowledge/open-knowledge.ts'
import { AssistTalk } from '../assist/talk.ts'
import { namesOf } from '../conversation/commands.ts'
import { converse, statusOf } from '../conversation/converse.ts'
import { openDisplay } from '../conversation/open-display.ts'
import { redactorOf } from '../conversation/redactor.ts'
import { clean } from '../terminal/clean.ts'
import { printTitle } from '../conversation/terminal-display.ts'
import type { ExitStatus } from '../exit-status.ts'
import { commaList, positive } from '../option-values.ts'
import { STARTED_AS } from '../started-as.ts'
import { type Io, printLine } from '../io.ts'

const AFTERWORD = `
Commands in the chat, in piped input, and as the message: ${namesOf(ASSIST_COMMANDS).join(', ')}.
/help explains them.
The intent is in <memory>/intent.json; ${STARTED_AS} intent shows and changes it.

Exit status: 0 when the last turn was answered or ended as you wanted, 1 when there was no answer
or it was held back, 2 bad usage or configuration.`

interface AssistOptions extends AssistModelChoice {
  readonly memory: string
  readonly json?: true
  readonly remember?: true
  readonly tools?: readonly string[]
  readonly knowledge?: string | false
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
    .option(
      '--tools <names>',
      'tools that the model may call, comma-separated; default: none',
      commaList,
    )
    .option(
      '--knowledge <place>',
      `documents to look things up in: a file, or the word database; default: ${KNOWLEDGE_FILE}, if it exists`,
    )
    .option('--no-knowledge', 'look nothing up')
    .option('--remember', 'learn facts about you from what you say; memory shows and changes them')
    .option('--json', 'print only one JSON object per turn on stdout')
    .addHelpText('after', AFTERWORD)
    .action(async (words: readonly string[], _: unknown, called: Command) => {
      finish(await assist(io, words.join(' ').trim(), called.optsWithGlobals<AssistOptions>()))
    })
}

async function assist(io: Io, message: string, options: AssistOptions): Promise<ExitStatus> {
  const { createAssistant, memoryFolder } = await import('@echelon/assist')
  const { options: models, config, name } = await assistModels(io, options)
  const memory = memoryFolder(options.memory)
  const isStranger = !existsSync(memory.intentFile)
  await using lookups = await assistLookups(io, options, config)
  const assistant = createAssistant({
    memory,
    evaluations: KEPT,
    reflect: reflectToAnybody,
    ...models,
    ...lookups.options,
  })
  await using session = await assistant.openSession()
  const display = openDisplay(io, options)
  const redactor = redactorOf(config)
  const redact = (text: string): string => redactor(text)
  const isAsked = isStranger && display.isTerminal && message === ''
  const firstRun = isAsked ? new FirstRun(memory) : undefined
  const talk = new AssistTalk({
    io,
    display,
    assistant,
    session,
    memory,
    redact,
    firstRun,
    facts: lookups.options.facts,
    example: isStranger && display.isTerminal && models.executor !== null ? EXAMPLE : undefined,
  })
  const remarks = remarksOf(isStranger, models.executor === null, options)
  if (!display.isTerminal && options.json !== true) io.stderr.write(remarks.join(''))
  const face = {
    commands: ASSIST_COMMANDS,
    context: talk,
    history: [],
    greet: () => greet(io, name, remarks, firstRun),
    take: (said: string) => talk.take(said),
    redact,
  }
  const status = statusOf(await converse(io, display, face, message))
  if (options.remember) await learnFrom(io, talk.facts, talk.said)
  return status
}

function greet(
  io: Io,
  name: string,
  remarks: readonly string[],
  firstRun: FirstRun | undefined,
): void {
  printTitle(io, 'assist', [pc.cyan(name)], remarks.join('').trim() || undefined)
  if (firstRun !== undefined) printLine(io, `${INVITATION}\n\n${firstRun.question}`)
}

function remarksOf(
  isStranger: boolean,
  isOffline: boolean,
  { memory, model }: AssistOptions,
): readonly string[] {
  return [
    ...(isOffline && model === undefined ? [OFFLINE] : []),
    ...(isStranger ? [`${introduce(memory)}\n`] : []),
  ]
}

/** Evaluations that stay in the folder. */
const KEPT = { most: 100, maxAgeMs: 30 * 86_400_000 }

const OFFLINE =
  'no model answers (no OPENAI_API_KEY), so questions are not answered; I can ask about a decision by what you want, and quote your documents; --model names a model\n'

// The user has not written the north stars of this intent, so its use is announced.
const introduce = (folder: string): string =>
  `this intent is only an example; ${STARTED_AS} intent edit writes your own. Plans are kept in ${clean(folder)}/`
