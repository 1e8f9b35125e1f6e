import { EchelonError } from 'echelon/runtime'
import type { RunEvent } from 'echelon/runtime'
import type {
  AgentResponse,
  AgentRouter,
  Message,
  MockSink,
  TelemetryEvent,
} from '@echelon/support'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import type { ActingFor } from './acting-for.ts'
import type { Shop } from './shop.ts'
import type { Io } from '../io.ts'

/** One message and what it came to. */
export interface DeskTurn {
  readonly response: AgentResponse
  /** What was said before the tool was called. */
  readonly said: readonly string[]
  readonly stages: readonly TelemetryEvent[]
  readonly ended: 'answered' | 'failed' | 'canceled'
}

/** How a conversation is shown. */
export interface DeskFace {
  /** Shows what happens in a turn. */
  show(event: RunEvent): void
  end(turn: DeskTurn): void
  /** What a command says. */
  say(text: string): void
  /** What went wrong, or what the person should know. */
  complain(text: string): void
}

interface DeskParts {
  readonly router: AgentRouter
  readonly session: string
  readonly customer: ActingFor
  readonly channel: string
  readonly shop: Shop
  /** Hears the stages of the turn that is under way. */
  readonly sink: MockSink
  readonly redact: (text: string) => string
}

/** A customer's conversation with the support agent. */
export class Desk {
  readonly #io: Io

  readonly session: string
  readonly customer: ActingFor
  readonly shop: Shop
  readonly redact: (text: string) => string
  readonly #parts: DeskParts
  #last: DeskTurn | undefined
  #ended: DeskTurn['ended'] | 'refused' | undefined

  constructor(io: Io, parts: DeskParts) {
    this.#io = io
    this.#parts = parts
    this.session = parts.session
    this.customer = parts.customer
    this.shop = parts.shop
    this.redact = parts.redact
  }

  /** The last turn of this process; nothing before the first. */
  get last(): DeskTurn | undefined {
    return this.#last
  }

  /** How the last message ended, `refused` where it could not even begin; nothing before the first. */
  get ended(): DeskTurn['ended'] | 'refused' | undefined {
    return this.#ended
  }

  history(): Promise<readonly Message[]> {
    return this.#parts.router.history(this.session)
  }

  /** One turn. Ctrl-C cancels it, a second one leaves. */
  take(text: string, face: DeskFace): Promise<DeskTurn> {
    const { router, customer, channel } = this.#parts
    return this.#live(face, async (signal, said) => {
      const given = { text, customerId: customer.id, context: { channel } }
      const run = await router.start(given, this.session, { signal })
      for await (const event of run) {
        if (event.type === 'said') said.push(event.text)
        face.show(event)
      }
      return run.response
    })
  }

  /** Tells what a person decided about what waits for one. */
  review(approved: boolean, reason: string, face: DeskFace): Promise<DeskTurn> {
    const by = 'whoever sits at the terminal'
    const decided = { approved, by, ...(reason !== '' && { reason }) }
    return this.#live(face, (signal) =>
      this.#parts.router.review(this.session, decided, { signal }),
    )
  }

  /**
   * Gives the conversation back to the agent.
   * @returns whether a person had it
   */
  async handBack(): Promise<boolean> {
    const { length } = await this.history()
    await this.#parts.router.handBack(this.session)
    return (await this.history()).length > length
  }

  async #live(
    face: DeskFace,
    work: (signal: AbortSignal, said: string[]) => Promise<AgentResponse>,
  ): Promise<DeskTurn> {
    const interrupt = cancelOnInterrupt(this.#io, (said) => face.complain(said))
    const { signal } = interrupt
    const { sink } = this.#parts
    sink.events.length = 0
    const said: string[] = []
    this.#ended = 'refused'
    try {
      const response = await work(signal, said)
      const stages = [...sink.events]
      const turn = {
        response,
        said,
        stages,
        ended: signal.aborted ? 'canceled' : endOf(stages),
      } as const
      this.#last = turn
      this.#ended = turn.ended
      face.end(turn)
      return turn
    } finally {
      interrupt.release()
    }
  }
}

const endOf = (stages: readonly TelemetryEvent[]): DeskTurn['ended'] =>
  stageOf(stages, 'response_generated')?.['outcome'] === 'failed' ? 'failed' : 'answered'

/** What a stage told last; nothing where it was not reached. */
export const stageOf = (
  stages: readonly TelemetryEvent[],
  name: TelemetryEvent['stage'],
): TelemetryEvent['payload'] | undefined => stages.findLast(({ stage }) => stage === name)?.payload

/** Why a turn failed, where the customer is not told. */
export function problemOf({ stages }: DeskTurn): string | undefined {
  const error = stageOf(stages, 'response_generated')?.['error']
  if (error === undefined || error === null) return undefined
  return typeof error === 'string' ? error : JSON.stringify(error)
}

/** A turn that cannot even begin is no end of a conversation. */
export async function unlessRefused<Done>(
  desk: Desk,
  face: DeskFace,
  work: () => Promise<Done>,
): Promise<Done | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    face.complain(desk.redact(error.message))
    return undefined
  }
}
