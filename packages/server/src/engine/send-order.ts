import { type Clock, EchelonError, type Engine, type RunOrder } from 'echelon/runtime'
import { HttpProblem } from '../http/problem.ts'

const TRIES = 3
const PAUSE_MS = 200

/** An order that may have been recorded although its answer was lost: its money must stay taken. */
export class UnknownOrder extends HttpProblem {
  constructor() {
    super(
      503,
      'order_unknown',
      'the queues did not answer; send the request again with the same idempotency key',
    )
  }
}

/**
 * Orders a run. The same order twice is one run, so it is sent again if no answer came.
 * @throws UnknownOrder if none came at all, and refusals of the engine
 */
export async function sendOrder(engine: Engine, order: RunOrder, clock: Clock): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await engine.start(order)
      return
    } catch (error) {
      if (error instanceof EchelonError && error.code !== 'STORE_UNUSABLE') throw error
      if (tries === TRIES) throw new UnknownOrder()
      await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve))
    }
  }
}
