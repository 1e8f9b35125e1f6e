import type { Finding, ReadDraft } from '../evaluation/finding.ts'
import { surer, together, type Weighed } from './cue.ts'
import { weighEndlessAnalysis } from './endless-analysis.ts'
import { weighFeatureStacking } from './feature-stacking.ts'
import { type DraftLabel, likelyOfDraft } from './learned.ts'
import { weighLength } from './length.ts'
import { weighNamed, weighPatterns } from './own-words.ts'
import { readable } from './readable.ts'
import { weighRepetition } from './repetition.ts'
import { weighSycophancy } from './sycophancy.ts'
import { isTied, weighTactical } from './tactical.ts'

/** Non-goals with built-in rules, by their names. */
interface Known {
  readonly label: DraftLabel
  readonly name: RegExp
  readonly weigh: (draft: string) => Weighed
}

const KNOWN: readonly Known[] = [
  {
    label: 'endless_analysis',
    name: /endless analys|analysis paralysis|over-?analy/iu,
    weigh: weighEndlessAnalysis,
  },
  {
    label: 'feature_stacking',
    name: /feature (?:stacking|creep)|stacking (?:of )?features/iu,
    weigh: weighFeatureStacking,
  },
  { label: 'sycophancy', name: /sycophan|flatter/iu, weigh: weighSycophancy },
]

/** Findings below this are ignored. */
const LEAST = 0.3

/**
 * Findings of a draft against the intent, most certain first. The shipped non-goals are read by rules and trained
 * examples, plus the intent's patterns; any other by its patterns only, or else by its own words. English.
 */
export const readDraft: ReadDraft = (draft, { intent, plan, report }) => {
  const said = readable(draft)
  const likely = likelyOfDraft(said)
  const isStrategic = plan.altitude === 'L3' || plan.altitude === 'L4'
  const findings: readonly Finding[] = [
    ...intent.non_goals.map((what): Finding => {
      const patterns = intent.patterns?.[what]
      const known = KNOWN.find(({ name }) => name.test(what))
      const found =
        known === undefined
          ? weighNamed(said, what, patterns)
          : surer(
              together(known.weigh(said), likely.get(known.label) ?? 0, said),
              weighPatterns(said, patterns ?? []),
            )
      return { kind: 'non_goal', what, ...found }
    }),
    ...(isStrategic
      ? [
          {
            kind: 'tactical_drift' as const,
            what: `steps under a plan of altitude ${plan.altitude}`,
            ...weighDrift(said, intent.north_stars, likely.get('tactical_drift') ?? 0),
          },
        ]
      : []),
    {
      kind: 'repetition',
      what: 'the same words as in an earlier answer',
      ...weighRepetition(said, report.earlier),
    },
    { kind: 'too_long', what: 'longer than an answer may be', ...weighLength(draft, intent, plan) },
  ]
  return findings
    .filter(({ confidence }) => confidence >= LEAST)
    .toSorted((a, b) => b.confidence - a.confidence)
}

/** Steps that serve the user's goal are not drift; whether many of them are is for a model to judge. */
function weighDrift(draft: string, northStars: readonly string[], likely: number): Weighed {
  const { confidence, evidence } = together(weighTactical(draft), likely, draft)
  return { confidence: isTied(draft, northStars) ? TIED * confidence : confidence, evidence }
}

const TIED = 0.5
