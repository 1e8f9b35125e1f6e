import type { Amounts } from '../../core/budget.ts'
import type { RunEvent } from '../../core/event.ts'
import type { Json } from '../../core/json.ts'
import type { Layer } from '../../core/middleware.ts'
import type { Usage } from '../../core/model.ts'
import type { Message } from '../../core/thread.ts'
import type { RunEnd } from '../../runtime/loop.ts'
import type { Run } from '../../runtime/run.ts'
import type { ChatState } from './chat-state.ts'
import type { ChatResult } from './chat-input.ts'

/** What came of a turn. */
export interface ChatEnd<States> {
  /** The last answer; empty when there was none. */
  readonly text: string
  readonly status: 'finished' | 'canceled'
  /**
   * Why it ended. `stop`: the answer is complete. `length` or `filter`: it was cut off.
   * `max-iterations`; `budget:<limit>`, `capability:<what>` or `policy:<what>`; the code of what
   * failed, such as `rate-limit`; `canceled`.
   */
  readonly reason: string
  /** What stood against going on, in a sentence; `null` when the answer is complete. */
  readonly detail: string | null
  /** Tokens of the turn, sub-agents included. */
  readonly usage: Usage
  /** US dollars, sub-agents included; `null` when the price of a call is unknown. */
  readonly cost: number | null
  readonly state: { readonly middleware: States }
  /** The whole conversation, instructions first. */
  readonly messages: readonly Message[]
}

/**
 * A turn under way: iterate it for events, await `result`, `cancel` it, `respond` to what it asks.
 * It works whether or not anybody watches. Any number may watch and await it at the same time.
 */
export class ChatRun<States = unknown> implements AsyncIterable<RunEvent> {
  readonly #run: Run<ChatResult, ChatState>
  readonly #layers: readonly Layer[]
  /** What its conversation has to do when it is over; nothing where that takes no time. */
  readonly #after: Promise<void> | undefined
  #result: Promise<ChatEnd<States>> | undefined

  constructor(run: Run<ChatResult, ChatState>, layers: readonly Layer[], after?: Promise<void>) {
    this.#run = run
    this.#layers = layers
    this.#after = after
  }

  get id(): string {
    return this.#run.id
  }

  /**
   * How it ended. What goes wrong in the world is a reason. Rejects when the model could not be
   * loaded, a rule forbids the turn (NOT_PERMITTED), a stored state cannot be loaded (STATE_REFUSED),
   * the journal could not be written, the program has a mistake, or the run lets go of this process
   * while it waits (RUN_SUSPENDED).
   */
  get result(): Promise<ChatEnd<States>> {
    return (this.#result ??= this.#whole())
  }

  async #whole(): Promise<ChatEnd<States>> {
    if (this.#after !== undefined) await this.#after
    return this.#endOf(await this.#run.result)
  }

  /** What was spent so far, by counter. */
  get spent(): Amounts {
    return this.#run.spent
  }

  /** Requests that wait for `respond`. */
  get requests(): readonly string[] {
    return this.#run.requests
  }

  /** Stops work now; the run ends with what there is. An answer that is being spoken is dropped. */
  cancel(): void {
    this.#run.cancel()
  }

  /**
   * Answers a request of this run.
   * @throws EchelonError UNKNOWN_REQUEST
   */
  respond(request: string, reply: Json): void {
    this.#run.respond(request, reply)
  }

  /**
   * Lets go of this process at the next moment at which nothing is under way but waits, at the latest
   * between two steps: `result` rejects with RUN_SUSPENDED, and `resume` goes on in whatever process.
   * @throws EchelonError INVALID_CONFIG for an agent without a journal
   */
  suspend(): void {
    this.#run.suspend()
  }

  /**
   * Says something while it works. It hears it between two steps; what is said during the last model
   * call is answered before it ends, where it did not end for another reason than a complete answer.
   * @throws EchelonError INVALID_INPUT when it has ended or was canceled: say it in the next turn
   */
  hear(text: string): void {
    this.#run.hear(text)
  }

  /** Events from now on, in order; ends with the run and throws what `result` rejects with. */
  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void, undefined> {
    return this.#run[Symbol.asyncIterator]()
  }

  #endOf({ status, reason, result }: RunEnd<ChatResult>): ChatEnd<States> {
    const { input, output, money, isPriced } = took(this.#run.spent)
    return {
      text: result.text,
      status,
      reason,
      detail: result.detail,
      usage: { input, output },
      cost: isPriced ? money : null,
      state: { middleware: this.#states() },
      // A copy: what the session goes on with is the same list.
      messages: this.#run.state.messages.toArray().slice(),
    }
  }

  // The layers are those from whose types the states' types were read. An overload says so, since
  // no compiler sees from a list what it was made of.
  #states(): States
  #states(): unknown {
    const states: Record<string, unknown> = {}
    for (const layer of this.#layers) {
      if (layer.slot === undefined) continue
      const isAlone = this.#layers.every((other) => other === layer || !isNamesake(layer, other))
      states[isAlone ? layer.name : layer.key] = this.#run.stateOf(layer)
    }
    return states
  }
}

const isNamesake = (layer: Layer, { name, slot }: Layer): boolean =>
  slot !== undefined && name === layer.name

/** What all roles took together: what sub-agents did is in the same ledger. */
function took(spent: Amounts): Usage & { readonly money: number; readonly isPriced: boolean } {
  const sum = { input: 0, output: 0, money: 0, isPriced: true }
  for (const counter in spent) {
    const amount = spent[counter] ?? 0
    switch (kindOf(counter)) {
      case 'input':
        sum.input += amount
        break
      case 'output':
        sum.output += amount
        break
      case 'money':
        sum.money += amount
        break
      case 'unpriced':
        if (amount > 0) sum.isPriced = false
    }
  }
  return sum
}

// There are few counters, and telling them apart anew after each turn takes longer than adding up.
const kinds = new Map<string, string>()

/** What stands before a role; empty for what is counted of no role. */
function kindOf(counter: string): string {
  const known = kinds.get(counter)
  if (known !== undefined) return known
  const kind = counter.slice(0, Math.max(0, counter.indexOf('.')))
  kinds.set(counter, kind)
  return kind
}
