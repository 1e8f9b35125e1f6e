import { EchelonError, describeFailure, type RunEvent } from 'echelon/runtime'
import type { Agent, ChatEnd, ChatRun, ProviderChoice, Session } from 'echelon/chat'
import type { RunRecording } from 'echelon/replay'
import { AWAY, type Ended, LATER, type TurnDisplay } from '../conversation/display.ts'
import { endLine } from '../conversation/event-line.ts'
import { inOwnWords } from '../conversation/own-words.ts'
import { cancelBy } from '../record/cancel-by.ts'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import { howToRead } from '../runs/how-to-read.ts'
import type { Io } from '../io.ts'
import type { UserFacts } from '@echelon/knowledge'
import type { Speaker } from './make-agent.ts'
import { NOTHING, together, type TookSoFar, tookOf } from './took.ts'

interface TalkParts {
  readonly io: Io
  readonly display: TurnDisplay
  readonly speaker: Speaker
  readonly session: Session
  /** Whether the conversation began before this chat. */
  readonly isResumed: boolean
  /** Whether a turn is suspended as soon as it waits for a person. */
  readonly suspends: boolean
  /** Where the conversation is recorded. */
  readonly recording?: RunRecording | undefined
  /** Address of the model's server. */
  readonly baseUrl?: string | undefined
  /** Facts remembered about the user; undefined if none are kept. */
  readonly facts?: UserFacts | undefined
}

/** A conversation with an agent: its session, its display, and its cost so far. */
export class Talk {
  readonly io: Io
  readonly speaker: Speaker
  readonly agent: Agent
  /** Address of the model's server, if one was given. */
  baseUrl: string | undefined
  readonly #parts: TalkParts
  #isResumed: boolean
  #session: Session
  #waiting: string | undefined
  #said: readonly string[] = []
  #took: TookSoFar

  constructor(parts: TalkParts) {
    this.io = parts.io
    this.speaker = parts.speaker
    this.agent = parts.speaker.agent
    this.baseUrl = parts.baseUrl
    this.#parts = parts
    this.#isResumed = parts.isResumed
    this.#took = { last: NOTHING, all: NOTHING, isContinued: parts.isResumed }
    this.#session = parts.session
  }

  /** Whether the conversation began before this chat. */
  get isResumed(): boolean {
    return this.#isResumed
  }

  get session(): Session {
    return this.#session
  }

  /** Id of the run that is suspended until a person answers. */
  get waiting(): string | undefined {
    return this.#waiting
  }

  /** Facts remembered about the user; undefined if none are kept. */
  get facts(): UserFacts | undefined {
    return this.#parts.facts
  }

  /** The user's messages since this chat began, without undone turns. */
  get said(): readonly string[] {
    return this.#said
  }

  get took(): TookSoFar {
    return this.#took
  }

  /** Undoes the last turn. @returns whether there was one that could be undone */
  undo(): boolean {
    this.#parts.recording?.note({ type: 'undo' })
    const isUndone = this.#session.undo()
    if (isUndone) {
      this.#took = { ...this.#took, hasUndone: true }
      this.#said = this.#said.slice(0, -1)
    }
    return isUndone
  }

  /** Switches to another model. @throws EchelonError if it cannot be loaded */
  async switch(model: string | ProviderChoice): Promise<void> {
    const name = typeof model === 'string' ? model : `${model.provider}/${model.model}`
    this.#parts.recording?.note({ type: 'switch', model: name })
    await this.agent.switchProvider(model)
  }

  /** Begins a new conversation and keeps counting the cost. */
  async clear(): Promise<void> {
    this.#parts.recording?.note({ type: 'clear' })
    this.#session = await this.speaker.openSession()
    this.#isResumed = false
  }

