import type { Assistant, AssistResult, AssistSession, MemoryFolder } from '@echelon/assist'
import { describeFailure } from 'echelon/runtime'
import type { Display, Ended } from '../conversation/display.ts'
import { isProgress } from '../conversation/event-line.ts'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import type { Io } from '../io.ts'

interface TalkParts {
  readonly io: Io
  readonly display: Display
  readonly assistant: Assistant
  readonly session: AssistSession
  readonly memory: MemoryFolder
  readonly redact: (text: string) => string
}

/** A conversation with the assistant. Only plans and evaluations of it are stored. */
export class AssistTalk {
  readonly memory: MemoryFolder
  readonly #parts: TalkParts
  #last: AssistResult | undefined

  constructor(parts: TalkParts) {
    this.memory = parts.memory
    this.#parts = parts
  }

  /** Result of the last turn. */
  get last(): AssistResult | undefined {
    return this.#last
  }

  /** Runs one turn. Ctrl-C cancels it; a second one exits at once. */
  async take(text: string): Promise<Ended> {
    const { io, display, assistant, session } = this.#parts
    const complain = (said: string): void => display.complain(said)
    const { signal, release } = cancelOnInterrupt(io, complain)
    try {
      const run = assistant.run(text, { session, signal })
      const unstored = this.#follow(run)
      const result = await run.outcome
      for (const said of await unstored) complain(said)
      this.#last = result
      return this.#end(result)
    } finally {
      release()
    }
  }

  /** @returns what could not be stored, of which the result does not tell */
  async #follow(run: ReturnType<Assistant['run']>): Promise<readonly string[]> {
    const said: string[] = []
    let why = ''
    for await (const event of run) {
      if (isProgress(event)) this.#parts.display.show(event)
      if (event.type === 'step-end' && event.seen.type === 'failed') why = event.seen.error.message
      if (event.type !== 'note' || event.note.stage !== 'memory-not-kept') continue
      const { memory } = event.note.data
      if (typeof memory === 'string') said.push(`the ${memory} of this turn are not kept (${why})`)
    }
    return said
  }

  #end({ text, outcome, problem, isQuestion, plan, evaluation, why }: AssistResult): Ended {
    const isCanceled = outcome === 'canceled'
    const failure = problem === null ? undefined : this.#parts.redact(describeFailure(problem))
    this.#parts.display.end({
      text: problem === null ? text : '',
      problem: isCanceled ? 'canceled' : failure,
      json: { text, outcome, is_question: isQuestion, plan, evaluation, why },
    })
    if (isCanceled) return 'canceled'
    return GOOD.includes(outcome) ? 'answered' : 'failed'
  }
}

const GOOD: readonly AssistResult['outcome'][] = ['answered', 'stopped', 'frustration', 'achieved']
