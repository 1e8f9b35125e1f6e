import type { Claim, UnknownClaim } from './claim.ts'
import type { Question, Verifier } from './verifier.ts'

/**
 * What a question asks: the first verifier that reads it decides, in the order of the list. Where
 * one finds it open to two readings, no other is asked.
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
