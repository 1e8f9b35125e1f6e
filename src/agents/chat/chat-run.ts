import type { Amounts } from '../../core/budget.ts'
import type { RunEvent } from '../../core/event.ts'
import type { Json } from '../../core/json.ts'
import type { Layer } from '../../core/middleware.ts'
import type { Usage } from '../../core/model.ts'
import type { Message } from '../../core/thread.ts'
import type { RunEnd } from '../../runtime/loop.ts'
import type { Run } from '../../runtime/run.ts'
import type { ChatState } from './chat-definition.ts'
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
  #result: Promise<ChatEnd<States>> | undefined

  constructor(run: Run<ChatResult, ChatState>, layers: readonly Layer[]) {
    this.#run = run
    this.#layers = layers
  }

  get id(): string {
    return this.#run.id
  }

  /**
   * How it ended. What goes wrong in the world is a reason. Rejects when the model could not be
   * loaded, the journal could not be written, or the program has a mistake.
   */
  get result(): Promise<ChatEnd<States>> {
    return (this.#result ??= this.#run.result.then((end) => this.#endOf(end)))
  }

  /** What was spent so far, by counter. */
  get spent(): Amounts {
    return this.#run.spent
  }

  /** Requests that wait for `respond`. */
  get requests(): readonly string[] {
    return this.#run.requests
  }

  /** Stops work now; the run ends with what there is. */
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

  /** Says something while it works; it hears it between two steps. */
  hear(text: string): void {
    this.#run.hear(text)
  }

  /** Events from now on, in order; ends with the run and throws what `result` rejects with. */
  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void, undefined> {
    return this.#run[Symbol.asyncIterator]()
  }

  #endOf({ status, reason, result }: RunEnd<ChatResult>): ChatEnd<States> {
    const { spent } = this.#run
    const { messages } = this.#run.state
    return {
      text: result.text,
      status,
      reason,
      detail: result.detail,
      usage: { input: sum(spent, 'input.'), output: sum(spent, 'output.') },
      cost: sum(spent, 'unpriced.') > 0 ? null : sum(spent, 'money.'),
      state: { middleware: this.#states() },
      // Copied where it is looked at: what is shared goes on growing.
      get messages() {
        return [...messages.toArray()]
      },
    }
  }

  // The layers are those from whose types the states' types were read. An overload says so, since
  // no compiler sees from a list what it was made of.
  #states(): States
  #states(): unknown {
    const states: Record<string, unknown> = {}
    for (const layer of this.#layers) {
      if (layer.slot !== undefined) states[layer.name] = this.#run.stateOf(layer)
    }
    return states
  }
}

/** Of all roles: what sub-agents took is in the same ledger. */
function sum(spent: Amounts, kind: string): number {
  let total = 0
  for (const counter in spent) if (counter.startsWith(kind)) total += spent[counter] ?? 0
  return total
}
