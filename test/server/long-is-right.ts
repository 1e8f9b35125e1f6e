import type { Verifier } from 'echelon/verify'

/** Supports every answer of more than five characters. */
export const longIsRight: Verifier = {
  name: 'length',
  features: [],
  verify: ({ answer }) => ({
    verdict: 'scored',
    score: answer.type === 'text' && answer.text.length > 5 ? 0.9 : 0.1,
    features: {},
    reason: 'the answer is short',
  }),
}
