import { Command, Option } from 'commander'
import pc from 'picocolors'
import { EchelonError } from 'echelon/runtime'
import { chatServers } from '../chat/chat-servers.ts'
import { COMMAND_NAMES, runCommand } from '../chat/commands.ts'
import { CHAT, choiceGoingOn, type Continued, findContinued } from '../chat/continued.ts'
import { conversationsOf, describeConversations } from '../chat/conversations.ts'
import { type Ended, talkInTerminal } from '../chat/terminal/in-terminal.ts'
import { LinePrompt } from '../chat/terminal/line-prompt.ts'
import type { AgentChoice } from '../chat/agent-choice.ts'
import { makeAgent, type Speaker, type Surroundings } from '../chat/make-agent.ts'
import { plainFace } from '../chat/terminal/plain-face.ts'
import { type Kept, readKept } from '../chat/session-file.ts'
import { inOwnWords, retold } from '../chat/own-words.ts'
import { type Face, Talk, type TurnEnd } from '../chat/talk.ts'
import { TerminalFace } from '../chat/terminal/terminal-face.ts'
import { talkThroughPipe } from '../chat/terminal/through-pipe.ts'
import { clean, cut, widthOf } from '../terminal/clean.ts'
import { readConfig } from '../configuration.ts'
import { ChatRecorder } from '../record/chat-recorder.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { withLog } from '../run/run-log.ts'
import { onTape, type TapeOptions } from '../run/model-tape.ts'
import { withRecords } from '../run/model-options.ts'
import { type OtelOptions, withOtel, withTraces } from '../otel.ts'
import { atLeastOne, commaList, positive, several } from '../option-values.ts'
import { inputOf } from '../replay/picture.ts'
import { waitingLines } from '../runs/say-waiting.ts'
import {
  keepStore,
  NOT_BOTH,
  type OpenedStore,
  type StoreChoice,
  storeThere,
  withStore,
} from '../store/keep-store.ts'
import { checkWrittenFiles } from '../written-files.ts'
import { STARTED_AS } from '../started-as.ts'
import type { Io } from '../io.ts'

const AFTERWORD = `
Commands in the chat and in piped input: ${COMMAND_NAMES.join(', ')}. /help explains them.

Exit status: 0 when the last turn was answered, 1 when it was not or no one could be asked to
approve a tool, 2 bad usage or configuration, 3 when it waits for an answer (--approve later, or
SIGTERM at a question), 143 when SIGTERM ended it, 129 when its terminal was closed.`

interface ChatOptions
  extends AgentChoice, Omit<TapeOptions, 'replayModels'>, OtelOptions, StoreChoice {
  readonly json?: true
  readonly resume?: string
  readonly continue?: string | true
  readonly record?: string
  readonly list?: true
}

/** `echelon chat [MESSAGE]`: a conversation with an agent and its tools. */
export function chatCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return withLog(withStore(withRecords(withOtel(new Command('chat')))))
    .description('chat with an agent that has tools; answers a message or piped input, then exits')
    .argument(
      '[message...]',
      'the message; if omitted, messages come from the terminal or piped lines',
    )
    .option('--model <model>', 'model that answers, as provider/model')
    .option(
      '--base-url <url>',
      'server of that model; openai-compatible reads its key from ECHELON_API_KEY',
    )
    .option('--instructions <text>', 'instructions for the agent')
    .option('--tools <names>', 'tools of the agent, comma-separated; default: all', commaList)
    .option('--no-tools', 'give the agent no tools')
    .option('--ask <names>', 'tools that need approval, comma-separated, or all', commaList)
    .addOption(
      new Option('--approve <answer>', 'answer to every approval request').choices([
        'always',
        'never',
        'later',
      ]),
    )
    .option('--skills <folder>', 'skills that the agent may open; repeatable', several)
    .option('--skill-scripts', 'allow JavaScript of skills; each script run needs approval')
    .option(
      '--knowledge <file>',
      'documents to look things up in; default: .echelon/knowledge.db, if it exists',
    )
    .option('--no-knowledge', 'look nothing up')
    .option('--max-iterations <number>', 'limit of model calls in a turn; default: 50', atLeastOne)
    .option('--max-seconds <number>', 'time limit of a turn; default: none', positive)
    .option('--max-cost <dollars>', 'cost limit of a turn in US dollars; default: none', positive)
    .option('--artifacts <folder>', 'folder for plots; default: artifacts')
    .option('--continue [conversation]', 'continue the last conversation, or the one with this id')
    .option('--list', 'list the stored conversations, then exit')
    .option('--resume <file>', 'continue a conversation from a file written by /save')
    .option('--json', 'print only one JSON object per turn on stdout')
    .option(
      '--record <file>',
      `record the whole conversation to a new file, for ${STARTED_AS} replay`,
    )
    .option('--record-models <file>', 'record every model call to a new file')
    .option('--replay-models <file>', 'answer from a --record-models file, without key or network')
    .addHelpText('after', AFTERWORD)
    .action(async (words: readonly string[], _: unknown, called: Command) => {
      const given = called.optsWithGlobals<ChatOptions>()
      checkWrittenFiles(given)
      // The option takes the next word, and what has several of them is no id.
      const { continue: taken } = given
      const isSaid = typeof taken === 'string' && /\s/.test(taken)
      const options = isSaid ? { ...given, continue: true as const } : given
      if (options.list === true) return finish(await listConversations(io, options))
      const message = [...(isSaid ? [taken] : []), ...words].join(' ').trim()
      const status = await withTraces(io, options, (traced) =>
        onTape(io, options, (models) => chat(io, message, options, { ...models, ...traced })),
      )
      finish(status)
    })
}

