import { fit, likelihoods } from 'echelon/internal/classify'
import { ACHIEVED } from './examples/achieved.ts'
import { ENDLESS_ANALYSIS } from './examples/endless-analysis.ts'
import { FEATURE_STACKING } from './examples/feature-stacking.ts'
import { FRUSTRATION } from './examples/frustration.ts'
import { GOING_ON } from './examples/going-on.ts'
import { ON_INTENT } from './examples/on-intent.ts'
import { PLAIN_REPLIES } from './examples/plain-replies.ts'
import { STOP } from './examples/stop.ts'
import { SYCOPHANCY } from './examples/sycophancy.ts'
import { TACTICAL_DRIFT } from './examples/tactical-drift.ts'
import { sentencesOf } from './readable.ts'

export type UserLabel = 'stop' | 'frustration' | 'achieved' | 'none'
export type DraftLabel =
  | 'tactical_drift'
  | 'sycophancy'
  | 'endless_analysis'
  | 'feature_stacking'
  | 'none'

/** A text and its label. */
interface Example<Label extends string> {
  readonly text: string
  readonly label: Label
}

const labeled = <Label extends string>(
  examples: Readonly<Record<Label, readonly string[]>>,
  labels: readonly Label[],
): readonly Example<Label>[] =>
  labels.flatMap((label) => examples[label].map((text) => ({ text, label })))

/** The training examples of the readers, for users and for drafts. */
export const USER_EXAMPLES: readonly Example<UserLabel>[] = labeled(
  {
    stop: STOP,
    frustration: FRUSTRATION,
    achieved: ACHIEVED,
    none: [...GOING_ON, ...PLAIN_REPLIES],
  },
  ['stop', 'frustration', 'achieved', 'none'],
)

export const DRAFT_EXAMPLES: readonly Example<DraftLabel>[] = labeled(
  {
    tactical_drift: TACTICAL_DRIFT,
    sycophancy: SYCOPHANCY,
    endless_analysis: ENDLESS_ANALYSIS,
    feature_stacking: FEATURE_STACKING,
    none: ON_INTENT,
  },
  ['tactical_drift', 'sycophancy', 'endless_analysis', 'feature_stacking', 'none'],
)

/** The probability of each label for a text. Empty if no word of the text is known. */
type Likely = (text: string) => ReadonlyMap<string | null, number>

const readers: { user?: Likely; draft?: Likely } = {}

/** The probability of each kind of message. Trains on first use, in some 50 ms. */
export function likelyOfUser(text: string): ReadonlyMap<string | null, number> {
  readers.user ??= likelihoods(fit(USER_EXAMPLES))
  return likeliest(text, readers.user)
}

/** The probability of each kind of draft. Trains on first use, in some 50 ms. */
export function likelyOfDraft(text: string): ReadonlyMap<string | null, number> {
  readers.draft ??= likelihoods(fit(DRAFT_EXAMPLES))
  return likeliest(text, readers.draft)
}

/** The examples are short, so a longer text is read through a window, and a match anywhere counts. */
const WINDOW = 4

function likeliest(text: string, likely: Likely): ReadonlyMap<string | null, number> {
  const sentences = sentencesOf(text)
  if (sentences.length <= WINDOW) return likely(text)
  const most = new Map<string | null, number>()
  for (let at = 0; at < sentences.length; at += WINDOW / 2) {
    for (const [label, share] of likely(sentences.slice(at, at + WINDOW).join('\n'))) {
      most.set(label, Math.max(share, most.get(label) ?? 0))
    }
  }
  return most
}
