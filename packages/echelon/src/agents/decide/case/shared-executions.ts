import { EchelonError } from '../../../core/value/error.ts'

/** Executions that are kept; of those that are done the oldest goes first. */
const MOST_KEPT = 1000

/** An execution under way or done. */
export interface Execution<Result> {
  readonly result: Promise<Result>
  /** What there is now, as the result of somebody who stops waiting. */
  readonly partial: () => Result
}

interface Shared<Result> {
  readonly input: string
  readonly began: Promise<Execution<Result>>
  readonly everyoneLeft: AbortController
  waiting: number
  done: boolean
}

export interface JoinOptions<Result> {
  /** What decides about the result, as text. */
  readonly input: string
  readonly begin: (signal: AbortSignal) => Promise<Execution<Result>>
  /** Whether a result may be given again. */
  readonly keep: (result: Result) => boolean
  /** Of this caller alone. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Executions by idempotency key: the same key gives the same result and no second execution, also
 * to callers that come while the first is under way. Another input under a used key is refused.
 * A caller that aborts gets what there is; the execution itself is aborted when all have left.
 * What failed or was canceled is not kept. Lives as long as the process.
 */
export class SharedExecutions<Result> {
  readonly #kept = new Map<string, Shared<Result>>()

  async join(key: string, options: JoinOptions<Result>): Promise<Result> {
    const shared = this.#find(key, options) ?? this.#start(key, options)
    shared.waiting++
    const execution = await shared.began
    const { signal } = options
    if (signal === undefined) return execution.result
    const left = Promise.withResolvers<Result>()
    const leave = (): void => {
      shared.waiting--
      if (shared.waiting > 0) return left.resolve(execution.partial())
      this.#drop(key, shared)
      shared.everyoneLeft.abort()
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([execution.result, left.promise])
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #find(key: string, { input }: JoinOptions<Result>): Shared<Result> | undefined {
    const known = this.#kept.get(key)
    if (known === undefined || known.input === input) return known
    throw keyReused(key)
  }

  #start(key: string, { input, begin, keep, signal }: JoinOptions<Result>): Shared<Result> {
    const everyoneLeft = new AbortController()
    // Nobody is there from the beginning.
    if (signal?.aborted === true) everyoneLeft.abort()
    const began = begin(everyoneLeft.signal)
    const shared = { input, began, everyoneLeft, waiting: 0, done: false }
    this.#kept.set(key, shared)
    this.#dropOldest()
    const forget = (): void => this.#drop(key, shared)
    const settle = (value: Result): void => {
      shared.done = true
      if (!keep(value)) forget()
    }
    began.then(({ result }) => result).then(settle, forget)
    return shared
  }

  /** One that is under way stays: its key promises that it is not begun again. */
  #dropOldest(): void {
    if (this.#kept.size <= MOST_KEPT) return
    for (const [key, { done }] of this.#kept) {
      if (done) return void this.#kept.delete(key)
    }
  }

  #drop(key: string, shared: Shared<Result>): void {
    if (this.#kept.get(key) === shared) this.#kept.delete(key)
  }
}

export const keyReused = (key: string): EchelonError =>
  new EchelonError(
    'KEY_REUSED',
    `the idempotency key ${key} was used with another input; use a new key`,
  )
