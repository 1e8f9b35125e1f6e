import type { Finding, ReadDraft, ReadUser } from './finding.ts'
import type { Intent } from './intent.ts'
import { sentenceDigests, wordCount } from './turn-marks.ts'

// The least that reads a user and a draft: patterns of the intent, and words that leave no doubt.

type Ending = 'stop' | 'frustration' | 'achieved'

const ENDINGS: readonly (readonly [Ending, RegExp, RegExp])[] = [
  ['stop', /\bstop\b/iu, /^\s*(?:please\s+)?(?:stop|enough|quit)\b[^?]*$/iu],
  [
    'frustration',
    /\bfrustrat/iu,
    /\b(?:this is useless|you don['’]?t listen|i give up|so frustrating)\b/iu,
  ],
  [
    'achieved',
    /\b(?:achieved|reached|done)\b/iu,
    /\b(?:that['’]?s all|all done|that solved it|goal reached)\b/iu,
  ],
]

/** Stop conditions by the intent's own patterns, and by a few plain words. */
export const readUserPlainly: ReadUser = (text, intent) =>
  intent.stop_conditions.flatMap((condition): readonly Finding[] => {
    const known = ENDINGS.find(([, about]) => about.test(condition))
    const kind: Ending = known?.[0] ?? 'stop'
    const evidence =
      matched(text, patternsOf(intent, condition)) ?? (known && known[2].exec(text)?.[0])
    return evidence === undefined ? [] : [{ kind, what: condition, evidence, confidence: 0.9 }]
  })

/** A draft that is longer is no answer of a partner. */
const MOST_WORDS = 400

const STEPS = 3

/** Non-goals by the intent's own patterns or their own words; length, repetition, steps without a why. */
export const readDraftPlainly: ReadDraft = (draft, { intent, plan, report }) => [
  ...intent.non_goals.flatMap((what): readonly Finding[] => {
    const patterns = patternsOf(intent, what)
    const evidence = matched(draft, patterns.length > 0 ? patterns : [escaped(what)])
    return evidence === undefined ? [] : [{ kind: 'non_goal', what, evidence, confidence: 0.9 }]
  }),
  ...tactical(draft, plan.altitude === 'L3' || plan.altitude === 'L4', intent),
  ...repeated(
    draft,
    report.earlier.flatMap(({ sentences }) => sentences),
  ),
  ...(wordCount(draft) > MOST_WORDS
    ? [{ kind: 'too_long' as const, what: `over ${MOST_WORDS} words`, evidence: '', confidence: 1 }]
    : []),
]

function tactical(
  draft: string,
  isStrategic: boolean,
  { north_stars }: Intent,
): readonly Finding[] {
  if (!isStrategic) return []
  const steps = draft.match(/^\s*(?:\d+[.)]|[-*])\s+.*$/gmu) ?? []
  const named = north_stars.some((star) =>
    star.split('_').some((word) => draft.toLowerCase().includes(word.toLowerCase())),
  )
  if (steps.length < STEPS || named) return []
  const evidence = steps[0]?.trim() ?? ''
  return [
    { kind: 'tactical_drift', what: 'steps without what they are for', evidence, confidence: 0.7 },
  ]
}

/** The same advice again: most of what was said before. */
function repeated(draft: string, before: readonly number[]): readonly Finding[] {
  const now = sentenceDigests(draft)
  const known = now.filter((one) => before.includes(one))
  if (known.length < 2 || known.length * 2 <= now.length) return []
  return [{ kind: 'repetition', what: 'the same advice again', evidence: '', confidence: 0.8 }]
}

const patternsOf = ({ patterns = {} }: Intent, what: string): readonly string[] =>
  Object.hasOwn(patterns, what) ? (patterns[what] ?? []) : []

function matched(text: string, patterns: readonly string[]): string | undefined {
  for (const pattern of patterns) {
    const found = expression(pattern)?.exec(text)?.[0]
    if (found !== undefined && found !== '') return found
  }
  return undefined
}

/** What is no regular expression is found by nothing. */
function expression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'iu')
  } catch {
    return undefined
  }
}

const escaped = (words: string): string =>
  words
    .replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`)
    .replaceAll(/[\s_]+/gu, String.raw`[\s_]+`)
