import type { Intent } from '../intent/intent.ts'
import { isDenied, stemsOf, weighNamed } from '../sense/own-words.ts'
import { readable } from '../sense/readable.ts'
import type { Plan } from './plan.ts'

/** A line of a plan that contradicts the intent. */
export interface RefusedLine {
  readonly line: string
  readonly why: string
}

/** A plan without the lines that contradict the intent. */
export interface BoundPlan {
  readonly plan: Plan
  readonly refused: readonly RefusedLine[]
}

/**
 * Removes what contradicts the intent from a plan: the intent outranks it. A line does so if it asks for
 * a non-goal, sets the intent aside, forbids a north star, goes on after a stop condition, or asks for a
 * longer answer than the rules allow. Read from its words, in English; a paraphrase may pass, and its draft
 * is still evaluated.
 */
export function withinIntent(plan: Plan, intent: Intent): BoundPlan {
  const refused: RefusedLine[] = []
  const kept = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => {
      const why = contradictionIn(line, intent)
      if (why !== null) refused.push({ line, why })
      return why === null
    })
  const [constraints, focus] = [kept(plan.constraints), kept(plan.focus)]
  const [approach = 'within_intent'] = kept([plan.approach])
  return refused.length === 0
    ? { plan, refused }
    : { plan: { ...plan, approach, constraints, focus }, refused }
}

/** Why a line contradicts the intent; `null` if no rule finds that it does. */
function contradictionIn(text: string, intent: Intent): string | null {
  const line = readable(text.replaceAll('_', ' '))
  const own = [...intent.authority_rules, ...intent.non_goals].map(readable)
  if (own.some((rule) => line === rule || line === `never: ${rule}`)) return null
  if (SETS_ASIDE.test(line)) return 'it sets the intent aside, which has authority over every plan'
  if (GOES_ON.test(line)) return 'it goes on although a stop condition ends the turn'
  const wanted = intent.non_goals.find((goal) => asksFor(line, goal, intent))
  if (wanted !== undefined) return `it asks for “${wanted}”, which the intent rules out`
  const star = intent.north_stars.find((one) => forbids(line, one))
  if (star !== undefined) return `it forbids “${star.replaceAll('_', ' ')}”, which is a north star`
  return lengthProblem(line, intent)
}

const SETS_ASIDE =
  /\b(?:ignore|disregard|override|overrule|set aside|forget|bypass|suspend|outranks?|over|above|regardless of|despite)\s+(?:\w+\s+){0,3}(?:intent|non-?goals?|stop conditions?|north stars?|authority|(?:hard )?constraints)\b|\b(?:intent|non-?goals?|north stars?)\s+(?:do|does|need|may|can)\s*(?:not|n't)?\s*(?:apply|count|matter|hold|be (?:ignored|broken|set aside))/iu

const GOES_ON =
  /\b(?:go on|goes on|continue|keep going|carry on|proceed|persist)\b[^.]{0,40}\b(?:stop|frustrat|although|even (?:if|though|when)|regardless)|\b(?:do not|don't|never) stop (?:even|when|if|although)|\bignore (?:a |the |any )?(?:stop|frustration)/iu

/** Instructions toward a non-goal that comes with Echelon; others are found by their own words. */
const TOWARD: readonly (readonly [name: RegExp, asks: RegExp])[] = [
  [
    /sycophan|flatter/iu,
    /\b(?:prais|flatter|compliment|applaud|admire|cheer|agree with (?:everything|whatever|all|the user)|tell (?:them|the user|him|her) (?:what|that) (?:they|he|she) (?:want|like|is|are)|(?:always|only) (?:be )?(?:positive|agree|supportive))/iu,
  ],
  [
    /feature (?:stacking|creep)|stacking (?:of )?features/iu,
    /\b(?:as many (?:features|ideas|options|tools)|(?:list|add|stack|propose) (?:\w+ ){0,2}(?:every|all|more|many|further) (?:\w+ )?(?:features?|ideas|tools))/iu,
  ],
  [
    /endless analys|analysis paralysis|over-?analy/iu,
    /\b(?:(?:keep|go on|continue) analy[sz]ing|analy[sz]e (?:everything|every|all|exhaustively|endlessly|each and every)|exhaustive(?:ly)? analy|(?:more|further) analysis (?:first|before))/iu,
  ],
]

function asksFor(line: string, goal: string, { patterns }: Intent): boolean {
  if (isDenied(line)) return false
  const asks = TOWARD.find(([name]) => name.test(goal))?.[1]
  if (asks?.test(line) === true) return true
  return (
    weighNamed(line, goal, undefined).confidence > 0 ||
    weighNamed(line, goal, patterns?.[goal]).confidence > 0
  )
}

const FORBIDS = /\b(?:no|never|not|don't|avoid|ignore|leave out|skip|drop|without)\b/iu

/** All words of a north star in a line that forbids something. */
function forbids(line: string, star: string): boolean {
  if (!FORBIDS.test(line)) return false
  const stems = stemsOf(star)
  const said = new Set(stemsOf(line))
  return stems.length > 0 && stems.every((stem) => said.has(stem))
}

const AT_MOST =
  /\b(?:at most|no more than|up to|max(?:imum)?(?: of)?|under|below|within)\s+(\d{1,5})\s+words\b/iu
const AT_LEAST =
  /\b(?:at least|no less than|min(?:imum)?(?: of)?|over|more than)\s+(\d{1,5})\s+words\b/iu

function lengthProblem(line: string, { authority_rules, non_goals }: Intent): string | null {
  const least = Number(AT_LEAST.exec(line)?.[1] ?? 0)
  const rule = [...authority_rules, ...non_goals].find(
    (one) => Number(AT_MOST.exec(one)?.[1] ?? Infinity) < least,
  )
  return rule === undefined ? null : `it asks for more words than the rule “${rule}” allows`
}
