import type {
  Actors,
  AgentDefinition,
  Meter,
  Moved,
  Note,
  StartContext,
  TurnShape,
} from '../../core/agent.ts'
import type { CallTools, Effect, Finish, Generate, Sampling } from '../../core/effect.ts'
import { EchelonError } from '../../core/error.ts'
import { withheldBy } from '../../core/model-failed.ts'
import type { Generated, Observation } from '../../core/observation.ts'
import type { Problem } from '../../core/problem.ts'
import { type Message, systemMessage, Thread, userMessage } from '../../core/thread.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool.ts'
import { answerOf, callsOf } from './answer.ts'
import { BoundedResults, type OriginOf, RESULT_READ } from './bounded-results.ts'
import { CHAT_TURNS, type ChatInput, type ChatResult, saidIn } from './chat-input.ts'
import type { ChatState } from './chat-state.ts'
import { loadChatState } from './load-state.ts'
import { isText } from './message-check.ts'
import { type OutputFormat, repairRequest } from './output-format.ts'
import { notRun, toolResults } from './tool-results.ts'

/** The role that the agent's model plays. */
export const MAIN = 'main'

/** Raised when the state's shape or a decision changes. */
export const CHAT_VERSION = 1

const DEFAULT_MAX_ITERATIONS = 50
const DEFAULT_PARALLEL_TOOLS = 8

/** What an agent of this kind is. */
export interface ChatSettings {
  readonly name: string
  readonly instructions?: string
  /** Names of the tools that it may call. */
  readonly tools?: readonly string[]
  /** Model calls of one turn. Default 50. */
  readonly maxIterations?: number
  /** What happens when they are used up and the model wants to go on. Default `end`. */
  readonly atLimit?: 'end' | 'ask'
  /** How many tools may run at the same time. Default 8. */
  readonly maxParallelTools?: number
  /**
   * Characters of one tool result, as JSON text, that the model is sent. Of a longer one it is sent
   * beginning and end, and may read the rest in pieces by the tool `result_read`, which is offered
   * only then; the conversation keeps it whole. Default 50,000; at least 200.
   */
  readonly maxResultChars?: number
  /** Of one whole model call, in milliseconds. Default: `modelTimeouts`, and the run's own time. */
  readonly timeoutMs?: number
  readonly maxTokens?: number
  readonly sampling?: Sampling
  /** What the answer is to be. Default: text. */
  readonly output?: OutputFormat
}

/** What all runs of one agent have in common, worked out once. */
interface ChatConfig {
  readonly name: string
  readonly actors: Actors
  readonly system: Message | undefined
  readonly tools: ReadonlySet<string>
  readonly asked: Omit<Generate, 'messages'>
  /** The same where a result was cut. */
  readonly askedWithReader: Omit<Generate, 'messages'>
  readonly results: BoundedResults
  readonly atOnce: number
  readonly most: number
  readonly asksForMore: boolean
  readonly output: OutputFormat | undefined
}

/**
 * The plain agent: the model answers or asks for tools, their results go back to it, until it has
 * answered. Pure; one object may serve any number of runs at the same time.
 */
export class ChatDefinition implements AgentDefinition<ChatInput, ChatState, ChatResult> {
  readonly #config: ChatConfig

  /** @throws EchelonError INVALID_CONFIG for a number that cannot work */
  constructor(settings: ChatSettings, originOf?: OriginOf) {
    this.#config = configOf(settings, originOf)
  }

  get name(): string {
    return this.#config.name
  }

  get version(): number {
    return CHAT_VERSION
  }

  get actors(): Actors {
    return this.#config.actors
  }

  get turns(): TurnShape<ChatInput, ChatResult> {
    return CHAT_TURNS
  }

