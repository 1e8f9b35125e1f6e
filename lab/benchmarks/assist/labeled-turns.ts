import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { DRAFT_EXAMPLES, USER_EXAMPLES } from '../../../packages/assist/src/sense/learned.ts'

const turn = z.discriminatedUnion('from', [
  z.strictObject({
    half: z.literal('heldout'),
    from: z.literal('user'),
    label: z.enum(['stop', 'frustration', 'achieved', 'none']),
    form: z.enum(['plain', 'paraphrase', 'negation', 'sarcasm']),
    text: z.string().min(1),
  }),
  z.strictObject({
    half: z.literal('heldout'),
    from: z.literal('draft'),
    label: z.enum(['tactical_drift', 'sycophancy', 'endless analysis', 'feature stacking', 'none']),
    /** Plan in effect when it was written. */
    altitude: z.enum(['L1', 'L2', 'L3', 'L4']),
    text: z.string().min(1),
  }),
])

/** A text of a user or assistant, with a person's label. */
export interface LabeledTurn {
  readonly half: 'tuned' | 'heldout'
  readonly from: 'user' | 'draft'
  readonly label: string
  readonly text: string
  /** For a user's text: how it is expressed, if known. */
  readonly form?: 'plain' | 'paraphrase' | 'negation' | 'sarcasm'
  /** Plan in effect when a draft was written. */
  readonly altitude?: 'L1' | 'L2' | 'L3' | 'L4'
}

/** Turns used for rules and training, so good results on them prove little. */
export const tunedTurns = (): readonly LabeledTurn[] => [
  ...USER_EXAMPLES.map((one) => ({ half: 'tuned', from: 'user', ...one }) as const),
  ...DRAFT_EXAMPLES.map(
    ({ label, text }) =>
      ({
        half: 'tuned',
        from: 'draft',
        label: label.replace(/_(?=analysis|stacking)/, ' '),
        text,
      }) as const,
  ),
]

/** The turns of `turns.jsonl`, written after the rules and never used to tune them. */
export const heldOutTurns = (): readonly LabeledTurn[] =>
  readFileSync(new URL('turns.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => turn.parse(JSON.parse(line)))
