import { EchelonError, type ErrorCode } from './error.ts'
import { wordHint } from './nearest.ts'

/** The options that a call takes, for `checkNames`. */
export interface KnownNames {
  /** The noun for one of them in the message, such as `option`. */
  readonly kind: string
  readonly names: readonly string[]
  /** The names to suggest; default `names`. */
  readonly suggested?: readonly string[]
  /** Default INVALID_CONFIG. */
  readonly code?: ErrorCode
}

/**
 * Rejects an unknown option, which would silently do nothing. The compiler reports it only in
 * TypeScript, and only in an object literal.
 * @throws EchelonError that suggests the option that was meant
 */
export function checkNames(given: object, known: KnownNames): void {
  const { kind, names, suggested = names, code = 'INVALID_CONFIG' } = known
  for (const name in given) {
    if (names.includes(name)) continue
    throw new EchelonError(code, `there is no ${kind} ${name}${wordHint(name, suggested)}`)
  }
}