  start(input: ChatInput, { history }: StartContext): Moved<ChatState> {
    const { system, most } = this.#config
    const turn = typeof input === 'string' ? undefined : input
    const own = turn?.instructions === undefined ? system : systemMessage(turn.instructions)
    const messages = begun(history, own, saidIn(input, history.length))
    // A conversation that was told otherwise is another one to the provider too.
    const continues = messages.extends(history) ? (turn?.continues ?? null) : null
    const state: ChatState = {
      messages,
      pending: NO_CALLS,
      iterations: 0,
      most: turn?.maxIterations ?? most,
      asking: false,
      repaired: false,
      text: '',
      continues,
      ended: null,
    }
    return { state }
  }

  next(state: ChatState): Effect | Finish<ChatResult> {
    if (state.ended !== null) return state.ended
    if (state.asking) return askForMore(state.iterations)
    if (state.pending.length > 0) return this.#callTools(state.pending)
    const { results } = this.#config
    const { messages, isCut } = results.sent(state.messages)
    const asked = isCut ? this.#config.askedWithReader : this.#config.asked
    return state.continues === null
      ? { ...asked, messages }
      : { ...asked, messages, continues: state.continues }
  }

  observe(state: ChatState, seen: Observation, _meter: Meter): Moved<ChatState> {
    switch (seen.type) {
      case 'generated':
        return this.#answered(state, seen)
      case 'tools-called':
        return told(state, toolResults(state.pending, this.#readBack(state, seen.outcomes)))
      case 'heard':
        return heard(state, seen.text, this.#config.most)
      case 'answered':
        return seen.reply === true
          ? { state: withMore(state, this.#config.most) }
          : atLimit(state, state.messages)
      case 'unanswered':
        return atLimit(state, state.messages)
      case 'refused':
        return stopped(state, `${seen.by}:${seen.limit}`, seen.message)
      case 'failed':
        return isForgotten(state, seen.error)
          ? { state: { ...state, continues: null }, notes: FORGOTTEN }
          : withProblem(stopped(state, seen.error.code, seen.error.message), seen.error)
      case 'canceled':
        return stopped(state, 'canceled', 'the run was canceled')
      case 'said':
      case 'woke':
      case 'recalled':
      case 'remembered':
      case 'together':
        throw new EchelonError('INVALID_DEFINITION', `${this.name} asked for no ${seen.type}`)
    }
  }

  transcript(state: ChatState): readonly Message[] {
    return state.messages.toArray()
  }

  load(snapshot: unknown): ChatState {
    return loadChatState(snapshot)
  }

  #answered(state: ChatState, seen: Generated): Moved<ChatState> {
    const calls = callsOf(seen)
    const content = answerOf(seen, calls)
    const messages =
      content.length === 0 ? state.messages : state.messages.add({ role: 'assistant', content })
    const { conversation: id, model, text } = seen
    const learned: ChatState = {
      messages,
      pending: calls,
      iterations: state.iterations + 1,
      most: state.most,
      asking: false,
      repaired: state.repaired,
      text,
      continues: id === undefined ? null : { model, id, from: messages.length },
      ended: null,
    }
    if (seen.finish === 'length') return stopped(learned, 'length', CUT_OFF)
    if (seen.finish === 'filter') {
      const withheld = withheldBy(model)
      return withProblem(stopped(learned, 'filter', withheld.message), withheld)
    }
    if (calls.length === 0) return this.#said(learned)
    if (learned.iterations >= learned.most) {
      return this.#config.asksForMore
        ? { state: { ...learned, asking: true } }
        : atLimit(learned, messages)
    }
    return calls.some(this.#isKnown)
      ? { state: learned }
      : told(learned, toolResults(calls, this.#outcomes(calls, [])))
  }

  /** An answer that is to be an object and does not fit may be repaired once. */
  #said(state: ChatState): Moved<ChatState> {
    const { output } = this.#config
    const read = output?.read(state.text)
    if (output === undefined || read === undefined || read.ok) return ended(state, 'stop', null)
    const canRepair = !state.repaired && state.iterations < state.most
    const notes: readonly Note[] = [{ stage: 'output-mismatch', data: { repairs: canRepair } }]
    if (!canRepair) return { ...stopped(state, MISMATCH, read.message), notes }
    const messages = state.messages.add(userMessage(repairRequest(read.message, output)))
    return { state: { ...state, messages, repaired: true }, notes }
  }

  /** A call for a tool that there is not is the model's slip, and no more: it is told. */
  #callTools(pending: readonly ToolCall[]): CallTools {
    const { atOnce } = this.#config
    const calls = pending.every(this.#isKnown) ? pending : pending.filter(this.#isKnown)
    return { type: 'call-tools', actor: 'agent', calls, atOnce }
  }

  readonly #isKnown = ({ tool }: ToolCall): boolean =>
    this.#config.tools.has(tool) || tool === RESULT_READ

  /** What was asked for by `result_read` stands in the conversation. */
  #readBack(
    { pending, messages }: ChatState,
    known: readonly ToolOutcome[],
  ): readonly ToolOutcome[] {
    const outcomes = this.#outcomes(pending, known)
    if (!pending.some(({ tool }) => tool === RESULT_READ)) return outcomes
    return outcomes.map((outcome, index) =>
      pending[index]?.tool === RESULT_READ && outcome.type === 'ok'
        ? this.#config.results.read(messages, outcome.value)
        : outcome,
    )
  }

  #outcomes(pending: readonly ToolCall[], known: readonly ToolOutcome[]): readonly ToolOutcome[] {
    if (known.length === pending.length) return known
    const { tools } = this.#config
    const rest = known.values()
    return pending.map((call) =>
      this.#isKnown(call) ? (rest.next().value ?? LOST) : unknownTool(call.tool, tools),
    )
  }
}

const NO_CALLS: readonly ToolCall[] = []

/** The reason of a turn whose answer fits its schema as little after the repair as before. */
const MISMATCH = 'invalid-output'

/**
 * Whether the provider may have forgotten the conversation that was gone on with: then all of it is
 * sent. That happens once, since what is sent then goes on with nothing.
 */
const isForgotten = ({ continues, pending }: ChatState, { code }: Problem): boolean =>
  continues !== null && pending.length === 0 && code === 'not-found'

const FORGOTTEN: readonly Note[] = [{ stage: 'conversation-forgotten', data: {} }]

const CUT_OFF = 'the answer was cut off at the most tokens that it may have'

const LOST: ToolOutcome = {
  type: 'error',
  code: 'TOOL_ERROR',
  message: 'nothing came of the call',
}

function unknownTool(tool: string, tools: ReadonlySet<string>): ToolOutcome {
  const message = `there is no tool ${tool}; there are ${[...tools].join(', ') || 'none'}`
  return { type: 'error', code: 'UNKNOWN_TOOL', message }
}

/** The history goes on as it is, unless its instructions are others than those of now. */
function begun(history: Thread, system: Message | undefined, said: readonly Message[]): Thread {
  const first = history.at(0)
  if (first === undefined) return Thread.of(system === undefined ? said : [system, ...said])
  if (system === undefined || first === system || first.content === system.content) {
    return history.add(...said)
  }
  const rest = history.toArray().slice(first.role === 'system' ? 1 : 0)
  return Thread.of([system, ...rest, ...said])
}

const askForMore = (iterations: number): Effect => ({
  type: 'ask',
  actor: 'agent',
  question: `The model was called ${iterations} times and is not done. Go on?`,
  schema: { type: 'boolean' },
})

const withMore = (state: ChatState, more: number): ChatState => ({
  ...state,
  most: state.iterations + more,
  asking: false,
})

function told(state: ChatState, results: Message): Moved<ChatState> {
  const messages = state.messages.add(results)
  return {
    state: {
      messages,
      pending: NO_CALLS,
      iterations: state.iterations,
      most: state.most,
      asking: false,
      repaired: state.repaired,
      text: state.text,
      continues: state.continues,
      ended: null,
    },
  }
}

/** Who speaks while being asked for more wants to be answered. */
function heard(state: ChatState, text: string, more: number): Moved<ChatState> {
  if (!isText(text)) return { state }
  const { pending } = state
  const closed =
    pending.length === 0 ? state.messages : state.messages.add(notRun(pending, SPOKE_FIRST))
  const going = state.asking ? withMore(state, more) : state
  const isAnswered = state.ended?.reason === 'stop' && state.iterations < state.most
  const ended = isAnswered ? null : state.ended
  const messages = closed.add(userMessage(text))
  return { state: { ...going, ended, pending: NO_CALLS, repaired: false, messages } }
}

const SPOKE_FIRST = 'the user spoke first'

/**
 * What is left of a turn that broke off: all that was said. Calls without a result may have been
 * made, which the model is told; so the conversation can go on.
 */
export function brokenOff({ messages, pending }: ChatState): Thread {
  if (pending.length === 0) return messages
  const outcomes = pending.map((): ToolOutcome => BROKE_OFF)
  return messages.add(toolResults(pending, outcomes))
}

const BROKE_OFF: ToolOutcome = { type: 'unknown', message: 'the turn broke off' }

function atLimit(state: ChatState, messages: Thread): Moved<ChatState> {
  const { iterations } = state
  const why = `the model was called ${iterations} times, which is the most; raise maxIterations, or say to go on`
  const notes: readonly Note[] = [{ stage: 'max-iterations', data: { iterations } }]
  return { ...stopped({ ...state, messages, asking: false }, 'max-iterations', why), notes }
}

/** Ends short of an answer. No call is left without a result: the conversation goes on from here. */
function stopped(state: ChatState, reason: string, why: string): Moved<ChatState> {
  const { pending } = state
  const messages = pending.length === 0 ? state.messages : state.messages.add(notRun(pending, why))
  return ended({ ...state, messages, pending: NO_CALLS, asking: false }, reason, why)
}

function withProblem({ state }: Moved<ChatState>, problem: Problem): Moved<ChatState> {
  const { ended: finish } = state
  if (finish === null) return { state }
  return { state: { ...state, ended: { ...finish, result: { ...finish.result, problem } } } }
}

function ended(state: ChatState, reason: string, detail: string | null): Moved<ChatState> {
  const finish: Finish<ChatResult> = {
    type: 'finish',
    result: { text: state.text, detail },
    reason,
  }
  return {
    state: {
      messages: state.messages,
      pending: NO_CALLS,
      iterations: state.iterations,
      most: state.most,
      asking: false,
      repaired: state.repaired,
      text: state.text,
      continues: state.continues,
      ended: finish,
    },
  }
}

function configOf(settings: ChatSettings, originOf: OriginOf | undefined): ChatConfig {
  const { name, instructions, tools = [], timeoutMs, maxTokens, sampling, output } = settings
  const { maxIterations = DEFAULT_MAX_ITERATIONS, atLimit: then = 'end' } = settings
  const { maxParallelTools = DEFAULT_PARALLEL_TOOLS } = settings
  // In the order of its fields that journals were written with: a step is known by it.
  const askedWith = (offered: readonly string[]): Omit<Generate, 'messages'> => ({
    type: 'generate',
    actor: 'agent',
    role: MAIN,
    show: 'user',
    ...(offered.length === 0 ? {} : { tools: offered }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(sampling === undefined ? {} : { sampling }),
    ...(output === undefined ? {} : { schema: output.wire }),
  })
  return {
    name,
    actors: { agent: { roles: [MAIN], tools: [...tools, RESULT_READ], speaks: true, asks: true } },
    system: isText(instructions) ? systemMessage(instructions) : undefined,
    tools: new Set(tools),
    asked: askedWith(tools),
    askedWithReader: askedWith([...tools, RESULT_READ]),
    results: new BoundedResults(settings.maxResultChars, originOf),
    atOnce: wholeNumber('maxParallelTools', maxParallelTools),
    most: wholeNumber('maxIterations', maxIterations),
    asksForMore: then === 'ask',
    output,
  }
}

/** @throws EchelonError INVALID_CONFIG for what is no whole number from 1 on */
export function wholeNumber(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value
  throw new EchelonError('INVALID_CONFIG', `${name} is ${value}; give a whole number from 1 on`)
}
