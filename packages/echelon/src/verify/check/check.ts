import { labelOf } from '../../core/message/untrusted-text.ts'
import { isRecord } from '../../core/value/json.ts'
import type { Attempt } from '../answer.ts'
import { type Judgment, proved, refuted, scored, silent, type Verifier } from '../verifier.ts'
import { checkName, passed } from './passed.ts'

/**
 * Result of a check: `true` if only a right answer passes it, `false` if the answer is wrong, a number from 0 to 1
 * for how likely it is right, `undefined` if it can't say. With a reason if there is one, without the right value.
 */
export type CheckFound =
  | boolean
  | number
  | undefined
  | { readonly found: boolean | number | undefined; readonly reason: string }

/**
 * A verifier of your own: a pure function of the attempt. `true` proves the answer, `false` refutes it, a number is
 * its score, and `undefined` leaves the verifier silent; so do an error and a number outside 0 to 1.
 *
 * Feature: `<name>.passed`, the score of the judgment.
 * @param name of the verifier: letters, digits, `_` and `-`
 * @throws EchelonError INVALID_DEFINITION for a name that cannot be used
 */
export function check(name: string, find: (attempt: Attempt) => CheckFound): Verifier {
  checkName(name)
  return {
    name,
    features: [`${name}.passed`],
    verify(attempt) {
      const { found, reason } = tried(find, attempt)
      return judgmentOf(name, found, labelOf(reason) || `the check ${name}`)
    },
  }
}

function tried(
  find: (attempt: Attempt) => CheckFound,
  attempt: Attempt,
): { readonly found: boolean | number | undefined; readonly reason: string } {
  try {
    const found = find(attempt)
    // Programs in JavaScript may give anything.
    if (!isRecord(found)) return { found: found ?? undefined, reason: '' }
    const { reason } = found
    return { found: found.found, reason: typeof reason === 'string' ? reason : '' }
  } catch {
    return { found: undefined, reason: 'the check failed' }
  }
}

function judgmentOf(name: string, found: boolean | number | undefined, reason: string): Judgment {
  if (found === true) return proved(reason, passed(name, 1))
  if (found === false) return refuted(reason, passed(name, 0))
  if (found !== undefined && found >= 0 && found <= 1) {
    return scored(found, reason, passed(name, found))
  }
  return silent(reason, passed(name, 0.5))
}
