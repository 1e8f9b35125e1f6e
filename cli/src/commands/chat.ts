import { Command, Option } from 'commander'
import pc from 'picocolors'
import { EchelonError } from 'echelon/runtime'
import type { RunSummary } from '@echelon/store'
import type { AgentChoice } from '../chat/agent-choice.ts'
import { chatServers } from '../chat/chat-servers.ts'
import { CHAT_COMMANDS } from '../chat/commands.ts'
import { CHAT, choiceGoingOn, type Continued, findContinued } from '../chat/continued.ts'
import { conversationsOf, describeConversations } from '../chat/conversations.ts'
import { chatFace } from '../chat/face.ts'
import { makeAgent, type Speaker, type Surroundings } from '../chat/make-agent.ts'
import { type Kept, readKept } from '../chat/session-file.ts'
import { Talk } from '../chat/talk.ts'
import { namesOf } from '../conversation/commands.ts'
import { converse, statusOf } from '../conversation/converse.ts'
import type { Display, Ended } from '../conversation/display.ts'
import { openDisplay } from '../conversation/open-display.ts'
import { inOwnWords, retold } from '../conversation/own-words.ts'
import { clean, cut, widthOf } from '../terminal/clean.ts'
import { type OpenedFacts, factsAt, hasFacts } from '../memory/facts.ts'
import { learnFrom } from '../memory/learn.ts'
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
Commands in the chat, in piped input, and as the message: ${namesOf(CHAT_COMMANDS).join(', ')}. /help explains them.

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
  readonly url?: string
  readonly token?: string
  readonly agent?: string
  readonly memory: string
  readonly remember?: true
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
      '--knowledge <place>',
      'documents to look things up in: a file, or the word database; default: .echelon/knowledge.db, if it exists',
    )
    .option('--no-knowledge', 'look nothing up')
    .option('--memory <folder>', 'folder of the facts about you', 'memory')
    .option('--remember', 'learn facts about you from what you say; memory shows and changes them')
    .option('--max-iterations <number>', 'limit of model calls in a turn; default: 50', atLeastOne)
    .option('--max-seconds <number>', 'time limit of a turn; default: none', positive)
    .option('--max-cost <dollars>', 'cost limit of a turn in US dollars; default: none', positive)
    .option('--artifacts <folder>', 'folder for plots; default: artifacts')
    .option('--continue [conversation]', 'continue the last conversation, or the one with this id')
    .option('--url <url>', 'talk to an agent of a server, such as http://127.0.0.1:3000')
    .option('--token <token>', 'token for that server; default: ECHELON_SERVER_TOKEN')
    .option('--agent <name>', 'agent of that server; default: chat')
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
      finish(await chatOf(io, words, called.optsWithGlobals<ChatOptions>()))
    })
}

async function chatOf(io: Io, words: readonly string[], given: ChatOptions): Promise<ExitStatus> {
  checkWrittenFiles(given)
  // The option takes the next word; a value with spaces is the message.
  const { continue: taken } = given
  const isSaid = typeof taken === 'string' && /\s/.test(taken)
  const options = isSaid ? { ...given, continue: true as const } : given
  if (options.list === true) return await listConversations(io, options)
  const message = [...(isSaid ? [taken] : []), ...words].join(' ').trim()
  const { url } = options
  if (url !== undefined) {
    const { remoteChat } = await import('../chat/remote-talk.ts')
    return await remoteChat(io, message, { ...options, url })
  }
  if (options.token !== undefined || options.agent !== undefined) {
    throw usage('--token and --agent belong to a server; name it with --url')
  }
  return await withTraces(io, options, (traced) =>
    onTape(io, options, (models) => chat(io, message, options, { ...models, ...traced })),
  )
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
  const display = openDisplay(io, asked)
  const store = await storeFor(io, asked, (sentence) => display.complain(sentence))
  const about = { message, given, store }
  try {
    if (asked.continue === undefined) {
      return await converseWith(io, { ...about, options: asked, approve: asked.approve, display })
    }
    if (store === undefined) throw usage('--continue needs what is kept; leave out --no-store')
    const continued = await findContinued(store, asked.continue)
    const { made } = continued
    const options = made === undefined ? asked : choiceGoingOn(made, asked)
    // On a terminal the user is asked, even if the conversation was begun with --approve.
    const now = display.isTerminal
      ? { display, approve: asked.approve }
      : { display: openDisplay(io, options), approve: options.approve }
    return await converseWith(io, { ...about, ...now, options, continued })
  } finally {
    await store?.close()
  }
}

