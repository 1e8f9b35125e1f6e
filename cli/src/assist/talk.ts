import type { Assistant, AssistResult, AssistSession, MemoryFolder } from '@echelon/assist'
import type { UserFacts } from '@echelon/knowledge'
import { describeFailure } from 'echelon/runtime'
import type { Display, Ended } from '../conversation/display.ts'
import { isProgress } from '../conversation/event-line.ts'
import { describeIntent } from './describe.ts'
import type { FirstRun } from './first-run.ts'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import type { Io } from '../io.ts'

interface TalkParts {
  readonly io: Io
  readonly display: Display
  readonly assistant: Assistant
  readonly session: AssistSession
  readonly memory: MemoryFolder
  readonly redact: (text: string) => string
  /** Facts remembered about the user; undefined if none are kept. */
  readonly facts?: UserFacts | undefined
  /** Asks a stranger for an intent first; absent with an intent, or if no one can be asked. */
  readonly firstRun?: FirstRun | undefined
  /** Said once after an answer under the example intent. */
  readonly example?: string | undefined
}

/** A conversation with the assistant. Only plans and evaluations of it are stored. */
export class AssistTalk {
  readonly memory: MemoryFolder
  readonly #parts: TalkParts
  readonly #said: string[] = []
  #last: AssistResult | undefined
  #example: string | undefined

  constructor(parts: TalkParts) {
    this.memory = parts.memory
    this.#parts = parts
    this.#example = parts.example
  }

  /** Facts remembered about the user; undefined if none are kept. */
  get facts(): UserFacts | undefined {
    return this.#parts.facts
  }

  /** Result of the last turn. */
  get last(): AssistResult | undefined {
    return this.#last
  }

  /** The user's messages in turns, oldest first. */
  get said(): readonly string[] {
    return this.#said
  }

  /** Takes a line: an answer of the first run, or a message. */
  async take(text: string): Promise<Ended> {
    const { firstRun, display } = this.#parts
    if (firstRun === undefined || firstRun.isOver) return await this.#turn(text)
    const step = await firstRun.take(text)
    switch (step.type) {
      case 'message':
        return await this.#turn(text)
      case 'ask':
        display.say(step.question)
        return 'answered'
      case 'skipped':
        display.say('Then the example intent applies. What is on your mind?')
        return 'answered'
      case 'made':
        this.#example = undefined
        display.say(
          `${describeIntent(step.intent)}\nThis is your intent from now on. What is on your mind?`,
        )
        return 'answered'
    }
  }

  /** Runs one turn. Ctrl-C cancels it; a second one exits at once. */
  async #turn(text: string): Promise<Ended> {
    this.#said.push(text)
    const { io, display, assistant, session } = this.#parts
    const complain = (said: string): void => display.complain(said)
    const { signal, release } = cancelOnInterrupt(io, complain)
    try {
      const run = assistant.run(text, { session, signal })
      const unstored = this.#follow(run)
      const result = await run.outcome
      for (const said of await unstored) complain(said)
      this.#last = result
      const ended = this.#end(result)
      if (this.#example !== undefined && result.outcome === 'answered') {
        display.say(this.#example)
        this.#example = undefined
      }
      return ended
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

const GOOD: readonly AssistResult['outcome'][] = [
  'answered',
  'quoted',
  'small_talk',
  'stopped',
  'frustration',
  'achieved',
]
