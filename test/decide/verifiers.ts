import type { Claim } from '../../packages/echelon/src/agents/decide/verification/claim.ts'
import type { Verifier } from '../../packages/echelon/src/agents/decide/verification/verifier.ts'
import {
  type Read,
  readerWith,
} from '../../packages/echelon/src/agents/decide/verifiers/in-tests.ts'
import { standardVerifiers } from '../../packages/echelon/src/agents/decide/verifiers/standard.ts'
import { readSecond } from '../../packages/offline/src/second-reading.ts'

export { readQuestion } from '../../packages/echelon/src/agents/decide/verifiers/in-tests.ts'

/** The verifiers that `createDecider` composes. */
export const VERIFIERS: readonly Verifier[] = standardVerifiers(readSecond)

/** Their reading of a question: both readers agree. */
export const readAgreed: Read = readerWith(readSecond)

/** The verifiers for a task whose question is already read. */
export const verifiersFor = (claim: Claim): readonly Verifier[] =>
  standardVerifiers().map((verifier) => ({
    ...verifier,
    read: () =>
      claim.kind === verifier.name
        ? { type: 'claim', claim }
        : { type: 'other', why: 'the question is of another kind' },
  }))
