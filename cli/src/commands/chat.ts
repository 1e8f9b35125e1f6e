import { Command, Option } from 'commander'
import pc from 'picocolors'
import { EchelonError } from 'echelon'
import type { ChatEnd } from 'echelon/chat'
import { COMMAND_NAMES } from '../chat/commands.ts'
import { talkInTerminal } from '../chat/in-terminal.ts'
import { LinePrompt } from '../chat/line-prompt.ts'
import { type AgentChoice, makeAgent, type Speaker } from '../chat/make-agent.ts'
import { type Approve, plainFace } from '../chat/plain-face.ts'
import { type Kept, readKept } from '../chat/session-file.ts'
import { inOwnWords, retold } from '../chat/own-words.ts'
import { type Face, Talk } from '../chat/talk.ts'
import { TerminalFace } from '../chat/terminal-face.ts'
import { talkThroughPipe } from '../chat/through-pipe.ts'
import { clean } from '../clean.ts'
import { ChatRecorder } from '../record/chat-recorder.ts'
import { type ConnectedServers, connectServers, NO_SERVERS } from '../mcp/connect-servers.ts'
import { serversPath } from '../mcp/servers-file.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { withLog } from '../run-log.ts'
import { onTape, type TapeOptions } from '../model-tape.ts'
import { withRecords } from '../model-options.ts'
import { type OtelOptions, withOtel, withTraces } from '../otel.ts'
import { atLeastOne, commaList, positive, several } from '../option-values.ts'
import { checkWrittenFiles } from '../written-files.ts'

const AFTERWORD = `
In the chat, and in a pipe: ${COMMAND_NAMES.join(', ')}; /help says what each does.

Exit status: 0 when the last turn was answered, 1 when it was not or nobody could be asked to
approve a tool, 2 bad usage or configuration.`

interface ChatOptions extends AgentChoice, Omit<TapeOptions, 'replayModels'>, OtelOptions {
  readonly json?: true
  readonly approve?: Approve
  readonly resume?: string
  readonly record?: string
}

/** `echelon chat [MESSAGE]`: a conversation with an agent and its tools. */
export function chatCommand(finish: (status: ExitStatus) => void): Command {
  return withLog(withRecords(withOtel(new Command('chat'))))
    .description('talk with an agent that has tools; a message or a pipe is answered and ends')
    .argument('[message...]', 'what to say; without it the terminal, or each line of a pipe')
    .option('--model <model>', 'who answers, as provider/model')
    .option('--base-url <url>', 'server of that model; key of openai-compatible: ECHELON_API_KEY')
    .option('--instructions <text>', 'what the agent is to go by')
    .option('--tools <names>', 'which tools it has, with commas; default all', commaList)
    .option('--no-tools', 'it has none')
    .option('--ask <names>', 'tools that ask before they run, with commas, or all', commaList)
    .addOption(
      new Option('--approve <answer>', 'the answer wherever a tool asks').choices([
        'always',
        'never',
      ]),
    )
    .option('--skills <folder>', 'skills that it may open; may be given several times', several)
    .option('--skill-scripts', 'their JavaScript may be run, each time you approve it')
    .option('--max-iterations <number>', 'model calls of a turn; default 50', atLeastOne)
    .option('--max-seconds <number>', 'time of a turn; no limit by default', positive)
    .option('--max-cost <dollars>', 'US dollars of a turn; no limit by default', positive)
    .option('--artifacts <folder>', 'where plots go; default artifacts')
    .option('--resume <file>', 'go on with a conversation that /save kept')
    .option('--json', 'print one JSON object a turn, and nothing else on stdout')
    .option('--record <file>', 'record the whole conversation to a new file, for echelon replay')
    .option('--record-models <file>', 'record every call of a model to a new file')
    .option('--replay-models <file>', 'answer from such a file, without key or network')
    .addHelpText('after', AFTERWORD)
    .action(async (words: readonly string[], _: unknown, called: Command) => {
      const options = called.optsWithGlobals<ChatOptions>()
      checkWrittenFiles(options)
      const message = words.join(' ').trim()
      const status = await withTraces(options, (traced) =>
        onTape(options, (models) => chat(message, options, { ...models, ...traced })),
      )
      finish(status)
    })
}

async function chat(
  message: string,
  options: ChatOptions,
  given: Pick<Parameters<typeof makeAgent>[1], 'registry' | 'tracing'>,
): Promise<ExitStatus> {
  const { json = false, approve, resume } = options
  const inTerminal = !json && isTerminal(process.stdin) && isTerminal(process.stdout)
  const face = inTerminal
    ? new TerminalFace(new LinePrompt(), approve)
    : plainFace({ json, approve })
  let isUnasked = false
  const unasked = (tool: string): void => {
    isUnasked = true
    face.complain(
      `${clean(tool)} is not approved: nobody can be asked here; --approve always allows it`,
    )
  }
  const kept = resume === undefined ? undefined : readKept(resume)
  const recorder =
    options.record === undefined ? undefined : new ChatRecorder(options.record, options, kept)
  await using servers = await serversOf(options, face)
  try {
    const speaker = await speakerOf(options, kept, {
      ...given,
      moreTools: servers.tools,
      canAsk: inTerminal,
      ...(!inTerminal && approve === undefined && { unasked }),
      ...(recorder && {
        world: (made, brought) => recorder.begin(made, { canAsk: inTerminal, approve, brought }),
      }),
    })
    const talk = new Talk(
      speaker,
      kept && speaker.agent.restoreSession(kept.checkpoint, { trusted: true }),
    )
    talk.recording = recorder?.recording
    talk.baseUrl = options.baseUrl
    const last = await talkOf(talk)
    return isUnasked ? EXIT.unverified : statusOf(last)
  } finally {
    const problem = recorder?.recording?.close()
    if (problem !== undefined) face.complain(problem)
  }

  function talkOf(talk: Talk): Promise<Pick<ChatEnd<unknown>, 'reason'> | undefined> {
    if (message !== '') return talk.take(message, face)
    return inTerminal ? talkInTerminal(talk, approve) : talkThroughPipe(talk, face)
  }
}

/** What is no terminal has no such field at all. */
const isTerminal = ({ isTTY = false }: { readonly isTTY?: boolean }): boolean => isTTY
/** The MCP servers of the project, unless no tools are wanted. */
function serversOf(options: ChatOptions, face: Face): Promise<ConnectedServers> {
  const complain = (line: string): void => face.complain(clean(line))
  const note = (line: string): void => void process.stderr.write(`${pc.dim(clean(line))}\n`)
  if (options.tools === false) return Promise.resolve(NO_SERVERS)
  return connectServers(serversPath(options), { note, complain })
}

/** The agent, with the model that is named, or that a conversation was had with; as it is typed here. */
async function speakerOf(
  options: ChatOptions,
  kept: Kept | undefined,
  surroundings: Parameters<typeof makeAgent>[1],
): Promise<Speaker> {
  const model = options.model ?? kept?.model
  try {
    return await makeAgent(model === undefined ? options : { ...options, model }, surroundings)
  } catch (error) {
    if (!(error instanceof EchelonError) || model === undefined) throw error
    const isKept = options.model === undefined && kept !== undefined
    const name = isKept ? `the model of ${kept.path}` : '--model'
    const said = inOwnWords(error.message).replace(/\bmodels\.small_model\b/, name)
    throw retold(error, isKept ? `${said}; or name another with --model` : said)
  }
}

const statusOf = (last: { readonly reason: string } | undefined): ExitStatus =>
  last === undefined || last.reason === 'stop' ? EXIT.success : EXIT.unverified
