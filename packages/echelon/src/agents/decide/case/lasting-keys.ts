import { EchelonError } from '../../../core/value/error.ts'
import { isJson, type Json } from '../../../core/value/json.ts'
import type { Clock } from '../../../core/agent/ports.ts'
import type { ResultStore } from '../../../core/store/result-store.ts'
import { pause } from '../../../runtime/model/deadline.ts'
import { type Execution, keyReused } from './shared-executions.ts'

/** Pauses between checks for the end of another process's execution, from the first to the longest. */
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 250

/** An execution by key, as one process would do it. */
export interface KeyedExecution<Result> {
  /** Everything that determines the result, as text. */
  readonly input: string
  /** Returns a new id for a run, different on each call. */
  readonly newRun: () => string
  /** Aborted when no caller of this process waits any more. */
  readonly signal: AbortSignal
  /**
   * Executes the run: starts it, or resumes it if it is on record. Returns nothing if the run can no longer reach
   * a result.
   */
  readonly execute: (run: string) => Promise<Execution<Result> | undefined>
  /** Whether anything of the run is on record. */
  readonly isBegun: (run: string) => Promise<boolean>
  /** The result for a caller that stops waiting while another process executes. */
  readonly nothingYet: (run: string) => Result
  /** Whether a result may be returned again. */
  readonly keep: (result: Result) => boolean
  /** Reads a stored result. */
  readonly read: (stored: Json) => Result
}

/**
 * Executions by idempotency key for all processes that share a store. One process executes, the others wait for
 * its result. If it dies, another resumes its run, so that completed work is not repeated. Failed and canceled
 * executions are not kept.
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
    // Callers that await it see the failure; an unawaited one must not crash the process.
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
          // The canceled run may be this one, so start another.
          run = wanted.newRun()
          break
        }
        case 'under-way':
      }
      await pause(this.#clock, waitMs, signal)
    }
    return wanted.nothingYet(run)
  }

  /** Returns nothing if the key must be claimed again. */
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
      // Report the original error; a key that cannot be released becomes free when the process ends.
      await this.#giveBack(key, run, wanted).catch(() => undefined)
      // The process that works on the run will finish it, and that is the result.
      if (isBusy(error) || isBegunElsewhere(error, run)) return undefined
      throw error
    }
  }

  /** The next owner of the key may resume what is on record. */
  async #giveBack(key: string, run: string, { isBegun }: KeyedExecution<Result>): Promise<void> {
    if (await isBegun(run)) await this.#results.leave(key)
    else await this.#results.release(key)
  }

  async #settle(key: string, result: Result, { keep }: KeyedExecution<Result>): Promise<void> {
    try {
      if (keep(result)) await this.#results.settle(key, asJson(result))
      else await this.#results.release(key)
    } catch (error) {
      // The process that took over the key finds the run ended and settles it.
      if (!isBusy(error)) throw error
    }
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof EchelonError && error.code === 'RUN_BUSY'

/** The key was taken over and the run started while this process stalled. */
const isBegunElsewhere = (error: unknown, run: string): boolean =>
  error instanceof EchelonError && error.code === 'INVALID_INPUT' && error.details['run'] === run

const next = (waitMs: number): number => Math.min(waitMs * 2, LONGEST_WAIT_MS)

/** A result is plain data, so it survives JSON unchanged. */
function asJson(result: unknown): Json {
  const stored: unknown = JSON.parse(JSON.stringify(result))
  if (isJson(stored)) return stored
  throw new EchelonError('INVALID_DEFINITION', 'a result that is kept must be plain JSON')
}
