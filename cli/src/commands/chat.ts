import { Command, Option } from 'commander'
import { talkInTerminal } from '../chat/in-terminal.ts'
import { LinePrompt } from '../chat/line-prompt.ts'
import { type AgentChoice, makeAgent } from '../chat/make-agent.ts'
import { type Approve, plainFace } from '../chat/plain-face.ts'
import { resumeSession } from '../chat/session-file.ts'
import { Talk } from '../chat/talk.ts'
import { TerminalFace } from '../chat/terminal-face.ts'
import { talkThroughPipe } from '../chat/through-pipe.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { onTape, type TapeOptions } from '../model-tape.ts'
import { atLeastOne, commaList, positive } from '../option-values.ts'

const AFTERWORD = `
In the chat, and in a pipe, /help lists what can be ordered: /switch, /cost, /undo …

Exit status: 0 when the last turn was answered, 1 when it was not, 2 bad usage or configuration.`

interface ChatOptions extends AgentChoice, Omit<TapeOptions, 'replayModels'> {
  readonly json?: true
  readonly approve?: Approve
  readonly resume?: string
}

/** `echelon chat [MESSAGE]`: a conversation with an agent and its tools. */
export function chatCommand(finish: (status: ExitStatus) => void): Command {
  return new Command('chat')
    .description('talk with an agent that has tools; a message or a pipe is answered and ends')
    .argument('[message...]', 'what to say; without it the terminal, or each line of a pipe')
    .option('--model <model>', 'who answers, as provider/model')
    .option('--base-url <url>', 'server of that model; key of openai-compatible: ECHELON_API_KEY')
    .option('--instructions <text>', 'what the agent is to go by')
    .option('--tools <names>', 'which built-in tools it has, with commas; default all', commaList)
    .option('--no-tools', 'it has none')
    .option('--ask <names>', 'tools that ask before they run, with commas, or all', commaList)
    .addOption(
      new Option('--approve <answer>', 'the answer wherever a tool asks').choices([
        'always',
        'never',
      ]),
    )
    .option('--max-iterations <number>', 'model calls of a turn; default 50', atLeastOne)
    .option('--max-seconds <number>', 'time of a turn; no limit by default', positive)
    .option('--max-cost <dollars>', 'US dollars of a turn; no limit by default', positive)
    .option('--artifacts <folder>', 'where plots go; default artifacts')
    .option('--resume <file>', 'go on with a conversation that /save kept')
    .option('--json', 'print one JSON object a turn, and nothing else on stdout')
    .option('--record-models <file>', 'record every call of a model to a new file')
    .option('--replay-models <file>', 'answer from such a file, without key or network')
    .addHelpText('after', AFTERWORD)
    .action(async (words: readonly string[], _: unknown, called: Command) => {
      const options = called.optsWithGlobals<ChatOptions>()
      finish(await onTape(options, (models) => chat(words.join(' ').trim(), options, models)))
    })
}

async function chat(
  message: string,
  options: ChatOptions,
  models: Pick<Parameters<typeof makeAgent>[1], 'registry'>,
): Promise<ExitStatus> {
  const { json = false, approve, resume } = options
  const inTerminal = !json && process.stdin.isTTY && process.stdout.isTTY
  const speaker = await makeAgent(options, { ...models, canAsk: inTerminal })
  const session = resume === undefined ? undefined : resumeSession(resume, speaker.agent)
  const talk = new Talk(speaker, session)
  const face = inTerminal
    ? new TerminalFace(new LinePrompt(), approve)
    : plainFace({ json, approve })
  if (message !== '') return statusOf(await talk.take(message, face))
  return statusOf(
    inTerminal ? await talkInTerminal(talk, approve) : await talkThroughPipe(talk, face),
  )
}

const statusOf = (last: { readonly reason: string } | undefined): ExitStatus =>
  last === undefined || last.reason === 'stop' ? EXIT.success : EXIT.unverified
