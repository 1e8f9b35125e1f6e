import type {
  Actors,
  AgentDefinition,
  Meter,
  Moved,
  Note,
  StartContext,
  TurnShape,
} from '../../core/agent/agent.ts'
import type { CallTools, Effect, Finish } from '../../core/agent/effect.ts'
import { EchelonError } from '../../core/value/error.ts'
import { withheldBy } from '../../core/model/model-failed.ts'
import type { Generated, Observation } from '../../core/agent/observation.ts'
import type { Problem } from '../../core/model/problem.ts'
import { type Message, systemMessage, userMessage } from '../../core/message/thread.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
import { answerOf, callsOf } from './output/answer.ts'
import { type OriginOf, RESULT_READ } from './output/bounded-results.ts'
import { CHAT_TURNS, type ChatInput, type ChatResult, saidIn } from './input/chat-input.ts'
import {
  atLimit,
  startMessages,
  ended,
  withUserText,
  NO_CALLS,
  stopped,
  withResults,
  withMore,
  withProblem,
} from './chat-moves.ts'
import { type ChatConfig, type ChatSettings, configOf } from './chat-settings.ts'
import type { ChatState } from './chat-state.ts'
import { loadChatState } from './session/load-state.ts'
import { repairRequest } from './output/output-format.ts'
import { toolResults } from '../../core/message/tool-results.ts'

/** Raised when the state's shape or a decision changes. */
export const CHAT_VERSION = 1

/**
 * The chat agent: the model calls tools and gets their results until it answers. Pure; one object may
 * serve any number of runs at the same time.
 */
export class ChatDefinition implements AgentDefinition<ChatInput, ChatState, ChatResult> {
  readonly #config: ChatConfig

  /** @throws EchelonError INVALID_CONFIG for an invalid number */
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
    const messages = startMessages(history, own, saidIn(input, history.length))
    // With other instructions it is a different conversation for the provider too.
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
        return withResults(state, toolResults(state.pending, this.#readBack(state, seen.outcomes)))
      case 'heard':
        return withUserText(state, seen.text, this.#config.most)
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
      case 'permitted':
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
      : withResults(learned, toolResults(calls, this.#outcomes(calls, [])))
  }

  /** Asks once for a repair of an answer that does not fit the output schema. */
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

  /** Reports an unknown tool to the model as a mistake that it can correct. */
  #callTools(pending: readonly ToolCall[]): CallTools {
    const { atOnce } = this.#config
    const calls = pending.every(this.#isKnown) ? pending : pending.filter(this.#isKnown)
    return { type: 'call-tools', actor: 'agent', calls, atOnce }
  }

  readonly #isKnown = ({ tool }: ToolCall): boolean =>
    this.#config.tools.has(tool) || tool === RESULT_READ

  /** Answers `result_read` from the results in the conversation. */
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

/** The reason of a turn whose answer still does not fit its schema after the repair. */
const MISMATCH = 'invalid-output'

/**
 * Whether the provider may have forgotten the continued conversation, so that all of it must be sent.
 * This happens only once, since a full request continues nothing.
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

const askForMore = (iterations: number): Effect => ({
  type: 'ask',
  actor: 'agent',
  question: `The model was called ${iterations} times and is not done. Go on?`,
  schema: { type: 'boolean' },
})
