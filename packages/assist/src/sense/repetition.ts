import { digestText } from 'echelon/internal/value'
import type { TurnFacts } from '../report.ts'
import { NOTHING, quoted, rounded, type Weighed } from './cue.ts'
import { sentencesOf } from './readable.ts'

/** A shorter sentence may recur without being repeated advice. */
const LEAST_WORDS = 5

/** Whether a draft repeats earlier answers in the same words. */
export function weighRepetition(draft: string, earlier: readonly TurnFacts[]): Weighed {
  const known = new Set(earlier.flatMap(({ sentences }) => sentences))
  const told = spoken(draft).filter((sentence) => sentence.split(' ').length >= LEAST_WORDS)
  const again = told.filter((sentence) => known.has(digestText(sentence)))
  if (again.length === 0) return NOTHING
  return {
    confidence: rounded(Math.min(0.95, 0.4 + (0.6 * again.length) / told.length)),
    evidence: quoted(again[0] ?? ''),
  }
}

/** The sentences of a text, regardless of case, spacing and marks. */
export const spoken = (text: string): readonly string[] =>
  sentencesOf(text)
    .map((sentence) => (sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' '))
    .filter((sentence) => sentence !== '')
