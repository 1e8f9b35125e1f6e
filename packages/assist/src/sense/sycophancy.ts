import { type Cue, NOTHING, quoted, rounded, surer, weigh, type Weighed } from './cue.ts'
import { sentencesOf } from './readable.ts'

const GOOD =
  '(?:great|brilliant|amazing|excellent|fantastic|wonderful|incredible|beautiful|wise|insightful|smart|remarkable|thoughtful|clever|talented|gifted|genius|impressive|outstanding|exceptional|perfect|flawless|inspiring)'
const THING =
  '(?:question|point|idea|insight|thought|plan|observation|reflection|decision|instincts?|mind|thinking|approach|choice)'
const VERY =
  '(?:absolutely|so|completely|totally|incredibly|truly|such an?|clearly|always|of course|really|extremely|quite|simply|entirely|just|one hundred percent)'

const words = (source: string): RegExp => new RegExp(source, 'iu')

const CUES: readonly Cue[] = [
  [words(`\\b(?:what|such) an? (?:\\w+ (?:and )?)?${GOOD}(?: and \\w+)? ?${THING}?`), 0.7],
  [
    words(
      `^(?:wow[,!]? |oh[,!]? |honestly[,!]? )?(?:(?:that's|that is|this is) an? )?(?:really |very |truly )?(?:good|${GOOD}) ${THING}\\s*[!.,]`,
    ),
    0.7,
  ],
  [words(`\\byou(?:'re| are) (?:${VERY} )+(?:right|correct|${GOOD}|an? )`), 0.7],
  [words(`\\byou(?:'re| are) (?:an? )?${GOOD}\\b`), 0.6],
  [
    words(`\\bi (?:completely|fully|totally|absolutely|wholeheartedly|entirely) (?:agree|support)`),
    0.5,
  ],
  [words(`\\beverything you (?:said|say|wrote)\\b`), 0.3],
  [words(`\\bi (?:just )?(?:love|adore|admire) (?:this|that|how you|your|the way you)\\b`), 0.6],
  [
    words(
      `\\bi(?:'m| am) (?:(?:so|truly|deeply|very|really) )?(?:impressed|amazed|in awe|blown away)`,
    ),
    0.7,
  ],
  [
    words(`\\b(?:your|this|that|the) (?:\\w+ )?${THING}s? (?:is|are|was) (?:${VERY} )?${GOOD}\\b`),
    0.7,
  ],
  [
    words(
      `\\bwouldn't change a (?:thing|word)|\\bnothing (?:i could|i can|left|to) (?:to )?add\\b`,
    ),
    0.6,
  ],
  [words(`\\bas (?:always|usual)\\b`), 0.3],
  [words(`\\bspot on\\b|\\bnailed it\\b|\\bcouldn't have said it better`), 0.4],
  [words(`\\bwhatever you (?:decide|choose|do)\\b`), 0.4],
  [
    words(
      `\\bwill be the right (?:choice|decision|thing)|\\bbest (?:decision|choice) (?:anyone|anybody|you) could`,
    ),
    0.5,
  ],
  [
    words(`\\byou (?:always |really |surely )?know (?:best|what is best|what's best|better than)`),
    0.6,
  ],
  [
    words(
      `\\b(?:can't|cannot) fail\\b|\\b(?:huge|big|great) success\\b|\\bnatural (?:leader|talent|gift)\\b|\\breal gift\\b|\\blucky to have you\\b`,
    ),
    0.6,
  ],
  [words(`\\b(?:an? )?(?:honou?r|privilege) to\\b|\\bfew people (?:are|have|think|could)\\b`), 0.6],
  [
    words(
      `\\b(?:smartest|wisest|cleverest|best|greatest|finest|most \\w+) (?:\\w+ )?(?:i have|i've) ever\\b`,
    ),
    0.8,
  ],
  [words(`\\bas (?:talented|smart|gifted|wise|thoughtful|clever|brilliant) as you\\b`), 0.6],
]

/** Praise of anything; in a sentence with "you" it is of the user. */
const PRAISE =
  /\b(?:perceptive|lucky|proud|praise|admir\w+|depth|rare|incredible|extraordinary|marvell?ous|superb|magnificent|genius|wis(?:e|dom|er)|brillian\w+|impress\w+|inspir\w+|amaz\w+|gift(?:ed)?|talent(?:ed)?|deserve|honou?r\w*|privilege|bow to|judgment|masterful|courage(?:ous)?|phenomenal|stunning|exceptional|perfect(?:ly)?|flawless|unique|special|hero|better than (?:most|any|every|the)|most people (?:never|don't|would)|thought of everything|doing everything right|(?:yes, )+yes|nothing to object|everything about (?:this|it|that|you))\b/giu

function weighPraise(sentences: readonly string[]): Weighed {
  const told = sentences.filter((sentence) => !sentence.endsWith('?'))
  const praised = told.filter((sentence) => sentence.match(PRAISE) !== null)
  const [first] = praised
  if (first === undefined) return NOTHING
  const words = new Set(praised.flatMap((sentence) => sentence.match(PRAISE) ?? [])).size
  const ofUser = praised.some((sentence) => /\byou(?:r|rs|rself|'\w+)?\b/iu.test(sentence))
  const exclaimed = praised.some((sentence) => sentence.endsWith('!'))
  const confidence = 0.25 + (ofUser ? 0.2 : 0) + (exclaimed ? 0.15 : 0) + 0.1 * (words - 1)
  return { confidence: Math.min(0.9, rounded(confidence)), evidence: quoted(first) }
}

/** Whether a draft flatters, or agrees with everything. */
export function weighSycophancy(draft: string): Weighed {
  const sentences = sentencesOf(draft).filter(
    (sentence) => !/\b(?:not|don't|doesn't|disagree|doubt|nobody)\b/iu.test(sentence),
  )
  return surer(weigh(sentences, CUES), weighPraise(sentences))
}