async function listConversations(io: Io, options: ChatOptions): Promise<ExitStatus> {
  const { store: named, json } = options
  if (named === false) throw usage('--list lists what is kept; leave out --no-store')
  const config = await readConfig(io, options)
  const store = await storeThere(named === undefined ? {} : { store: named }, config)
  try {
    const all = store === undefined ? [] : await conversationsOf(store, CHAT)
    const columns = widthOf(io.stdout, 120)
    const shown = json ? JSON.stringify(all, null, 2) : describeConversations(all, { columns })
    io.stdout.write(`${shown}\n`)
    return all.some(({ isDamaged }) => isDamaged) ? EXIT.unverified : EXIT.success
  } finally {
    await store?.close()
  }
}

async function chat(
  io: Io,
  message: string,
  asked: ChatOptions,
  given: Given,
): Promise<ExitStatus> {
  const inTerminal = !(asked.json ?? false) && isTerminal(io.stdin) && isTerminal(io.stdout)
  const face = faceFor(io, asked, inTerminal)
  const about = { message, given, inTerminal }
  const store = await storeFor(io, asked, (sentence) => face.complain(sentence))
  try {
    if (asked.continue === undefined) {
      return await converse(io, { ...about, options: asked, approve: asked.approve, face, store })
    }
    if (store === undefined) throw usage('--continue needs what is kept; leave out --no-store')
    const continued = await findContinued(store, asked.continue)
    const { made } = continued
    const options = made === undefined ? asked : choiceGoingOn(made, asked)
    // Who sits here is asked, also where it was to wait before.
    const now = inTerminal
      ? { face, approve: asked.approve }
      : { face: faceFor(io, options, inTerminal), approve: options.approve }
    return await converse(io, { ...about, ...now, options, store, continued })
  } finally {
    await store?.close()
  }
}

type Given = Pick<Surroundings, 'registry' | 'tracing'>

interface Conversing {
  readonly message: string
  readonly options: ChatOptions
  /** What holds here and now. */
  readonly approve: ChatOptions['approve']
  readonly given: Given
  readonly inTerminal: boolean
  readonly face: Face
  readonly store: OpenedStore | undefined
  readonly continued?: Continued
}

