import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { DRAFT_EXAMPLES, USER_EXAMPLES } from '../../../packages/assist/src/sense/learnt.ts'

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
    /** Of the plan that it was written under. */
    altitude: z.enum(['L1', 'L2', 'L3', 'L4']),
    text: z.string().min(1),
  }),
])

/** What a user or an assistant wrote, and what a person takes it for. */
export interface LabelledTurn {
  readonly half: 'tuned' | 'heldout'
  readonly from: 'user' | 'draft'
  readonly label: string
  readonly text: string
  /** Of a user's: how it is said, where that is known. */
  readonly form?: 'plain' | 'paraphrase' | 'negation' | 'sarcasm'
  /** Of the plan that a draft was written under. */
  readonly altitude?: 'L1' | 'L2' | 'L3' | 'L4'
}

/** Those that rules and weights were made with: it would be a wonder if they were read wrong. */
export const tunedTurns = (): readonly LabelledTurn[] => [
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

/** The turns of `turns.jsonl`, which were written after the rules and never looked at with them. */
export const heldOutTurns = (): readonly LabelledTurn[] =>
  readFileSync(new URL('turns.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => turn.parse(JSON.parse(line)))
