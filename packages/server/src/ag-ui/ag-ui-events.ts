import { type AGUIEvent, EventType, type Interrupt, type Message } from '@ag-ui/core'
import type { Json } from 'echelon/runtime'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { AgentStateFold, mergedState } from './agent-state.ts'
import {
  approvalInterrupt,
  customEvent,
  type Owner,
  questionInterrupt,
  reasoningEvents,
  resultOf,
  toolCallEvents,
  toolResultEvent,
  usageOf,
} from './event-table.ts'
import { OpenWork } from './open-work.ts'
import { ThreadMessages } from './thread-messages.ts'

type PartOf<Type extends TurnPart['type']> = Extract<TurnPart, { readonly type: Type }>
type ClientTurn = PartOf<'client-turn'>

export interface AgUiEventsOptions {
  readonly threadId: string
  /** The client's id of the run: a run of ours that waits spans several of theirs. */
  readonly runId: string
  /** Our id of the run. */
  readonly run: string
  readonly agent: string
  /** Its models, cheapest first. */
  readonly ladder: readonly string[]
  /** Whether the client knows AG-UI 1.0; older ones get nothing that came with it. */
  readonly knows1: boolean
  /** The state and the messages that the client sent. */
  readonly state?: Json
  readonly messages: readonly Message[]
  /** Client calls of this run that have a result. */
  readonly answered?: ReadonlySet<string>
}

/** The last event of a stream whose run is not over. */
export type Pause =
  | { readonly type: 'interrupt'; readonly request: string }
  | {
      readonly type: 'client-turn'
      readonly request: string
      /** The places of the calls in their step, by the ids that the client knows. */
      readonly places: ReadonlyMap<string, number>
    }

const PROTOCOL_VERSION = '1.0'
const STATE_PATH = '/echelon'

/**
 * Maps the parts of a run to the AG-UI events of one stream. A stream that continues a run is first shown the
 * parts that came before it (`of`), then begun, then shown the rest.
 */
export class AgUiEvents {
  readonly #options: AgUiEventsOptions
  readonly #fold: AgentStateFold
  readonly #work: OpenWork
  readonly #messages: ThreadMessages
  /** Ids of calls that the client executes. */
  readonly #byClient = new Set<string>()
  readonly #owners = new Map<string, Owner>()
  /** The number of text blocks with the same id. */
  readonly #texts = new Map<string, number>()
  /** Calls of the server that have no result yet. */
  readonly #working = new Set<string>()
  /** The client's turn, which begins when the server's calls beside it are done. */
  #held: Pause | undefined
  /** The last request for the client's results, while it is open. */
  #turn: ClientTurn | undefined
  #isBegun = false
  #isOver = false
  #pause: Pause | undefined

  constructor(options: AgUiEventsOptions) {
    const { run, agent, ladder, messages } = options
    this.#options = options
    this.#fold = new AgentStateFold({ agent, run, ladder })
    this.#work = new OpenWork(run)
    this.#messages = new ThreadMessages(messages)
  }

  /** Whether the last event of the stream was yielded. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Set if the stream is over and the run waits. */
  get pause(): Pause | undefined {
    return this.#pause
  }

  /** Whether the client's turn waits for the server's own calls. */
  get isHeld(): boolean {
    return this.#held !== undefined && !this.#isOver
  }

