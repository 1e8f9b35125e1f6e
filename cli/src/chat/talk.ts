import { EchelonError } from 'echelon/runtime'
import type { Agent, ChatEnd, ChatRun, ProviderChoice, Session } from 'echelon/chat'
import type { RunRecording } from 'echelon/replay'
import { describeFailure, type Json, type RunEvent } from 'echelon/runtime'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import { cancelBy } from '../record/cancel-by.ts'
import type { Speaker } from './make-agent.ts'
import { inOwnWords } from './own-words.ts'
import { howToRead } from '../runs/how-to-read.ts'
import { NOTHING, together, type Took, tookOf } from './took.ts'
import type { Io } from '../io.ts'

/** How a chat is shown, and who answers what is asked in it. */
export interface Face {
  /** Shows what happens in a turn. */
  show(event: RunEvent): void
  /**
   * Answers a request; nothing to cancel the turn, `LATER` to leave it open, `AWAY` where the person
   * who was asked left.
   * @param allOfIt the command that shows what is asked in full, where there is one
   */
  answer(
    about: Json,
    signal: AbortSignal,
    allOfIt?: string,
  ): Promise<Json | typeof LATER | typeof AWAY | undefined>
  /** Shows how a turn ended. */
  end(end: ChatEnd<unknown>, model: string): void
  /** What a command says. */
  say(text: string): void
  /** What went wrong with a command, or what the person should know. */
  complain(text: string): void
}

/** The reply of somebody who answers another time, in another process. */
export const LATER: unique symbol = Symbol('later')

/** Ctrl-C at the question: a turn that is kept waits for its answer, any other is canceled. */
export const AWAY: unique symbol = Symbol('away')

/** A turn that is over in this process and waits on record. */
export interface WaitingTurn {
  readonly reason: 'waits'
  readonly run: string
}

/** How a turn ended, or that it waits. */
export type TurnEnd = ChatEnd<unknown> | WaitingTurn

/** A run that is shown, with what may end it here. */
interface Followed {
  readonly run: ChatRun
  readonly face: Face
  readonly signal: AbortSignal
  /** Lets go of a turn that waits, where it is kept. @returns whether it did */
  readonly leave: () => boolean
}

interface TalkOptions {
  /** Whether the conversation began before this chat. */
  readonly isResumed?: boolean
  /** Whether a turn lets go of the process as soon as it waits for a person. */
  readonly letsGo?: boolean
}

/** A conversation with an agent: its session, and what it took so far. */
export class Talk {
  readonly io: Io

  readonly speaker: Speaker
  readonly agent: Agent
  /** The address of the model's server, if one was given. */
  baseUrl: string | undefined
  /** Where the conversation is recorded, if it is. */
  recording: RunRecording | undefined
  /** Whether a turn was taken back: what it took still counts. */
  hasUndone = false
  readonly #letsGo: boolean
  #isResumed: boolean
  #session: Session
  #last: Took = NOTHING
  #all: Took = NOTHING

  constructor(
    io: Io,
    speaker: Speaker,
    session: Session,
    { isResumed = false, letsGo = false }: TalkOptions = {},
  ) {
    this.io = io
    this.speaker = speaker
    this.agent = speaker.agent
    this.#isResumed = isResumed
    this.#letsGo = letsGo
    this.#session = session
  }

  /** Whether the conversation began before this chat. */
  get isResumed(): boolean {
    return this.#isResumed
  }

  get session(): Session {
    return this.#session
  }

