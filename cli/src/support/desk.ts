import type { RunEvent } from 'echelon/runtime'
import type {
  AgentResponse,
  AgentRouter,
  Message,
  MockSink,
  TelemetryEvent,
} from '@echelon/support'
import type { Display, Ended } from '../conversation/display.ts'
import { isProgress } from '../conversation/event-line.ts'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import type { Io } from '../io.ts'
import type { ActingFor } from './acting-for.ts'
import type { Shop } from './shop.ts'

/** One message and its result. */
export interface DeskTurn {
  readonly response: AgentResponse
  /** Sentences shown before the tool was called. */
  readonly said: readonly string[]
  readonly stages: readonly TelemetryEvent[]
  readonly ended: Ended
}

interface DeskParts {
  readonly io: Io
  readonly display: Display
  readonly router: AgentRouter
  readonly session: string
  readonly customer: ActingFor
  readonly channel: string
  readonly shop: Shop
  /** Collects the stages of the current turn. */
  readonly sink: MockSink
  readonly redact: (text: string) => string
}

/** A customer's conversation with the support agent. */
export class Desk {
  readonly parts: DeskParts
  #last: DeskTurn | undefined

  constructor(parts: DeskParts) {
    this.parts = parts
  }

  /** The last turn of this process; undefined before the first. */
  get last(): DeskTurn | undefined {
    return this.#last
  }

  history(): Promise<readonly Message[]> {
    return this.parts.router.history(this.parts.session)
  }

  /** Runs one turn. Ctrl-C cancels it; a second one exits at once. */
  take(text: string): Promise<Ended> {
    const { router, session, customer, channel } = this.parts
    return this.#live(async (signal, said) => {
      const given = { text, customerId: customer.id, context: { channel } }
      const run = await router.start(given, session, { signal })
      for await (const event of run) this.#show(event, said)
      return run.response
    })
  }

  /** Approves or declines the pending plan. */
  review(approved: boolean, reason = ''): Promise<Ended> {
    const by = 'whoever sits at the terminal'
    const decided = { approved, by, ...(reason !== '' && { reason }) }
    const { router, session } = this.parts
    return this.#live((signal) => router.review(session, decided, { signal }))
  }

  /** Hands the conversation back to the agent. @returns whether a person had it */
  async handBack(): Promise<boolean> {
    const { length } = await this.history()
    await this.parts.router.handBack(this.parts.session)
    return (await this.history()).length > length
  }

  async #live(
    work: (signal: AbortSignal, said: string[]) => Promise<AgentResponse>,
  ): Promise<Ended> {
    const { io, display, sink } = this.parts
    const { signal, release } = cancelOnInterrupt(io, (text) => display.complain(text))
    sink.events.length = 0
    const said: string[] = []
    try {
      const response = await work(signal, said)
      const stages = [...sink.events]
      const turn = { response, said, stages, ended: signal.aborted ? 'canceled' : endOf(stages) }
      this.#last = turn
      this.#end(turn)
      return turn.ended
    } finally {
      release()
    }
  }

  /** Shows sentences as answers. Text of a model is not shown before it is checked. */
  #show(event: RunEvent, said: string[]): void {
    if (event.type === 'said') {
      said.push(event.text)
      this.parts.display.answer(event.text)
    } else if (isProgress(event)) this.parts.display.show(event)
  }

  #end(turn: DeskTurn): void {
    const { response, said, ended, stages } = turn
    const isCanceled = ended === 'canceled'
    const problem = problemOf(turn)
    const { display, session, redact } = this.parts
    display.end({
      text: isCanceled ? '' : response.text,
      problem: isCanceled ? 'canceled' : problem && redact(problem),
      hint: hintOf(turn),
      json: { session, ...response, said, ended, stages },
    })
  }
}

const outcomeOf = (stages: readonly TelemetryEvent[]): unknown =>
  stageOf(stages, 'response_generated')?.['outcome']

const endOf = (stages: readonly TelemetryEvent[]): Ended =>
  outcomeOf(stages) === 'failed' ? 'failed' : 'answered'

/** The person at the terminal plays the colleague too. */
function hintOf({ stages }: DeskTurn): string | undefined {
  const outcome = outcomeOf(stages)
  if (outcome === 'blocked') return 'as the colleague: /approve, or /decline and why'
  if (outcome === 'handed_over') return 'as the colleague: /back lets the agent answer again'
  return undefined
}

/** The last report of a stage; undefined if the stage was not reached. */
export const stageOf = (
  stages: readonly TelemetryEvent[],
  name: TelemetryEvent['stage'],
): TelemetryEvent['payload'] | undefined => stages.findLast(({ stage }) => stage === name)?.payload

/** Why a turn failed; hidden from the customer. */
function problemOf({ stages }: DeskTurn): string | undefined {
  const error = stageOf(stages, 'response_generated')?.['error']
  if (error === undefined || error === null) return undefined
  return typeof error === 'string' ? error : JSON.stringify(error)
}
