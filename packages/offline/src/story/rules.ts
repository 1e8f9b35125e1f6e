import { literal } from '../expression.ts'
import { COMPARISON_RULES } from './comparison-rules.ts'
import { PASSED, roleOf, STATE, TIME, VERB, WORD } from './lexicon.ts'
import { PART_RULES, SHARE_RULES } from './part-rules.ts'
import { PRICE_RULES } from './price-rules.ts'
import { RATE_RULES } from './rate-rules.ts'
import type { StoryParser } from './reading.ts'
import { MAYBE_THING, N, type Rule, rule, THE, THING, unit } from './rule.ts'
import { ANYTHING } from './scene.ts'

const MEASURE = 'page|km|mile|meter|minute|hour'

/** Plain quantities, with the verb before or after them. */
const AMOUNT_RULES: readonly Rule[] = [
  rule(`${N} ${THING} (?:long|wide|tall|high|deep)`, (r, [n, what = '']) =>
    r.amount(r.number(n), unit(what), 'side'),
  ),
  rule(`${N} years? old`, (r, [n]) => r.age(r.number(n))),
  // 6 packs of 8 cards
  rule(
    `${N} ${THING} of ${N} ${THING}`,
    (r, [n, packs = '', each, what = '']) =>
      r.amount(r.number(n), unit(packs)) && r.rate(r.number(each), unit(what), unit(packs)),
  ),
  // seven of us had lunch
  rule(`${N} of (?:us|them|you)(?= (?:had|have|ate|went|share|are|were|order))`, (r, [n]) => {
    r.subject('they')
    return r.amount(r.number(n), unit('persons'), 'share')
  }),
  // a 340 km trip; a 420 page book
  rule(
    `(?:an?|the|his|her|their|my|our|this) ${N}[ -](${MEASURE})s?[ -](${WORD})`,
    (r, [n, measure = '', what = '']) =>
      r.subject(what) && r.amount(r.number(n), unit(measure), r.role ?? 'have'),
  ),
  // 57 seats are empty
  rule(`${N} ${THING} (?:is|are|was|were) (${STATE})`, (r, [n, what = '', state = '']) => {
    if (r.scene.state !== '') return 'void'
    r.scene.state = state
    return r.amount(r.number(n), unit(what), 'lose')
  }),
  // 8 got off; 12 of them flew away
  rule(
    `${N} (?:of (?:them|the ${WORD}) )?(?:more |other )?(?:${THING} )?(?:have |had |are |were )?(${VERB})`,
    (r, [n, what = '', verb = '']) => {
      const role = roleOf(verb)
      const moves = role === 'lose' || role === 'gain'
      return moves && r.verb(role, verb) && r.amount(r.number(n), unit(what))
    },
  ),
  // (had) $9 left
  rule(
    `${N} ${MAYBE_THING}(?:left|remaining)`,
    (r, [n, what = '']) => r.role === 'have' && r.amount(r.number(n), unit(what), 'end'),
  ),
  rule(
    `${N} (more |other |new |additional )?(dollars?|${THING})(?: of ${WORD})?`,
    (r, [n, more = '', what = '']) => hasMore(r, more) && r.amount(r.number(n), unit(what)),
  ),
  rule(`${N}( more)?`, (r, [n, more = '']) => {
    if (r.role === 'have' && r.named !== '') return r.age(r.number(n))
    return hasMore(r, more) && r.amount(r.number(n), ANYTHING)
  }),
]

/** "Buys 3 more" is an amount; "has 3 more" compares. */
const hasMore = (r: StoryParser, more: string): boolean => more === '' || r.role !== 'have'

/** Phrases without a number that continue the reading. */
const FRAME_RULES: readonly Rule[] = [
  rule(`(?:every|each|per) (${TIME})|daily`, (r, [time = '']) => {
    r.every = time === '' ? 'day' : time
    return true
  }),
  // times of day and places on a line: nothing to add up
  rule('from(?= #)|at(?= #\\d+(?: and| to|[.,;]|$))', () => 'void'),
  // (3 dogs) and a bird
  rule(
    `an? (${WORD})(?=[,;.]| and|$)`,
    (r, [what = '']) => r.inList && r.amount(literal('1'), unit(what)),
  ),
  // (her cousin,) who is 9
  rule('(?:who|which|that)(?= is\\b)', (r) => r.subject(r.named === '' ? r.owner : r.named)),
  rule(`(${VERB})`, (r, [verb = '']) => {
    const role = roleOf(verb)
    return role !== undefined && r.verb(role, verb)
  }),
  rule('(and|but|then|while|so)', (r, [joint = '']) => r.boundary(joint)),
  rule(
    `(?:on|in|at|by|during|from|into|with|for|of|to|inside) ${THE}(?:first |second |third )?${WORD}(?: ${WORD})?`,
    () => true,
  ),
  rule(`(he|she|it|they|we|i|you|${WORD})`, (r, [word = '']) => r.subject(word)),
  rule(PASSED, () => true),
]

/** Tried in this order at every position; the first match takes its words. */
export const RULES: readonly Rule[] = [
  ...COMPARISON_RULES,
  ...PRICE_RULES,
  ...RATE_RULES,
  ...SHARE_RULES,
  ...PART_RULES,
  ...AMOUNT_RULES,
  ...FRAME_RULES,
]
