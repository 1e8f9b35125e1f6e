import { digestText } from 'echelon/internal/value'
import type { TurnFacts } from '../report.ts'
import { NOTHING, quoted, rounded, type Weighed } from './cue.ts'
import { sentencesOf } from './readable.ts'

/** A shorter sentence may come again without being advice that does. */
const LEAST_WORDS = 5

/** Whether a draft says again what earlier answers said, in the same words. */
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

/** The sentences of a text, whatever their case, spacing and signs. */
export const spoken = (text: string): readonly string[] =>
  sentencesOf(text)
    .map((sentence) => (sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' '))
    .filter((sentence) => sentence !== '')
