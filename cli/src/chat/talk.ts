import type { Agent, ChatEnd, ProviderChoice, Session } from 'echelon/chat'
import type { RunRecording } from 'echelon/replay'
import type { Json, RunEvent } from 'echelon/runtime'
import { cancelOnInterrupt } from '../cancel-on-interrupt.ts'
import { cancelBy } from '../record/recorded-case.ts'
import type { Speaker } from './make-agent.ts'
import { inOwnWords } from './own-words.ts'
import { NOTHING, together, type Took, tookOf } from './took.ts'

/** How a chat is shown, and who answers what is asked in it. */
export interface Face {
  /** Shows what happens in a turn. */
  show(event: RunEvent): void
  /** Answers a request; nothing to cancel the turn. */
  answer(about: Json, signal: AbortSignal): Promise<Json | undefined>
  /** Shows how a turn ended. */
  end(end: ChatEnd<unknown>, model: string): void
  /** What a command says. */
  say(text: string): void
  /** What went wrong with a command, or what the person should know. */
  complain(text: string): void
}

/** A conversation with an agent: its session, and what it took so far. */
export class Talk {
  readonly speaker: Speaker
  readonly agent: Agent
  /** The address of the model's server, if one was given. */
  baseUrl: string | undefined
  /** Where the conversation is recorded, if it is. */
  recording: RunRecording | undefined
  /** Whether a turn was taken back: what it took still counts. */
  hasUndone = false
  #isResumed: boolean
  #session: Session
  #last: Took = NOTHING
  #all: Took = NOTHING

  /** @param session one to go on with; without it a new one */
  constructor(speaker: Speaker, session?: Session) {
    this.speaker = speaker
    this.agent = speaker.agent
    this.#isResumed = session !== undefined
    this.#session = session ?? speaker.agent.session()
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
  clear(): void {
    this.recording?.note({ type: 'clear' })
    this.#session = this.agent.session()
    this.#isResumed = false
  }

  /** One turn. Ctrl-C cancels it, a second one leaves. */
  async take(text: string, face: Face): Promise<ChatEnd<unknown>> {
    const interrupt = cancelOnInterrupt((said) => face.complain(said))
    const { signal } = interrupt
    const { recording } = this
    recording?.note({ type: 'turn', text })
    const begun = this.agent.run(text, {
      session: this.#session,
      // A cancel is on record where it is the run that is told.
      ...(recording === undefined && { signal }),
    })
    const run = recording?.watch(begun) ?? begun
    const release = recording && cancelBy(signal, run)
    try {
      for await (const event of run) {
        face.show(event)
        if (event.type !== 'request-open') continue
        const reply = await face.answer(event.about, signal)
        if (reply === undefined) run.cancel()
        else if (run.requests.includes(event.request)) run.respond(event.request, reply)
      }
      const end = await run.result
      this.#last = tookOf(end)
      this.#all = together(this.#all, this.#last)
      const { detail } = end
      const shown = {
        ...end,
        detail: detail === null ? null : this.speaker.redact(inOwnWords(detail)),
      }
      face.end(shown, this.agent.model ?? '')
      for (const remark of this.speaker.remarks()) face.complain(remark)
      return shown
    } finally {
      release?.()
      interrupt.release()
    }
  }
}
