import { EchelonError } from '../../../core/value/error.ts'
import { isJson, type Json } from '../../../core/value/json.ts'
import type { Clock } from '../../../core/agent/ports.ts'
import type { ResultStore } from '../../../core/store/result-store.ts'
import { pause } from '../../../runtime/model/deadline.ts'
import { type Execution, keyReused } from './shared-executions.ts'

/** How long an execution of another process is left alone before it is asked for again. */
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 250

/** An execution by key, as one process would do it. */
export interface KeyedExecution<Result> {
  /** What decides about the result, as text. */
  readonly input: string
  /** An id for the run that would be begun: another each time. */
  readonly newRun: () => string
  /** Aborted when nobody of this process waits any more. */
  readonly signal: AbortSignal
  /**
   * Executes as this run: begins it, or goes on where it is on record. Nothing for a run that
   * cannot come to a result any more.
   */
  readonly execute: (run: string) => Promise<Execution<Result> | undefined>
  /** Whether anything of the run is on record. */
  readonly isBegun: (run: string) => Promise<boolean>
  /** The result of whoever stops waiting while another process executes. */
  readonly nothingYet: (run: string) => Result
  /** Whether a result may be given again. */
  readonly keep: (result: Result) => boolean
  /** A stored result. */
  readonly read: (stored: Json) => Result
}

/**
 * Executions by idempotency key for all processes that share a store: one of them executes, the
 * others wait for its result. Where it dies another goes on with its run, so that what was done is
 * not done again. What failed or was canceled is not kept.
 */
export class LastingKeys<Result> {
  readonly #results: ResultStore
  readonly #clock: Clock

  constructor(results: ResultStore, clock: Clock) {
    this.#results = results
    this.#clock = clock
  }

  begin(key: string, wanted: KeyedExecution<Result>): Execution<Result> {
    let own: Execution<Result> | undefined
    const first = wanted.newRun()
    const result = this.#result(key, wanted, first, (execution) => (own = execution))
    // Whoever awaits it hears of a failure; nobody awaiting it is no crash.
    result.catch(() => undefined)
    return { result, partial: () => own?.partial() ?? wanted.nothingYet(first) }
  }

  async #result(
    key: string,
    wanted: KeyedExecution<Result>,
    first: string,
    watch: (own: Execution<Result>) => void,
  ): Promise<Result> {
    const { signal, input } = wanted
    let run = first
    for (let waitMs = FIRST_WAIT_MS; !signal.aborted; waitMs = next(waitMs)) {
      const claim = await this.#results.claim(key, input, run)
      switch (claim.type) {
        case 'done':
          return wanted.read(claim.result)
        case 'other-input':
          throw keyReused(key)
        case 'yours': {
          const own = await this.#execute(key, claim.run, wanted, watch)
          if (own !== undefined) return own.result
          // What was canceled was maybe this one, and another is begun in its place.
          run = wanted.newRun()
          break
        }
        case 'under-way':
      }
      await pause(this.#clock, waitMs, signal)
    }
    return wanted.nothingYet(run)
  }

  /** Nothing where the key must be asked for again. */
  async #execute(
    key: string,
    run: string,
    wanted: KeyedExecution<Result>,
    watch: (own: Execution<Result>) => void,
  ): Promise<{ readonly result: Result } | undefined> {
    try {
      const execution = await wanted.execute(run)
      if (execution === undefined) {
        await this.#results.release(key)
        return undefined
      }
      watch(execution)
      const result = await execution.result
      await this.#settle(key, result, wanted)
      return { result }
    } catch (error) {
      // What went wrong is what is told; a key that cannot be given back is free when the process ends.
      await this.#giveBack(key, run, wanted).catch(() => undefined)
      // Whoever works on the run brings it to its end, and that is the result.
      if (isBusy(error) || isBegunElsewhere(error, run)) return undefined
      throw error
    }
  }

  /** What is on record may be gone on with, by whoever has the key next. */
  async #giveBack(key: string, run: string, { isBegun }: KeyedExecution<Result>): Promise<void> {
    if (await isBegun(run)) await this.#results.leave(key)
    else await this.#results.release(key)
  }

  async #settle(key: string, result: Result, { keep }: KeyedExecution<Result>): Promise<void> {
    try {
      if (keep(result)) await this.#results.settle(key, asJson(result))
      else await this.#results.release(key)
    } catch (error) {
      // Whoever took the key over finds the run ended, and settles it.
      if (!isBusy(error)) throw error
    }
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof EchelonError && error.code === 'RUN_BUSY'

/** The key was taken over, and the run begun, while this process stood still. */
const isBegunElsewhere = (error: unknown, run: string): boolean =>
  error instanceof EchelonError && error.code === 'INVALID_INPUT' && error.details['run'] === run

const next = (waitMs: number): number => Math.min(waitMs * 2, LONGEST_WAIT_MS)

/** What is kept comes back equal: a result is plain data. */
function asJson(result: unknown): Json {
  const stored: unknown = JSON.parse(JSON.stringify(result))
  if (isJson(stored)) return stored
  throw new EchelonError('INVALID_DEFINITION', 'a result that is kept must be plain JSON')
}
