import { EchelonError } from '../../../core/value/error.ts'

/** Executions to keep; the oldest finished one is dropped first. */
const MOST_KEPT = 1000

/** An execution in progress or finished. */
export interface Execution<Result> {
  readonly result: Promise<Result>
  /** The current partial result, for a caller that stops waiting. */
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
  /** Everything that determines the result, as text. */
  readonly input: string
  readonly begin: (signal: AbortSignal) => Promise<Execution<Result>>
  /** Whether a result may be returned again. */
  readonly keep: (result: Result) => boolean
  /** Aborts the wait of this caller only. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Executions by idempotency key. The same key returns the same result without a second execution, also to callers
 * that arrive while it runs. A used key with another input is refused. A caller that aborts gets a partial result;
 * the execution is aborted once all callers have left. Failed and canceled executions are not kept. Lives as long
 * as the process.
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
    // No caller waits from the start.
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

  /** An execution in progress stays: its key promises that it does not start again. */
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
