import { stem } from './lexicon.ts'
import type { StoryParser } from './reading.ts'
import { MAYBE_THING, N, type Rule, rule, THE, THING, unit } from './rule.ts'
import type { Comparison } from './scene.ts'

const HOW = '(?:many|much|old|tall|long|heavy|far|fast|big|large|expensive|high)'
const OLDER = 'older|younger|taller|shorter|longer|heavier|lighter'
const WHOM = `${THE}([a-z]+)(?:'s age)?(?: (?:is|has|have|does|did|do|had|was))?`

/** Amounts given relative to someone else's. */
export const COMPARISON_RULES: readonly Rule[] = [
  // three times as many marbles as Sara; half as old as Ann
  rule(`${N} (?:times )?as ${HOW}(?: ${THING})? as ${WHOM}`, (r, [n, what = '', base = '']) =>
    compare(r, base, { unit: unit(what), relation: 'times', by: r.number(n) }),
  ),
  // 7 fewer than Anna; 5 more apples than Mia
  rule(
    `${N} ${MAYBE_THING}(more|fewer|less|cheaper|${OLDER})(?: expensive)?(?: ${THING})? than ${WHOM}`,
    (r, [n, before = '', than = '', after = '', base = '']) =>
      compare(r, base, {
        unit: unit(before === '' ? after : before),
        relation: direction(than),
        by: r.number(n),
      }),
  ),
  // (and his dad is) four times as old
  rule(`${N} times as ${HOW}(?! as)`, (r, [n]) => {
    const base = r.scene.amounts.at(-1)?.owner ?? ''
    return base !== '' && compare(r, base, { unit: unit(''), relation: 'times', by: r.number(n) })
  }),
  // (His sister is) 5 years younger
  rule(`${N} ${MAYBE_THING}(${OLDER})`, (r, [n, what = '', than = '']) => {
    const base = r.scene.amounts.at(-1)?.owner ?? ''
    const by = { unit: unit(what), relation: direction(than), by: r.number(n) }
    return base !== '' && compare(r, base, by)
  }),
]

const direction = (word: string): 'more' | 'fewer' =>
  /^(?:fewer|less|younger|shorter|lighter|cheaper)$/.test(word) ? 'fewer' : 'more'

/** Only between two names: what "him" in "she has 3 more than him" refers to is unknown here. */
function compare(
  r: StoryParser,
  whom: string,
  comparison: Omit<Comparison, 'owner' | 'base'>,
): boolean {
  const base = stem(whom)
  const isPronoun = /^(?:him|her|hers|his|he|she|it|they|them|that|this)$/.test(whom)
  if (isPronoun || r.owner === '' || r.owner === base) return false
  r.named = base
  r.scene.comparisons.push({ owner: r.owner, base, ...comparison })
  return true
}
