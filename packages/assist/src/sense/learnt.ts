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
import { type Example, learn, type Likely } from './learn.ts'
import { sentencesOf } from './readable.ts'

export type UserLabel = 'stop' | 'frustration' | 'achieved' | 'none'
export type DraftLabel =
  | 'tactical_drift'
  | 'sycophancy'
  | 'endless_analysis'
  | 'feature_stacking'
  | 'none'

const labelled = <Label extends string>(
  examples: Readonly<Record<Label, readonly string[]>>,
  labels: readonly Label[],
): readonly Example<Label>[] =>
  labels.flatMap((label) => examples[label].map((text) => ({ text, label })))

/** The training examples of the readers, for users and for drafts. */
export const USER_EXAMPLES: readonly Example<UserLabel>[] = interleaved(
  labelled(
    {
      stop: STOP,
      frustration: FRUSTRATION,
      achieved: ACHIEVED,
      none: [...GOING_ON, ...PLAIN_REPLIES],
    },
    ['stop', 'frustration', 'achieved', 'none'],
  ),
)

export const DRAFT_EXAMPLES: readonly Example<DraftLabel>[] = interleaved(
  labelled(
    {
      tactical_drift: TACTICAL_DRIFT,
      sycophancy: SYCOPHANCY,
      endless_analysis: ENDLESS_ANALYSIS,
      feature_stacking: FEATURE_STACKING,
      none: ON_INTENT,
    },
    ['tactical_drift', 'sycophancy', 'endless_analysis', 'feature_stacking', 'none'],
  ),
)

const readers: { user?: Likely<UserLabel>; draft?: Likely<DraftLabel> } = {}

/** The probability of each kind of message. Trains on first use. */
export function likelyOfUser(text: string): ReadonlyMap<UserLabel, number> {
  readers.user ??= learn(USER_EXAMPLES)
  return likeliest(text, readers.user)
}

/** The probability of each kind of draft. Trains on first use. */
export function likelyOfDraft(text: string): ReadonlyMap<DraftLabel, number> {
  readers.draft ??= learn(DRAFT_EXAMPLES)
  return likeliest(text, readers.draft)
}

/** The examples are short, so a longer text is read through a window, and a match anywhere counts. */
const WINDOW = 4

function likeliest<Label extends string>(
  text: string,
  likely: Likely<Label>,
): ReadonlyMap<Label, number> {
  const sentences = sentencesOf(text)
  if (sentences.length <= WINDOW) return likely(text)
  const most = new Map<Label, number>()
  for (let at = 0; at < sentences.length; at += WINDOW / 2) {
    for (const [label, share] of likely(sentences.slice(at, at + WINDOW).join('\n'))) {
      most.set(label, Math.max(share, most.get(label) ?? 0))
    }
  }
  return most
}

/** Interleaved, since stepwise learning would favor the last label. */
function interleaved<Label extends string>(
  examples: readonly Example<Label>[],
): readonly Example<Label>[] {
  const stride = 101
  const taken = new Set<number>()
  for (let start = 0; start < stride; start++) {
    for (let at = start; at < examples.length; at += stride) taken.add(at)
  }
  return [...taken].flatMap((at) => examples[at] ?? [])
}
