import type { ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import type { CallTook, Generated } from '../../core/agent/observation.ts'

/** Makes a model call: the rest of the middleware chain. */
export type Wire = (call: ModelCall) => Promise<ModelOutcome>

/** Makes calls and adds up what they report. */
export class Spent {
  readonly #next: Wire
  readonly #took: CallTook[] = []
  #calls = 0
  #cost: number | null = 0

  constructor(next: Wire) {
    this.#next = next
  }

  /** Calls that were made. */
  get calls(): number {
    return this.#calls
  }

  async call(call: ModelCall): Promise<ModelOutcome> {
    const outcome = await this.#next(call)
    if (outcome.type === 'refused') return outcome
    this.#calls++
    if (outcome.type === 'generated') this.#took.push(...(outcome.took ?? [tookOf(outcome)]))
    const cost = costOf(outcome)
    this.#cost = this.#cost === null || cost === null ? null : this.#cost + cost
    return outcome
  }

  /** An answer at the price of all calls. */
  with(answer: Generated): Generated {
    if (this.#calls === 1) return answer
    const took = this.#took
    const input = took.reduce((sum, { usage }) => sum + usage.input, 0)
    const output = took.reduce((sum, { usage }) => sum + usage.output, 0)
    return { ...answer, usage: { input, output }, cost: this.#cost, took }
  }
}

const tookOf = ({ model, usage, cost, assumed }: Generated): CallTook => ({
  model,
  usage,
  cost,
  ...(assumed !== undefined && { assumed }),
})

/** The cost of a call: unknown if it was cut off, zero for another failure. */
function costOf(outcome: Exclude<ModelOutcome, { type: 'refused' }>): number | null {
  if (outcome.type === 'generated') return outcome.cost
  const { code, attempts } = outcome.error
  return attempts > 0 && (code === 'aborted' || code === 'timeout') ? null : 0
}
