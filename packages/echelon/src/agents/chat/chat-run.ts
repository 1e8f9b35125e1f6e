import type { Amounts } from '../../core/agent/budget.ts'
import type { RunEvent } from '../../core/agent/event.ts'
import type { Json } from '../../core/value/json.ts'
import type { Layer } from '../../core/extension/middleware.ts'
import { isProblemCode, modelFailed } from '../../core/model/model-failed.ts'
import type { Usage } from '../../core/model/model.ts'
import type { Validated } from '../../core/schema/schema.ts'
import type { Problem } from '../../core/model/problem.ts'
import type { Message } from '../../core/message/thread.ts'
import type { RunEnd } from '../../runtime/loop.ts'
import type { Run } from '../../runtime/run.ts'
import type { RunWorld } from './chat-engine.ts'
import type { ChatState } from './chat-state.ts'
import type { ChatResult } from './input/chat-input.ts'
import { noOutput, type OutputFormat } from './output/output-format.ts'

/** What came of a turn. */
export interface ChatEnd<States, Output = unknown> {
  /** The last answer; empty when there was none. */
  readonly text: string
  /** The answer as the object that was asked for, checked; `undefined` where text was asked for. */
  readonly output: Output
  readonly status: 'finished' | 'canceled'
  /**
   * Why it ended. `stop`: the answer is complete. `length` or `filter`: it was cut off.
   * `max-iterations`; `budget:<limit>`, `capability:<what>` or `policy:<what>`; the code of what
   * failed, such as `rate-limit`; `canceled`.
   */
  readonly reason: string
  /** What stood against going on, in a sentence; `null` when the answer is complete. */
  readonly detail: string | null
  /** Why the model could not be asked, or withheld its answer; `null` where it did neither. */
  readonly problem: Problem | null
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
export class ChatRun<States = unknown, Output = unknown> implements AsyncIterable<RunEvent> {
  readonly #run: Run<ChatResult, ChatState>
  readonly #layers: readonly Layer[]
  /** What its conversation has to do when it is over; nothing where that takes no time. */
  readonly #after: Promise<void> | undefined
  /** Nothing where the answer is text. */
  readonly #output: OutputFormat | undefined
  #result: Promise<ChatEnd<States, Output>> | undefined
  #outcome: Promise<ChatEnd<States, Output | undefined>> | undefined

  constructor(
    run: Run<ChatResult, ChatState>,
    { layers, output }: Pick<RunWorld, 'layers' | 'output'>,
    after?: Promise<void>,
  ) {
    this.#run = run
    this.#layers = layers
    this.#output = output
    this.#after = after
  }

  get id(): string {
    return this.#run.id
  }

  /**
   * The answer. Rejects with MODEL_FAILED when the model could not be asked or withheld its answer:
   * a wrong key, an unknown model, a server that is down, a content filter; `details.problem` says
   * which. With an output schema it rejects too where the turn ended without an object that fits,
   * for whatever other reason (NO_OUTPUT, with `details` of `reason`, `problem` and the raw `text`).
   * Limits, permissions and a cancel are reasons of a result. Rejects as well as `outcome` does.
   * It may be left alone: a rejection that nobody awaits does not end the program.
   */
  get result(): Promise<ChatEnd<States, Output>> {
    return (this.#result ??= this.#quietly(this.#answer()))
  }

  /**
   * How it ended, whatever happened to the model: `reason` and `problem` say so. `output` is
   * `undefined` where there is no object that fits. Rejects when the model
   * could not be loaded, a rule forbids the turn (NOT_PERMITTED), a stored state cannot be loaded
   * (STATE_REFUSED), its conversation has a turn without an end (RUN_BUSY) or others went on with it
   * (SESSION_BUSY), the journal could not be written, the program has a mistake, or the run lets go of
   * this process while it waits (RUN_SUSPENDED).
   */
  get outcome(): Promise<ChatEnd<States, Output | undefined>> {
    return (this.#outcome ??= this.#quietly(this.#end().then(({ end }) => end)))
  }

  async #answer(): Promise<ChatEnd<States, Output>> {
    const { end, read } = await this.#end()
    const { problem, reason, text, detail } = end
    if (problem !== null) throw modelFailed({ run: this.id, problem, redact: this.#run.redact })
    const why = detail ?? (read?.ok === false ? read.message : null)
    if (this.#output === undefined || why === null) return withOutput(end)
    throw noOutput(this.id, { reason, text, why })
  }

  async #end(): Promise<Ended<States, Output>> {
    if (this.#after !== undefined) await this.#after
    const end = await this.#run.result
    const read = end.result.detail === null ? this.#output?.read(end.result.text) : undefined
    return { end: this.#endOf(end, read?.ok === true ? read.value : undefined), read }
  }

  /** Whoever only watches the events must not be ended by a promise that they hold. */
  #quietly<Value>(promise: Promise<Value>): Promise<Value> {
    promise.catch(nobodyWaits)
    return promise
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

  /**
   * Events from now on, in order; ends with the run and throws what `outcome` rejects with. That the
   * model failed is the reason of the last event, `run-end`.
   */
  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void, undefined> {
    return this.#run[Symbol.asyncIterator]()
  }

  // The schema is the one from whose type the output's type was read. An overload says so.
  #endOf(end: RunEnd<ChatResult>, output: unknown): ChatEnd<States, Output | undefined>
  #endOf({ status, reason, result }: RunEnd<ChatResult>, object: unknown): ChatEnd<States> {
    const { input, output, money, isPriced } = took(this.#run.spent)
    return {
      text: result.text,
      output: object,
      status,
      reason,
      detail: result.detail,
      problem: problemOf(status, reason, result),
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

/** A turn that an older version ended names its problem in the reason alone. */
function problemOf(
  status: RunEnd<ChatResult>['status'],
  reason: string,
  { detail, problem }: ChatResult,
): Problem | null {
  if (problem !== undefined) return problem
  if (status !== 'finished') return null
  const code = reason === 'filter' ? 'content-filter' : reason
  if (!isProblemCode(code)) return null
  return { code, message: detail ?? '', retryable: false, attempts: 1 }
}

interface Ended<States, Output> {
  readonly end: ChatEnd<States, Output | undefined>
  /** What was made of the answer, where it is to be an object and is complete. */
  readonly read: Validated<unknown> | undefined
}

// An end that holds the object that was asked for, or was asked for none. An overload says so.
function withOutput<States, Output>(
  end: ChatEnd<States, Output | undefined>,
): ChatEnd<States, Output>
function withOutput(end: unknown): unknown {
  return end
}

const nobodyWaits = (): undefined => undefined

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
