import type { Continuation } from '../../../core/agent/effect.ts'
import { EchelonError } from '../../../core/value/error.ts'
import type { SessionChange } from '../../../core/store/session-store.ts'
import type { StateContainer } from '../../../core/state/state.ts'
import { type Message, NOTHING_SAID, type Thread } from '../../../core/message/thread.ts'
import type { KeptTurn, Run, SessionView } from '../../../runtime/run.ts'
import type { AgentStore } from '../agent-options.ts'
import { CHAT_VERSION } from '../chat-definition.ts'
import { brokenOff } from '../chat-moves.ts'
import type { ChatState } from '../chat-state.ts'
import type { ChatResult } from '../input/chat-input.ts'
import type { SessionCheckpoint } from './checkpoint.ts'
import type { KeptConversation, UnfinishedTurn } from './kept-conversation.ts'

/** The number of turns that can be undone. */
const MOST_MARKS = 8

/** The state of a conversation between two turns. */
interface Standing {
  readonly thread: Thread
  readonly states: StateContainer | undefined
  readonly continues: Continuation | null
}

const BEGINNING: Standing = { thread: NOTHING_SAID, states: undefined, continues: null }

/** The origin of an existing conversation, and where it is stored. */
export interface SessionOrigin extends Partial<Standing> {
  /** Whether nothing of it is kept. */
  readonly isDisposable?: boolean
  /** Undefined for a conversation that exists only in memory. */
  readonly kept?: KeptConversation
}

/**
 * A conversation: its messages and the middleware states of scope `session`. Create one with an agent
 * and pass it to each run that is a turn of it. It takes one turn at a time and refuses a second one
 * meanwhile. Different conversations share nothing.
 */
export class Session {
  readonly id: string
  readonly #agent: string
  #standing: Standing
  #marks: readonly Standing[] = NO_MARKS
  #busy = false
  #isOver = false
  /** The running turn. */
  #run: Run<ChatResult, ChatState> | undefined
  readonly #kept: KeptConversation | undefined
  readonly #isDisposable: boolean

  /**
   * @param agent the name of the agent that holds it
   * @throws EchelonError INVALID_INPUT for an id that is not a string
   */
  constructor(
    id: string,
    agent: string,
    { kept, isDisposable = false, ...restored }: SessionOrigin = NEW,
  ) {
    if (typeof id !== 'string') {
      throw new EchelonError(
        'INVALID_INPUT',
        `the id of a session cannot be ${JSON.stringify(id)}; give the id as a text, as in session('ada'), or none`,
      )
    }
    // A new UUID is a rope of twenty pieces; reading it flattens it to a sixth of the size.
    id.charCodeAt(0)
    this.id = id
    this.#agent = agent
    this.#kept = kept
    this.#isDisposable = isDisposable
    this.#standing = { ...BEGINNING, ...restored }
  }

  /** Whether a turn is running. */
  get isBusy(): boolean {
    return this.#busy
  }

  /** Whether it is stored, because its agent opened it from a store. */
  get isKept(): boolean {
    return this.#kept !== undefined
  }

  /**
   * A recorded turn that has not ended: it waits, its process died, or another process is running it. It
   * must be resumed (`agent.resume`) before another turn begins.
   */
  get unfinished(): UnfinishedTurn | undefined {
    return this.#kept?.unfinished
  }

  /** The messages up to the last turn that ended, instructions first. */
  get messages(): readonly Message[] {
    return [...this.#standing.thread.toArray()]
  }

  /** The number of messages, without copying them. */
  get length(): number {
    return this.#standing.thread.length
  }

  /** The provider's reference to this conversation, if it keeps it, for the agent's next turn. */
  get continues(): Continuation | null {
    return this.#standing.continues
  }

  /** The conversation as a run starts from it. */
  get view(): SessionView {
    const { thread: history, states } = this.#standing
    const kept = this.#kept
    return {
      id: this.id,
      history,
      ...(states && { states }),
      ...(kept && {
        kept: kept.from,
        ready: () => kept.ready(),
        keep: (_, end) => this.#run && this.#changeOf(this.#run, end, kept.from),
      }),
    }
  }

  /** The stored data of a turn: its new messages and the middleware states. */
  #changeOf(
    { state }: Run<ChatResult, ChatState>,
    { at, states }: KeptTurn,
    from: number,
  ): SessionChange {
    const { continues } = state
    const before = this.#standing.thread
    const said = isUnanswered(state) ? before : state.messages
    const keep = sameBeginning(before, said)
    return {
      id: this.id,
      agent: this.#agent,
      from,
      keep,
      messages: said.toArray().slice(keep),
      states,
      continues: continues && { model: continues.model, id: continues.id, from: continues.from },
      at,
    }
  }

  /**
   * Undoes the last turn: messages and states are as before it. Up to eight turns can be undone in a row,
   * but none from before a restore or before the session was opened. In a store the change is written
   * with the next turn that ends.
   * @returns whether there was one
   * @throws EchelonError SESSION_BUSY, or RUN_BUSY for an unfinished turn
   */
  undo(): boolean {
    this.assertIdle()
    this.#kept?.assertFinished()
    const before = this.#marks.at(-1)
    if (before === undefined) return false
    this.#standing = before
    this.#marks = this.#marks.slice(0, -1)
    return true
  }

