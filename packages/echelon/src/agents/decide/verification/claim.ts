/** The meaning of a question, as one verifier reads it. Plain JSON: it is part of the stored state. */
export interface Claim {
  /** The name of the verifier that reads and judges it. */
  readonly kind: string
}

/** A question that no verifier reads, so nothing can check its answer. */
export interface UnknownClaim extends Claim {
  readonly kind: 'unknown'
  /** The unreadable part, in one clause. */
  readonly why: string
}

export const isUnknown = (claim: Claim): claim is UnknownClaim => claim.kind === 'unknown'
