import type { UnknownClaim } from '../verification/claim.ts'
import { readClaim } from '../verification/read-claim.ts'
import type { SecondReader } from '../verification/second-reader.ts'
import { type StandardClaim, standardVerifiers } from './standard.ts'

type ReadClaim = StandardClaim | UnknownClaim

export type Read = (input: string, today?: string) => ReadClaim

/** Reads a question with the standard verifiers, alone or with a second reader. */
export function readerWith(second?: SecondReader): Read {
  const verifiers = standardVerifiers(second)
  return (input, today = '') => readClaim(verifiers, { input, today })
}

export const readQuestion: Read = readerWith()