  /** Begins the client's turn although calls of the server still work: their results come in the next stream. */
  *release(): Generator<AGUIEvent, void> {
    if (this.#isOver || this.#held?.type !== 'client-turn') return
    const { knows1 } = this.#options
    this.#pause = this.#held
    yield* this.#work.pause(new Map())
    const ids = knows1 && { pendingToolCallIds: [...this.#held.places.keys()] }
    yield this.#finished({ outcome: { type: 'success', ...ids } })
  }

  *begin(): Generator<AGUIEvent, void> {
    const { threadId, runId, knows1, state } = this.#options
    this.#isBegun = true
    const version = knows1 && { protocolVersion: PROTOCOL_VERSION }
    yield { type: EventType.RUN_STARTED, threadId, runId, ...version }
    const snapshot = mergedState(state, this.#fold.state)
    yield { type: EventType.STATE_SNAPSHOT, snapshot }
    yield* this.#work.reopen()
    // The client gave other results than the one that the run waits for.
    if (this.#turn !== undefined && !this.#isAnswered(this.#turn)) this.#hold(this.#turn)
    if (this.isHeld && this.#working.size === 0) yield* this.release()
  }

  /** The events of a part. Before `begin` it is only remembered. */
  *of(part: TurnPart): Generator<AGUIEvent, void> {
    if (this.#isOver) return
    const delta = this.#fold.fold(part, STATE_PATH)
    const patched: AGUIEvent[] = delta.length > 0 ? [{ type: EventType.STATE_DELTA, delta }] : []
    // The last event of a stream comes after its state.
    for (const event of Array.from(this.#eventsOf(part, patched))) {
      if (!this.#isBegun) continue
      this.#messages.add(event)
      yield event
    }
    if (this.isHeld && this.#working.size === 0) yield* this.release()
  }

  /** Ends a stream whose run can't be followed any more. */
  *fail(code: string, message: string): Generator<AGUIEvent, void> {
    if (this.#isOver) return
    if (!this.#isBegun) yield* this.begin()
    yield* this.#work.end()
    this.#isOver = true
    yield { type: EventType.RUN_ERROR, code, message }
  }

  *#eventsOf(part: TurnPart, patched: readonly AGUIEvent[]): Generator<AGUIEvent, void> {
    switch (part.type) {
      case 'approval': {
        const toolCallId = this.#idOf(part.call)
        const owner = this.#owners.get(part.call) ?? {}
        yield* this.#interrupt(approvalInterrupt(part, { toolCallId, owner }), patched)
        return
      }
      case 'question':
        yield* this.#interrupt(questionInterrupt(part), patched)
        return
      case 'client-turn':
        this.#turn = part
        yield* patched
        if (this.#isBegun) this.#hold(part)
        return
      case 'answered':
        if (this.#turn?.request === part.request) this.#turn = undefined
        yield* patched
        return
      case 'suspended':
        if (part.requests.length === 0) yield* this.fail('suspended', SUSPENDED)
        return
      case 'end':
        yield* this.#end(part.end, patched)
        return
      case 'start':
      case 'step-start':
      case 'step-end':
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'text-drop':
      case 'reasoning':
      case 'partial':
      case 'tool-call':
      case 'tool-progress':
      case 'tool-result':
      case 'note':
      case 'model':
      case 'warning':
        yield* this.#progressOf(part)
        yield* patched
    }
  }

  *#progressOf(part: TurnPart): Generator<AGUIEvent, void> {
    switch (part.type) {
      case 'step-start':
        yield* this.#work.startStep(part.step, part)
        break
      case 'step-end':
        yield* this.#work.endStep(part.step)
        break
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'text-drop':
        yield* this.#text(part)
        break
      case 'reasoning':
        yield* reasoningEvents(this.#idOf(part.id), part.text)
        break
      case 'tool-call': {
        const owner = this.#work.ownerAt(part.id, part.depth)
        this.#owners.set(part.id, owner)
        if (part.byClient) this.#byClient.add(part.id)
        else this.#working.add(part.id)
        yield* toolCallEvents(part, { toolCallId: this.#idOf(part.id), owner })
        break
      }
      case 'tool-result': {
        this.#working.delete(part.id)
        // The client knows what it returned itself.
        if (this.#byClient.has(part.id)) break
        const owner = this.#owners.get(part.id) ?? {}
        yield toolResultEvent(part.outcome, { toolCallId: this.#idOf(part.id), owner })
        break
      }
      case 'tool-progress':
        yield customEvent('tool-progress', { toolCallId: this.#idOf(part.id), data: part.data })
        break
      case 'warning':
        yield customEvent('warning', { message: part.message })
        break
      case 'start':
      case 'partial':
      case 'approval':
      case 'question':
      case 'client-turn':
      case 'answered':
      case 'note':
      case 'model':
      case 'suspended':
      case 'end':
        break
    }
  }

  *#text(
    part: PartOf<'text-start' | 'text-delta' | 'text-end' | 'text-drop'>,
  ): Generator<AGUIEvent, void> {
    const count = (this.#texts.get(part.id) ?? 0) + (part.type === 'text-start' ? 1 : 0)
    this.#texts.set(part.id, count)
    // A block that was taken back begins again under its own id.
    const messageId = this.#idOf(count > 1 ? `${part.id}:${count}` : part.id)
    switch (part.type) {
      case 'text-start':
        yield { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' }
        break
      case 'text-delta':
        yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: part.delta }
        break
      case 'text-end':
        yield { type: EventType.TEXT_MESSAGE_END, messageId }
        break
      case 'text-drop':
        yield this.#messages.drop(messageId)
        break
    }
  }

  *#interrupt(interrupt: Interrupt, patched: readonly AGUIEvent[]): Generator<AGUIEvent, void> {
    if (!this.#isBegun) return
    const { subagentRunId, id } = interrupt
    yield* patched
    yield* this.#work.pause(new Map(subagentRunId === undefined ? [] : [[subagentRunId, [id]]]))
    this.#pause = { type: 'interrupt', request: id }
    yield this.#finished({ outcome: { type: 'interrupt', interrupts: [interrupt] } })
  }

  /** Results that came before are taken by the run one by one, without the client. */
  #hold({ request, calls, places }: ClientTurn): void {
    const { answered } = this.#options
    const pending = calls
      .map((call, nth) => [this.#idOf(call), places[nth] ?? nth] as const)
      .filter(([id]) => answered?.has(id) !== true)
    if (pending.length === 0) return
    this.#held = { type: 'client-turn', request, places: new Map(pending) }
  }

  #isAnswered({ calls, places, place }: ClientTurn): boolean {
    const call = calls[places.indexOf(place)]
    return call !== undefined && this.#options.answered?.has(this.#idOf(call)) === true
  }

  *#end(end: TurnEnd, patched: readonly AGUIEvent[]): Generator<AGUIEvent, void> {
    const { run, knows1 } = this.#options
    const usage = usageOf(end)
    const used = usage.length > 0 && { usage }
    yield* this.#work.end()
    yield* patched
    if (end.status === 'failed') {
      const message = end.detail ?? 'the run failed'
      this.#isOver = true
      yield { type: EventType.RUN_ERROR, code: end.reason, message, ...used }
      return
    }
    if (end.text === '' && end.detail !== null) yield* this.#sentence(end.detail)
    const outcome =
      end.status === 'finished'
        ? { outcome: { type: 'success' as const } }
        : // Older clients know no such outcome.
          knows1 && { outcome: { type: 'cancelled' as const } }
    yield this.#finished({ result: resultOf(end, run), ...outcome, ...used })
  }

  /** Says in a sentence why the run has no answer. */
  *#sentence(text: string): Generator<AGUIEvent, void> {
    const messageId = this.#idOf('detail')
    yield { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' }
    yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: text }
    yield { type: EventType.TEXT_MESSAGE_END, messageId }
  }

  #finished(
    how: Pick<Extract<AGUIEvent, { type: EventType.RUN_FINISHED }>, 'outcome' | 'result' | 'usage'>,
  ): AGUIEvent {
    const { threadId, runId } = this.#options
    this.#isOver = true
    return { type: EventType.RUN_FINISHED, threadId, runId, ...how }
  }

  /** Unique within the thread, whose messages and calls are of many runs. */
  #idOf(id: string): string {
    return `${this.#options.run}:${id}`
  }
}

const SUSPENDED = 'the server is stopping; the run continues at its next start'