type Given = Pick<Surroundings, 'registry' | 'tracing'>

interface Conversing {
  readonly message: string
  readonly options: ChatOptions
  /** The answer to approvals in this process. */
  readonly approve: ChatOptions['approve']
  readonly given: Given
  readonly display: Display
  readonly store: OpenedStore | undefined
  readonly continued?: Continued
}

async function converseWith(io: Io, about: Conversing): Promise<ExitStatus> {
  const { options, approve, given, display, store, continued } = about
  const { resume } = options
  let isUnasked = false
  const unasked = (tool: string): void => {
    isUnasked = true
    display.complain(
      `${clean(tool)} is not approved: nobody can be asked here; --approve always allows it, --approve later leaves it open`,
    )
  }
  const kept = resume === undefined ? undefined : readKept(resume)
  const recorder =
    options.record === undefined ? undefined : new ChatRecorder(options.record, options, kept)
  await using servers = await chatServers(io, options, display)
  await using opened = await factsOf(options)
  const facts = opened?.facts
  try {
    const canAsk = display.isTerminal
    const speaker = await speakerOf(io, options, kept, {
      ...given,
      store,
      facts,
      moreTools: servers.tools,
      canAsk: canAsk || approve === 'later',
      ...(!canAsk && approve === undefined && { unasked }),
      ...(recorder && {
        world: (made, brought) => recorder.begin(made, { canAsk, approve, brought }),
      }),
    })
    const session = kept
      ? await speaker.bring(kept.checkpoint)
      : await speaker.openSession(continued?.session)
    const talk = new Talk({
      io,
      display,
      speaker,
      session,
      isResumed: kept !== undefined || continued !== undefined,
      suspends: approve === 'later',
      recording: recorder?.recording,
      baseUrl: options.baseUrl,
      facts,
    })
    const ended = await endOf(io, talk, about)
    if (options.remember) await learnFrom(io, facts, talk.said)
    if (ended === 'waiting') {
      return await sayWaiting(io, talk.waiting ?? continued?.unfinished?.id ?? '', about)
    }
    return isUnasked ? EXIT.unverified : statusOf(ended)
  } finally {
    const problem = recorder?.recording?.close()
    if (problem !== undefined) display.complain(problem)
  }
}

/** Facts that were learned before are used, too. A recording holds none: it is to be replayed elsewhere. */
const factsOf = async ({
  memory,
  remember,
  record,
}: ChatOptions): Promise<OpenedFacts | undefined> =>
  record === undefined && (remember || hasFacts(memory)) ? await factsAt(memory) : undefined

/** Finishes the turn that was left, then holds the conversation. */
async function endOf(
  io: Io,
  talk: Talk,
  { message, approve, display, continued }: Conversing,
): Promise<Ended | undefined> {
  const { unfinished } = continued ?? {}
  if (unfinished !== undefined) {
    const isMute = !display.isTerminal && approve === undefined
    const ended =
      isMute && unfinished.requests.length > 0 ? 'waiting' : await finishTurn(io, talk, unfinished)
    if (ended === 'waiting' && message !== '') display.complain(NOT_TAKEN)
    if (ended === 'waiting' || (message === '' && !display.isTerminal)) return ended
  }
  // A turn that was just finished is on the screen already.
  const showsLast = talk.isResumed && unfinished === undefined
  return await converse(io, display, chatFace(talk, showsLast), message)
}

function finishTurn(io: Io, talk: Talk, { id, input }: RunSummary): Promise<Ended> {
  const said = cut(clean(inputOf(input)), 60)
  io.stderr.write(`${pc.dim(`goes on with the turn that was left: ${said}`)}\n`)
  return talk.goOn(id)
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

/** Opens the store, except for a recording, which holds its conversation itself. */
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

/** Creates the agent with the named model or that of the conversation, and words its errors for the command line. */
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

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
