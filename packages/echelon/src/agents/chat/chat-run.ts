import type { Amounts } from '../../core/agent/budget.ts'
import type { RunEvent } from '../../core/agent/event.ts'
import type { Json } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
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

/** The outcome of a turn. */
export interface ChatEnd<States, Output = unknown> {
  /** The last answer; empty if there was none. */
  readonly text: string
  /** The validated object, or `undefined` without an output schema. */
  readonly output: Output
  readonly status: 'finished' | 'canceled'
  /**
   * Why it ended. `stop`: the answer is complete. `length` or `filter`: it was cut off.
   * `max-iterations`; `budget:<limit>`, `capability:<what>` or `policy:<what>`; an error code such as
   * `rate-limit`; `canceled`.
   */
  readonly reason: string
  /** Why the turn could not continue, in a sentence; `null` when the answer is complete. */
  readonly detail: string | null
  /** Why the model call failed or the answer was withheld; otherwise `null`. */
  readonly problem: Problem | null
  /** Tokens of the turn, sub-agents included; a fork's own, without those of the run it was forked from. */
  readonly usage: Usage
  /** US dollars, sub-agents included, and as `usage` a fork's own; `null` when the price of a call is unknown. */
  readonly cost: number | null
  readonly state: { readonly middleware: States }
  /** The whole conversation, instructions first. */
  readonly messages: readonly Message[]
}

/**
 * A running turn: iterate it for events, await `result`, `cancel` it, `respond` to its requests. It
 * runs with or without listeners, and can have any number of them.
 */
export class ChatRun<States = unknown, Output = unknown> implements AsyncIterable<RunEvent> {
  readonly #run: Run<ChatResult, ChatState>
  readonly #middlewares: readonly Middleware[]
  /** The session's work after the turn; `undefined` if there is nothing to await. */
  readonly #after: Promise<void> | undefined
  /** `undefined` if the answer is text. */
  readonly #output: OutputFormat | undefined
  #result: Promise<ChatEnd<States, Output>> | undefined
  #outcome: Promise<ChatEnd<States, Output | undefined>> | undefined

  constructor(
    run: Run<ChatResult, ChatState>,
    { middlewares, output }: Pick<RunWorld, 'middlewares' | 'output'>,
    after?: Promise<void>,
  ) {
    this.#run = run
    this.#middlewares = middlewares
    this.#output = output
    this.#after = after
  }

  get id(): string {
    return this.#run.id
  }

  /**
   * The answer. Rejects with MODEL_FAILED when the model call failed or the answer was withheld: a
   * wrong key, an unknown model, a server that is down, a content filter; `details.problem` says which.
   * With an output schema it also rejects when the turn ended without a valid object for any other
   * reason (NO_OUTPUT, with `details` of `reason`, `problem` and the raw `text`). Limits, permissions
   * and a cancel do not reject; the result's `reason` names them. Also rejects whenever `outcome` does.
   * An unhandled rejection of this promise does not end the program.
   */
  get result(): Promise<ChatEnd<States, Output>> {
    return (this.#result ??= this.#quietly(this.#answer()))
  }

  /**
   * The end of the turn, even if the model failed: see `reason` and `problem`. `output` is `undefined`
   * without a valid object. Rejects when the model could not be loaded, a rule forbids the turn
   * (NOT_PERMITTED), a stored state cannot be loaded (STATE_REFUSED), its conversation has an
   * unfinished turn (RUN_BUSY) or was continued elsewhere (SESSION_BUSY), the journal could not be
   * written, the program has a bug, or the run was suspended while it waits (RUN_SUSPENDED).
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

  /** Prevents an unhandled rejection in programs that only listen to events. */
  #quietly<Value>(promise: Promise<Value>): Promise<Value> {
    promise.catch(ignore)
    return promise
  }

  /** The spending so far, by counter. */
  get spent(): Amounts {
    return this.#run.spent
  }

  /** Requests that wait for `respond`. */
  get requests(): readonly string[] {
    return this.#run.requests
  }

  /** Stops work now; the run ends with what it has. A partly streamed answer is dropped. */
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
   * Suspends the run as soon as it is only waiting, at the latest between two steps: `result` rejects
   * with RUN_SUSPENDED, and `resume` continues it in any process.
   * @throws EchelonError INVALID_CONFIG for an agent without a journal
   */
  suspend(): void {
    this.#run.suspend()
  }

  /**
   * Sends user text to the running turn, which reads it between two steps. Text sent during the last
   * model call is answered before the turn ends, if that call completes its answer.
   * @throws EchelonError INVALID_INPUT when the turn has ended or was canceled: send it in the next
   * turn
   */
  hear(text: string): void {
    this.#run.hear(text)
  }

  /**
   * Yields events from now on, in order; ends with the run and throws what `outcome` rejects with. A
   * model failure does not throw; the last event, `run-end`, has it as its reason.
   */
  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void, undefined> {
    return this.#run[Symbol.asyncIterator]()
  }

  // The schema is the one from whose type the output's type was read. An overload says so.
  #endOf(end: RunEnd<ChatResult>, output: unknown): ChatEnd<States, Output | undefined>
  #endOf({ status, reason, result }: RunEnd<ChatResult>, object: unknown): ChatEnd<States> {
    const { input, output, money, isPriced } = took(this.#run.ownSpent)
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
      // A copy: the session continues with the same list.
      messages: this.#run.state.messages.toArray().slice(),
    }
  }

  // The middleware are those from whose types the states' types were read. An overload says so, since
  // no compiler sees from a list what it was made of.
  #states(): States
  #states(): unknown {
    const states: Record<string, unknown> = {}
    for (const middleware of this.#middlewares) {
      if (middleware.slot === undefined) continue
      const isAlone = this.#middlewares.every(
        (other) => other === middleware || !isNamesake(middleware, other),
      )
      states[isAlone ? middleware.name : middleware.key] = this.#run.stateOf(middleware)
    }
    return states
  }
}

/** A turn ended by an older version names its problem only in the reason. */
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
  /** The parsed answer, if it is complete and an object was requested. */
  readonly read: Validated<unknown> | undefined
}

// An end that holds the object that was asked for, or was asked for none. An overload says so.
function withOutput<States, Output>(
  end: ChatEnd<States, Output | undefined>,
): ChatEnd<States, Output>
function withOutput(end: unknown): unknown {
  return end
}

const ignore = (): undefined => undefined

const isNamesake = (middleware: Middleware, { name, slot }: Middleware): boolean =>
  slot !== undefined && name === middleware.name

/** Sums the spending of all roles; sub-agents use the same counters. */
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

/** The part of a counter before the role; empty for counters without a role. */
function kindOf(counter: string): string {
  const known = kinds.get(counter)
  if (known !== undefined) return known
  const kind = counter.slice(0, Math.max(0, counter.indexOf('.')))
  kinds.set(counter, kind)
  return kind
}
