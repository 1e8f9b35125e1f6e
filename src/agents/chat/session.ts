import type { Continuation } from '../../core/effect.ts'
import { EchelonError } from '../../core/error.ts'
import type { StateContainer } from '../../core/state.ts'
import { type Message, NOTHING_SAID, type Thread } from '../../core/thread.ts'
import type { Run, SessionView } from '../../runtime/run.ts'
import { brokenOff, CHAT_VERSION } from './chat-definition.ts'
import type { ChatState } from './chat-state.ts'
import type { ChatResult } from './chat-input.ts'
import type { SessionCheckpoint } from './checkpoint.ts'

/** Turns that can be taken back. */
const MOST_MARKS = 8

/** Where a conversation stands between two turns. */
interface Standing {
  readonly thread: Thread
  readonly states: StateContainer | undefined
  readonly continues: Continuation | null
}

const BEGINNING: Standing = { thread: NOTHING_SAID, states: undefined, continues: null }

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

  /**
   * @param agent the name of whoever holds it
   * @throws EchelonError INVALID_INPUT for an id that is no text
   */
  constructor(
    id: string,
    agent: string,
    restored?: { readonly thread: Thread; readonly states: StateContainer },
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
    this.#standing = restored === undefined ? BEGINNING : { ...restored, continues: null }
  }

  /** Whether a turn is under way. */
  get isBusy(): boolean {
    return this.#busy
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
    return states === undefined ? { id: this.id, history } : { id: this.id, history, states }
  }

  /**
   * Drops the last turn: messages and states are as before it. The last eight can be dropped one
   * after the other; those from before a restore cannot.
   * @returns whether there was one
   * @throws EchelonError SESSION_BUSY
   */
  undo(): boolean {
    this.assertFree()
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
   * Whether an agent can begin a turn of it now.
   * @throws EchelonError INVALID_INPUT for an agent of another name; SESSION_BUSY while a turn is under way
   */
  assertFreeFor(agent: string): void {
    if (agent !== this.#agent) {
      throw new EchelonError(
        'INVALID_INPUT',
        `the session ${this.id} is a conversation of the agent ${this.#agent}, not of ${agent}; give one that ${agent} made with session(), or the messages as input`,
        { details: { session: this.id, agent: this.#agent } },
      )
    }
    this.assertFree()
  }

  /** @throws EchelonError SESSION_BUSY while a turn is under way */
  assertFree(): void {
    if (!this.#busy) return
    throw new EchelonError(
      'SESSION_BUSY',
      `a turn of the session ${this.id} is under way; await its result, or tell it more with hear`,
      { details: { session: this.id } },
    )
  }

  /**
   * Takes up what a run says, however it ends. One that broke off leaves what was said and done; one
   * that broke off before its first step was done leaves all as it is.
   */
  follow(run: Run<ChatResult, ChatState>): void {
    this.#busy = true
    void this.#keep(run)
  }

  async #keep(run: Run<ChatResult, ChatState>): Promise<void> {
    const before = run.state
    // The run tells its caller what went wrong.
    const end = await run.result.then(
      () => 'whole',
      (error: unknown) =>
        error instanceof EchelonError && error.code === 'RUN_SUSPENDED' ? 'suspended' : 'broken',
    )
    this.#busy = false
    // The turn is not over: whoever resumes it begins where the conversation stands.
    if (end === 'suspended') return
    const { state } = run
    if (end === 'whole') this.#takeUp(run, state.messages)
    else if (state !== before && state.iterations > 0) this.#takeUp(run, brokenOff(state))
  }

  #takeUp({ state: { continues }, states }: Run<ChatResult, ChatState>, thread: Thread): void {
    // `concat` takes exactly the room that is needed; a spread does not.
    this.#marks = this.#marks.slice(1 - MOST_MARKS).concat(this.#standing)
    this.#standing = { thread, continues, states }
  }
}

const NO_MARKS: readonly Standing[] = []

const NO_STATES: StateContainer = {
  states: {},
  schemaSignature: '',
  schemaVersion: 1,
  stateVersions: {},
}