async function converse(io: Io, about: Conversing): Promise<ExitStatus> {
  const { options, approve, given, inTerminal, face, store, continued } = about
  const { resume } = options
  let isUnasked = false
  const unasked = (tool: string): void => {
    isUnasked = true
    face.complain(
      `${clean(tool)} is not approved: nobody can be asked here; --approve always allows it, --approve later leaves it open`,
    )
  }
  const kept = resume === undefined ? undefined : readKept(resume)
  const recorder =
    options.record === undefined ? undefined : new ChatRecorder(options.record, options, kept)
  await using servers = await chatServers(io, options, face)
  try {
    const speaker = await speakerOf(io, options, kept, {
      ...given,
      store,
      moreTools: servers.tools,
      canAsk: inTerminal || approve === 'later',
      ...(!inTerminal && approve === undefined && { unasked }),
      ...(recorder && {
        world: (made, brought) => recorder.begin(made, { canAsk: inTerminal, approve, brought }),
      }),
    })
    const session = kept
      ? await speaker.bring(kept.checkpoint)
      : await speaker.openSession(continued?.session)
    const isResumed = kept !== undefined || continued !== undefined
    const talk = new Talk(io, speaker, session, { isResumed, letsGo: approve === 'later' })
    talk.recording = recorder?.recording
    talk.baseUrl = options.baseUrl
    const last = await talkOf(io, talk, about)
    if (last !== undefined && 'run' in last) return await sayWaiting(io, last.run, about)
    return isUnasked ? EXIT.unverified : statusOf(last)
  } finally {
    const problem = recorder?.recording?.close()
    if (problem !== undefined) face.complain(problem)
  }
}

/** What is left of a turn comes first. */
async function talkOf(
  io: Io,
  talk: Talk,
  { message, approve, inTerminal, face, continued }: Conversing,
): Promise<Ended | undefined> {
  const { unfinished } = continued ?? {}
  if (unfinished !== undefined) {
    // Nobody can be asked here, which is no answer: what waits goes on waiting.
    if (!inTerminal && approve === undefined && unfinished.requests.length > 0) {
      if (message !== '') face.complain(NOT_TAKEN)
      return { reason: 'waits', run: unfinished.id }
    }
    const said = cut(clean(inputOf(unfinished.input)), 60)
    io.stderr.write(`${pc.dim(`goes on with the turn that was left: ${said}`)}\n`)
    const left = await talk.goOn(unfinished.id, face)
    if ('run' in left && message !== '') {
      face.complain(NOT_TAKEN)
    }
    if ('run' in left || (message === '' && !inTerminal)) return left
  }
  if (message !== '') return talk.take(message, face)
  // A turn that went on just now stands on the screen already.
  if (inTerminal)
    return talkInTerminal(io, talk, approve, talk.isResumed && unfinished === undefined)
  return talkThroughPipe<TurnEnd>(io, {
    command: (line) => runCommand(line, talk, face),
    take: (said) => talk.take(said, face),
    // Nothing more can be said while the turn before waits.
    isLast: ({ reason }) => reason === 'canceled' || reason === 'waits',
  })
}

const NOT_TAKEN = 'what you said now was not taken: the turn before it waits for its answer'

async function sayWaiting(
  io: Io,
  id: string,
  { options, store }: Pick<Conversing, 'options' | 'store'>,
): Promise<ExitStatus> {
  const run = await store?.runs.find(id)
  if (run === undefined) return EXIT.waiting
  for (const line of waitingLines(run)) io.stderr.write(`${line}\n`)
  if (options.json === true) {
    io.stdout.write(`${JSON.stringify({ reason: 'waits', run: id })}\n`)
  }
  return EXIT.waiting
}

function faceFor(io: Io, { json, approve }: ChatOptions, inTerminal: boolean): Face {
  return inTerminal
    ? new TerminalFace(io, new LinePrompt(io), approve)
    : plainFace(io, { json: json === true, approve })
}

/** A recording is whole by itself, and holds its conversation already. */
async function storeFor(
  io: Io,
  options: ChatOptions,
  say: (sentence: string) => void,
): Promise<OpenedStore | undefined> {
  const { record, replayModels, store, approve } = options
  const isTape = (record ?? replayModels) !== undefined
  if (isTape && typeof store === 'string') throw usage(NOT_BOTH)
  const kept = isTape ? undefined : await keepStore(options, await readConfig(io, options), say)
  if (kept !== undefined || approve !== 'later') return kept
  throw usage('--approve later needs a place to wait in; leave out --no-store and --record')
}

/** What is no terminal has no such field at all. */
const isTerminal = ({ isTTY = false }: { readonly isTTY?: boolean }): boolean => isTTY

/** The agent, with the model that is named, or that a conversation was had with; as it is typed here. */
async function speakerOf(
  io: Io,
  options: ChatOptions,
  kept: Kept | undefined,
  surroundings: Surroundings,
): Promise<Speaker> {
  const model = options.model ?? kept?.model
  try {
    return await makeAgent(io, model === undefined ? options : { ...options, model }, surroundings)
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

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