  /** The conversation as plain JSON, up to the last turn that ended. Messages are not redacted. */
  checkpoint(): SessionCheckpoint {
    const { thread, states = NO_STATES } = this.#standing
    return {
      kind: 'echelon-session',
      version: 1,
      id: this.id,
      agent: { name: this.#agent, version: CHAT_VERSION },
      messages: [...thread.toArray()],
      states,
    }
  }

  /**
   * Checks whether an agent can start or resume a turn of it now, as far as can be seen here.
   * @param store where the agent's turns are kept
   * @throws EchelonError INVALID_INPUT for an agent with another name or store, or after `end`;
   * SESSION_BUSY while a turn is running
   */
  assertFreeFor(agent: string, store?: AgentStore): void {
    if (agent !== this.#agent) throw otherAgent(this.id, this.#agent, agent)
    if (this.#kept !== undefined && this.#kept.store !== store) throw otherStore(this.id)
    this.assertIdle()
  }

  /**
   * Checks that its store still has as many messages of it as when a turn began.
   * @throws EchelonError JOURNAL_MISMATCH
   */
  assertAsWhen(length: number): void {
    if (this.#kept === undefined || this.#kept.from === length) return
    throw new EchelonError(
      'JOURNAL_MISMATCH',
      `the conversation ${this.id} had ${length} messages when the turn began and has ${this.#kept.from} now; it was continued elsewhere, so the turn cannot end: remove its run`,
      { details: { session: this.id } },
    )
  }

  /** @throws EchelonError SESSION_BUSY while a turn is running; INVALID_INPUT after `end` */
  assertIdle(): void {
    if (this.#isOver) {
      throw new EchelonError(
        'INVALID_INPUT',
        `the session ${this.id} has ended; open it again, or create another one`,
        { details: { session: this.id } },
      )
    }
    if (!this.#busy) return
    throw new EchelonError(
      'SESSION_BUSY',
      `a turn of the session ${this.id} is running; await its result, or send it more input with hear`,
      { details: { session: this.id } },
    )
  }

  /**
   * Ends the conversation: this object starts no more turns. A disposable one is deleted here and from
   * its store; others stay stored.
   * @throws EchelonError SESSION_BUSY while a turn is running, also in another process
   */
  async end(): Promise<void> {
    this.assertIdle()
    await this.#kept?.end()
    this.#isOver = true
    if (!this.#isDisposable) return
    this.#standing = BEGINNING
    this.#marks = NO_MARKS
  }

  /**
   * Adopts the outcome of a run. An interrupted run leaves its messages and actions; one that was
   * interrupted before its first step changes nothing, and neither does any interrupted run in a store,
   * since it continues when resumed. If the model failed before its first answer, the messages stay as
   * they were, so that the same can be asked again.
   * @returns a promise if there is something to await
   */
  follow(run: Run<ChatResult, ChatState>): Promise<void> | undefined {
    this.#busy = true
    this.#run = run
    const over = this.#keep(run)
    return this.#kept && over
  }

  async #keep(run: Run<ChatResult, ChatState>): Promise<void> {
    const before = run.state
    // The run reports the failure to its caller.
    const end = await run.result.then(
      () => 'whole',
      (error: unknown) =>
        error instanceof EchelonError && error.code === 'RUN_SUSPENDED' ? 'suspended' : 'broken',
    )
    const { state } = run
    const kept = this.#kept
    // Reads the record, since the run may have written none. If the store fails now, it is read again
    // before the next turn.
    if (end !== 'whole') await kept?.lookAgain().catch(() => undefined)
    this.#busy = false
    this.#run = undefined
    // The turn has not ended: a resume starts from the current state of the conversation.
    if (end === 'suspended' || (end === 'broken' && kept !== undefined)) return
    if (end === 'whole') {
      const { thread } = this.#standing
      const said = isUnanswered(state) ? thread : state.messages
      kept?.ended(run.id, said.length)
      // Nothing was added that could be undone.
      if (said === thread) this.#standing = standingAfter(run, thread)
      else this.#takeUp(run, said)
    } else if (state !== before && state.iterations > 0) this.#takeUp(run, brokenOff(state))
  }

  #takeUp(run: Run<ChatResult, ChatState>, thread: Thread): void {
    // `concat` allocates exactly the space needed; a spread does not.
    this.#marks = this.#marks.slice(1 - MOST_MARKS).concat(this.#standing)
    this.#standing = standingAfter(run, thread)
  }
}

const standingAfter = (
  { state: { continues }, states }: Run<ChatResult, ChatState>,
  thread: Thread,
): Standing => ({ thread, continues, states })

/** Whether the model failed before its first answer. */
const isUnanswered = ({ ended, iterations }: ChatState): boolean =>
  ended?.result.problem !== undefined && iterations === 0

export const otherAgent = (session: string, holder: string, agent: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `the session ${session} is a conversation of the agent ${holder}, not of ${agent}; give one that ${agent} made with session(), or the messages as input`,
    { details: { session, agent: holder } },
  )

const otherStore = (session: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `the session ${session} is in a store other than the agent’s; open it with openSession of the agent that continues it`,
    { details: { session } },
  )

/** The number of unchanged leading messages. Changed instructions change the first. */
function sameBeginning(before: Thread, now: Thread): number {
  if (now.extends(before)) return before.length
  for (let index = 0; index < before.length; index++) {
    // A loaded state has its own messages.
    if (JSON.stringify(before.at(index)) !== JSON.stringify(now.at(index))) return index
  }
  return before.length
}

const NO_MARKS: readonly Standing[] = []
const NEW: SessionOrigin = {}

const NO_STATES: StateContainer = {
  states: {},
  schemaSignature: '',
  schemaVersion: 1,
  stateVersions: {},
}
