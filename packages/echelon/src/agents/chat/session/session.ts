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

/** Turns that can be taken back. */
const MOST_MARKS = 8

/** Where a conversation stands between two turns. */
interface Standing {
  readonly thread: Thread
  readonly states: StateContainer | undefined
  readonly continues: Continuation | null
}

const BEGINNING: Standing = { thread: NOTHING_SAID, states: undefined, continues: null }

/** Where a conversation comes from that is no new one, and where it is kept. */
export interface SessionOrigin extends Partial<Standing> {
  /** Of which nothing is to stay. */
  readonly isDisposable?: boolean
  /** Nothing for one that lives in this object alone. */
  readonly kept?: KeptConversation
}

/**
 * A conversation: what was said, and the states of middleware that live as long as it. An agent
 * gives it; hand it to each run that is a turn of it. One turn at a time: a second one is refused
 * while the first is under way. Different conversations know nothing of each other.
 */
export class Session {
  readonly id: string
  readonly #agent: string
  #standing: Standing
  #marks: readonly Standing[] = NO_MARKS
  #busy = false
  #isOver = false
  /** The turn under way. */
  #run: Run<ChatResult, ChatState> | undefined
  readonly #kept: KeptConversation | undefined
  readonly #isDisposable: boolean

  /**
   * @param agent the name of whoever holds it
   * @throws EchelonError INVALID_INPUT for an id that is no text
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
    // A new UUID is made of twenty pieces; being looked at makes it one, of a sixth of the size.
    id.charCodeAt(0)
    this.id = id
    this.#agent = agent
    this.#kept = kept
    this.#isDisposable = isDisposable
    this.#standing = { ...BEGINNING, ...restored }
  }

  /** Whether a turn is under way. */
  get isBusy(): boolean {
    return this.#busy
  }

  /** Whether it outlives the process: its agent opened it in a store. */
  get isKept(): boolean {
    return this.#kept !== undefined
  }

  /**
   * A turn on record that was begun and has no end: it waits, its process died, or another process
   * works on it. It must be resumed (`agent.resume`) before another turn begins.
   */
  get unfinished(): UnfinishedTurn | undefined {
    return this.#kept?.unfinished
  }

  /** What was said up to the last turn that ended, instructions first. */
  get messages(): readonly Message[] {
    return [...this.#standing.thread.toArray()]
  }

  /** How many messages there are, without copying them. */
  get length(): number {
    return this.#standing.thread.length
  }

  /** Where the provider keeps this conversation, if it does: for the agent's next turn. */
  get continues(): Continuation | null {
    return this.#standing.continues
  }

  /** The conversation as a run takes it up. */
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

  /** What the store keeps of a turn: what was said since, and what its middleware knows. */
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
   * Drops the last turn: messages and states are as before it. The last eight can be dropped one
   * after the other; those from before a restore, or before it was opened, cannot. In a store it is
   * dropped with the next turn that ends.
   * @returns whether there was one
   * @throws EchelonError SESSION_BUSY, or RUN_BUSY for a turn without an end
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

  /** The conversation as plain JSON, as of the last turn that ended. Holds what was said as it was. */
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
   * Whether an agent can begin a turn of it now, or go on with one, as far as that shows here.
   * @param store where the agent's turns are kept
   * @throws EchelonError INVALID_INPUT for an agent of another name or store, or when it is over;
   * SESSION_BUSY while a turn is under way
   */
  assertFreeFor(agent: string, store?: AgentStore): void {
    if (agent !== this.#agent) throw otherAgent(this.id, this.#agent, agent)
    if (this.#kept !== undefined && this.#kept.store !== store) throw otherStore(this.id)
    this.assertIdle()
  }

  /**
   * Whether its store has as many messages of it as when a turn began.
   * @throws EchelonError JOURNAL_MISMATCH
   */
  assertAsWhen(length: number): void {
    if (this.#kept === undefined || this.#kept.from === length) return
    throw new EchelonError(
      'JOURNAL_MISMATCH',
      `the conversation ${this.id} had ${length} messages when the turn began and has ${this.#kept.from} by now; somebody else went on with it, so the turn cannot be ended: remove its run`,
      { details: { session: this.id } },
    )
  }

  /** @throws EchelonError SESSION_BUSY while a turn is under way; INVALID_INPUT when it is over */
  assertIdle(): void {
    if (this.#isOver) {
      throw new EchelonError(
        'INVALID_INPUT',
        `the session ${this.id} is over; open it anew, or begin another one`,
        { details: { session: this.id } },
      )
    }
    if (!this.#busy) return
    throw new EchelonError(
      'SESSION_BUSY',
      `a turn of the session ${this.id} is under way; await its result, or tell it more with hear`,
      { details: { session: this.id } },
    )
  }

  /**
   * The conversation is over: no turn of it begins any more with this object. Of a disposable one
   * nothing stays, here or in its store; others stay as they are.
   * @throws EchelonError SESSION_BUSY while a turn is under way, also in another process
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
   * Takes up what a run says, however it ends. One that broke off leaves what was said and done; one
   * that broke off before its first step was done leaves all as it is, and so does each in a store: it
   * goes on when it is resumed. One whose model failed before its first answer leaves the messages as
   * they were, so that the same can be asked again.
   * @returns resolves when that is done, where it takes a while
   */
  follow(run: Run<ChatResult, ChatState>): Promise<void> | undefined {
    this.#busy = true
    this.#run = run
    const over = this.#keep(run)
    return this.#kept && over
  }

  async #keep(run: Run<ChatResult, ChatState>): Promise<void> {
    const before = run.state
    // The run tells its caller what went wrong.
    const end = await run.result.then(
      () => 'whole',
      (error: unknown) =>
        error instanceof EchelonError && error.code === 'RUN_SUSPENDED' ? 'suspended' : 'broken',
    )
    const { state } = run
    const kept = this.#kept
    // What is on record is asked for: the run may have left nothing there. A store that says nothing
    // now is asked again before the next turn.
    if (end !== 'whole') await kept?.lookAgain().catch(() => undefined)
    this.#busy = false
    this.#run = undefined
    // The turn is not over: whoever resumes it begins where the conversation stands.
    if (end === 'suspended' || (end === 'broken' && kept !== undefined)) return
    if (end === 'whole') {
      const { thread } = this.#standing
      const said = isUnanswered(state) ? thread : state.messages
      kept?.ended(run.id, said.length)
      // Nothing was added that could be taken back.
      if (said === thread) this.#standing = standingAfter(run, thread)
      else this.#takeUp(run, said)
    } else if (state !== before && state.iterations > 0) this.#takeUp(run, brokenOff(state))
  }

  #takeUp(run: Run<ChatResult, ChatState>, thread: Thread): void {
    // `concat` takes exactly the room that is needed; a spread does not.
    this.#marks = this.#marks.slice(1 - MOST_MARKS).concat(this.#standing)
    this.#standing = standingAfter(run, thread)
  }
}

const standingAfter = (
  { state: { continues }, states }: Run<ChatResult, ChatState>,
  thread: Thread,
): Standing => ({ thread, continues, states })

/** Whether the model failed before it answered anything. */
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
    `the session ${session} is kept in another store than that of the agent; open it with openSession of the agent that goes on with it`,
    { details: { session } },
  )

/** How many messages of before stand there still: other instructions than those of then replace all. */
function sameBeginning(before: Thread, now: Thread): number {
  if (now.extends(before)) return before.length
  for (let index = 0; index < before.length; index++) {
    // A state that was loaded holds messages of its own.
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
