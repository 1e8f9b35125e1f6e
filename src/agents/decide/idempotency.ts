import { EchelonError } from '../../core/error.ts'
import { digestText } from '../../core/digest.ts'

/** Results that are kept at the same time; the oldest goes first. */
const MOST_KEPT = 1000

interface Kept<Result> {
  readonly input: number
  readonly result: Promise<Result>
}

/**
 * Results by idempotency key: the same key gives the same result and no second execution, also to
 * callers that come while the first is under way. Another input under a used key is refused.
 * What failed or was canceled is not kept. Lives as long as the process.
 */
export class IdempotentResults<Result> {
  readonly #kept = new Map<string, Kept<Result>>()

  /**
   * @param input what decides about the result, as text; compared by digest
   * @param keep whether a result may be given again
   */
  once(
    key: string,
    input: string,
    execute: () => Promise<Result>,
    keep: (result: Result) => boolean,
  ): Promise<Result> {
    const digest = digestText(input)
    const known = this.#kept.get(key)
    if (known !== undefined) {
      if (known.input === digest) return known.result
      throw new EchelonError(
        'KEY_REUSED',
        `the idempotency key ${key} was used with another input; use a new key`,
      )
    }
    const result = execute()
    this.#kept.set(key, { input: digest, result })
    this.#dropOldest()
    const forget = (): void => {
      if (this.#kept.get(key)?.result === result) this.#kept.delete(key)
    }
    result.then((value) => (keep(value) ? undefined : forget()), forget)
    return result
  }

  #dropOldest(): void {
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }
}