  get took(): { readonly last: Took; readonly all: Took } {
    return { last: this.#last, all: this.#all }
  }

  /** Takes the last turn back. @returns whether there was one that could be */
  undo(): boolean {
    this.recording?.note({ type: 'undo' })
    const isUndone = this.#session.undo()
    if (isUndone) this.hasUndone = true
    return isUndone
  }

  /** Has another model answer from now on. @throws EchelonError when it cannot be had */
  async switch(model: string | ProviderChoice): Promise<void> {
    const name = typeof model === 'string' ? model : `${model.provider}/${model.model}`
    this.recording?.note({ type: 'switch', model: name })
    await this.agent.switchProvider(model)
  }

  /** Begins a new conversation; what was spent stays spent. */
  async clear(): Promise<void> {
    this.recording?.note({ type: 'clear' })
    this.#session = await this.speaker.openSession()
    this.#isResumed = false
  }

  /**
   * One turn. Ctrl-C cancels it, a second one leaves. At a question Ctrl-C leaves a turn that is kept
   * waiting for its answer, as a process that is told to end does; any other is canceled.
   */
  take(text: string, face: Face): Promise<TurnEnd> {
    return this.#live(face, (signal) => {
      this.recording?.note({ type: 'turn', text })
      return this.agent.run(text, {
        session: this.#session,
        ...this.#suspending,
        // What is recorded is not kept, and its cancel is on record where it is the run that is told.
        ...(this.recording === undefined && { signal, made: this.speaker.made(this.baseUrl) }),
      })
    })
  }

  /** Goes on with a turn that was begun before, in another process. */
  goOn(run: string, face: Face): Promise<TurnEnd> {
    return this.#live(face, (signal) =>
      this.agent.resume(run, { session: this.#session, signal, ...this.#suspending }),
    )
  }

  /** The same with a fork of one, which is no turn of a conversation: its agent finds what it needs. */
  goOnApart(run: string, face: Face): Promise<TurnEnd> {
    return this.#live(face, (signal) => this.agent.resume(run, { signal, ...this.#suspending }))
  }

  get #suspending(): { readonly suspend?: { readonly afterMs: number } } {
    return this.#letsGo ? { suspend: { afterMs: 0 } } : {}
  }

  async #live(
    face: Face,
    begin: (signal: AbortSignal) => ChatRun | Promise<ChatRun>,
  ): Promise<TurnEnd> {
    let run: ChatRun | undefined
    let giveUp: NodeJS.Timeout | undefined
    const leave = (): boolean => {
      if (run === undefined || !this.#canWait(run)) return false
      run.suspend()
      // A question within the work of a tool cannot wait elsewhere: such a turn is ended.
      giveUp ??= setTimeout(() => run?.cancel(), LEAVING_MS)
      return true
    }
    const interrupt = cancelOnInterrupt(this.io, (said) => face.complain(said), leave)
    const { signal } = interrupt
    const { recording } = this
    let release: (() => void) | undefined
    try {
      const begun = await begin(signal)
      run = recording?.watch(begun) ?? begun
      if (recording !== undefined) release = cancelBy(signal, run)
      return await this.#follow({ run, face, signal, leave })
    } finally {
      clearTimeout(giveUp)
      release?.()
      interrupt.release()
    }
  }

  /** Whether the run is at a question that anybody may answer, in whatever process. */
  #canWait({ requests }: ChatRun): boolean {
    return this.speaker.store !== undefined && requests.length > 0
  }

  async #follow(followed: Followed): Promise<TurnEnd> {
    const { run, face } = followed
    try {
      for await (const event of run) {
        face.show(event)
        if (event.type === 'request-open') await this.#ask(event, followed)
      }
      return this.#ended(await run.outcome, face)
    } catch (error) {
      if (!(error instanceof EchelonError) || error.code !== 'RUN_SUSPENDED') throw error
      return { reason: 'waits', run: run.id }
    }
  }

  /** Asks until there is an answer: from here, or from another process that shares the store. */
  async #ask(
    { request, about }: Extract<RunEvent, { type: 'request-open' }>,
    { run, face, signal, leave }: Followed,
  ): Promise<void> {
    if (!run.requests.includes(request)) return
    const elsewhere = new AbortController()
    void untilClosed(run, request).then(() => elsewhere.abort())
    const isKept = this.speaker.store !== undefined
    const allOfIt = isKept ? howToRead(run.id) : undefined
    const given = AbortSignal.any([signal, elsewhere.signal, this.io.ending.signal])
    const reply = await face.answer(about, given, allOfIt)
    // Told to end, it is left as it is, or canceled by whoever was told.
    if (reply === LATER || this.io.ending.signal.aborted) return
    // What was typed too late answers nothing.
    if (elsewhere.signal.aborted && !signal.aborted) face.complain(SETTLED)
    else if (reply === undefined) run.cancel()
    else if (reply === AWAY) {
      if (signal.aborted || !leave()) run.cancel()
    } else if (run.requests.includes(request)) run.respond(request, reply)
  }

  #ended(end: ChatEnd<unknown>, face: Face): TurnEnd {
    this.#last = tookOf(end)
    this.#all = together(this.#all, this.#last)
    const detail = end.problem === null ? end.detail : describeFailure(end.problem)
    const shown = {
      ...end,
      detail: detail === null ? null : this.speaker.redact(inOwnWords(detail)),
    }
    face.end(shown, this.agent.model ?? '')
    for (const remark of this.speaker.remarks()) face.complain(remark)
    return shown
  }
}

/** How long a turn that is left may take for what is under way beside its question. */
const LEAVING_MS = 2000

const SETTLED = 'this was settled in another terminal'

/** Settles when the request has its answer, or the run is over. */
async function untilClosed(run: ChatRun, request: string): Promise<void> {
  try {
    for await (const event of run) {
      if (event.type === 'request-close' && event.request === request) return
    }
  } catch {
    // Whoever follows the run is told.
  }
}