  /**
   * Runs one turn. Ctrl-C cancels it; a second one exits at once. At a question, Ctrl-C and SIGTERM
   * suspend a stored turn, and cancel any other.
   */
  take(text: string): Promise<Ended> {
    const { recording } = this.#parts
    this.#said = [...this.#said, text]
    return this.#live((signal) => {
      recording?.note({ type: 'turn', text })
      return this.agent.run(text, {
        session: this.#session,
        ...this.#suspend,
        // A recorded run is not stored, and is canceled through the run so that the cancel is recorded.
        ...(recording === undefined && { signal, made: this.speaker.made(this.baseUrl) }),
      })
    })
  }

  /**
   * Resumes a turn that another process began.
   * @param isFork whether it belongs to no conversation; its agent finds what it needs then
   */
  goOn(run: string, isFork = false): Promise<Ended> {
    const session = isFork ? {} : { session: this.#session }
    return this.#live((signal) => this.agent.resume(run, { ...session, signal, ...this.#suspend }))
  }

  get #suspend(): { readonly suspend?: { readonly afterMs: number } } {
    return this.#parts.suspends ? { suspend: { afterMs: 0 } } : {}
  }

  async #live(begin: (signal: AbortSignal) => ChatRun | Promise<ChatRun>): Promise<Ended> {
    let run: ChatRun | undefined
    let giveUp: NodeJS.Timeout | undefined
    const suspend = (): boolean => {
      if (run === undefined || !this.#canWait(run)) return false
      run.suspend()
      // A question that a running tool asks cannot wait elsewhere, so its turn is canceled.
      giveUp ??= setTimeout(() => run?.cancel(), SUSPENDING_MS)
      return true
    }
    using cleanup = new DisposableStack()
    const complain = (text: string): void => this.#parts.display.complain(text)
    const { signal, release } = cancelOnInterrupt(this.io, complain, suspend)
    cleanup.defer(release)
    cleanup.defer(() => clearTimeout(giveUp))
    const begun = await begin(signal)
    run = this.#parts.recording?.watch(begun) ?? begun
    if (this.#parts.recording !== undefined) cleanup.defer(cancelBy(signal, run))
    return await this.#follow(run, signal, suspend)
  }

  /** Whether the run is at a question that any process can answer. */
  #canWait({ requests }: ChatRun): boolean {
    return this.speaker.store !== undefined && requests.length > 0
  }

  async #follow(run: ChatRun, signal: AbortSignal, suspend: () => boolean): Promise<Ended> {
    try {
      for await (const event of run) {
        this.#parts.display.show(event)
        if (event.type === 'request-open') await this.#ask(event, run, signal, suspend)
      }
      return this.#end(await run.outcome)
    } catch (error) {
      if (!(error instanceof EchelonError) || error.code !== 'RUN_SUSPENDED') throw error
      this.#waiting = run.id
      return 'waiting'
    }
  }

  /** Asks until there is an answer, from here or from another process that shares the store. */
  async #ask(
    { request, about }: Extract<RunEvent, { type: 'request-open' }>,
    run: ChatRun,
    signal: AbortSignal,
    suspend: () => boolean,
  ): Promise<void> {
    if (!run.requests.includes(request)) return
    const elsewhere = new AbortController()
    void untilClosed(run, request).then(() => elsewhere.abort())
    const allOfIt = this.speaker.store === undefined ? undefined : howToRead(run.id)
    const { signal: ending } = this.io.ending
    const given = AbortSignal.any([signal, elsewhere.signal, ending])
    const reply = await this.#parts.display.ask(about, given, allOfIt)
    // A process that is told to end has suspended or canceled the run by now.
    if (reply === LATER || ending.aborted) return
    if (elsewhere.signal.aborted && !signal.aborted) this.#parts.display.complain(SETTLED)
    else if (reply === undefined) run.cancel()
    else if (reply === AWAY) {
      if (signal.aborted || !suspend()) run.cancel()
    } else if (run.requests.includes(request)) run.respond(request, reply)
  }

  #end(end: ChatEnd<unknown>): Ended {
    const last = tookOf(end)
    this.#took = { ...this.#took, last, all: together(this.#took.all, last) }
    const { text, reason, problem, usage, cost } = end
    const why = problem === null ? end.detail : describeFailure(problem)
    const detail = why === null ? null : this.speaker.redact(inOwnWords(why))
    this.#parts.display.end({
      text,
      problem: endLine({ reason, detail, problem }),
      json: { text, reason, detail, model: this.agent.model ?? '', usage, cost },
    })
    for (const remark of this.speaker.remarks()) this.#parts.display.complain(remark)
    if (reason === 'canceled') return 'canceled'
    return reason === 'stop' ? 'answered' : 'failed'
  }
}

/** Time for the work beside a question to finish, before its run is canceled. */
const SUSPENDING_MS = 2000

const SETTLED = 'this was settled in another terminal'

/** Resolves when the request is answered or the run is over. */
async function untilClosed(run: ChatRun, request: string): Promise<void> {
  try {
    for await (const event of run) {
      if (event.type === 'request-close' && event.request === request) return
    }
  } catch {
    // The listener of the run gets the error.
  }
}
