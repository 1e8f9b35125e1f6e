import type { Claim, UnknownClaim } from './claim.ts'
import type { Question, Verifier } from './verifier.ts'

/**
 * The claim of the first verifier, in list order, that reads the question. If one finds it ambiguous, no other is
 * asked.
 */
export function readClaim<Known extends Claim>(
  verifiers: readonly Verifier<Known>[],
  question: Question,
): Known | UnknownClaim {
  let why = 'there is no verifier'
  for (const verifier of verifiers) {
    const reading = verifier.read(question)
    if (reading.type === 'claim') return reading.claim
    ;({ why } = reading)
    if (reading.type === 'unclear') break
  }
  return { kind: 'unknown', why }
}
