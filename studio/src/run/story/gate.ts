import type { JsonObject } from 'echelon/client'
import { numberOf, objectOf, sentence, textOf } from './fields.ts'

/** The decision of a gate as one sentence, with the numbers behind it. */
export interface GateShown {
  readonly title: string
  readonly decision: 'accept' | 'promote' | 'continue' | 'stop'
  readonly numbers: readonly { readonly name: string; readonly value: string }[]
}

const score = (value: number): string => value.toFixed(2)

/**
 * The gate of a cascade. Its numbers are the score of the answer and the threshold from which answers are
 * accepted.
 */
export function cascadeGate(event: 'promoted' | 'answered', data: JsonObject): GateShown {
  const isPromoted = event === 'promoted'
  const accept = numberOf(data, 'accept')
  const confidence = numberOf(data, 'confidence')
  const status = textOf(data, 'status')
  const evidence = textOf(data, 'evidence') ?? 'no evidence was given'
  const why = [evidence, ...numbersOf(status, confidence, accept)].join(', ')
  return {
    title: sentence(`${isPromoted ? 'Promoted' : (TAKEN[status ?? ''] ?? 'Accepted')}: ${why}`),
    decision: isPromoted ? 'promote' : 'accept',
    numbers: [
      ...(confidence === undefined ? [] : [{ name: 'Score', value: score(confidence) }]),
      ...(accept === undefined ? [] : [{ name: 'Accepted from', value: score(accept) }]),
      { name: 'Status', value: textOf(data, 'status') ?? 'unknown' },
    ],
  }
}

/** An unsupported answer is returned if no bigger model is left. */
const TAKEN: Readonly<Record<string, string>> = {
  unsupported: 'Returned, since no bigger model is left',
  unchecked: 'Accepted without a check',
}

function numbersOf(
  status: string | undefined,
  confidence: number | undefined,
  accept: number | undefined,
): readonly string[] {
  if (status === 'proved') return ['which proves it']
  if (confidence === undefined) return ['which neither supports nor refutes it']
  if (accept === undefined) return [`score ${score(confidence)}`]
  return [`score ${score(confidence)} ${confidence >= accept ? '≥' : '<'} ${score(accept)}`]
}

const REASONS: Readonly<Record<string, string>> = {
  declined: 'the model said that it cannot do it',
}

/** The gate of the decision agent after a round. `evidence` is what its verifier said. */
export function roundGate(data: JsonObject, evidence: string | undefined): GateShown {
  const metric = numberOf(data, 'metric')
  const why = textOf(data, 'output_summary') ?? ''
  const isVerified = why === 'verified'
  const decision = textOf(data, 'decision')
  const round = numberOf(objectOf(data, 'metadata'), 'round')
  // Without an answer there was nothing to score.
  const isScored = metric !== undefined && metric !== 0
  const numbers = [
    ...(isScored ? [{ name: 'Score', value: score(metric) }] : []),
    ...(round === undefined ? [] : [{ name: 'Round', value: String(round) }]),
  ]
  const because = isVerified ? (evidence ?? why) : (REASONS[why] ?? why)
  const at = isScored ? `, score ${score(metric)}` : ''
  if (decision === 'escalate') {
    return { decision: 'promote', numbers, title: sentence(`Promoted: ${because}${at}`) }
  }
  if (decision === 'continue') {
    return { decision: 'continue', numbers, title: sentence(`Another round: ${because}${at}`) }
  }
  const isAccepted = isVerified || (isScored && metric > 0)
  return {
    decision: isAccepted ? 'accept' : 'stop',
    numbers,
    title: sentence(`${isAccepted ? 'Accepted' : 'Stopped'}: ${because}${at}`),
  }
}
