import { literal, percentOf, plus, times, total } from '../expression.ts'
import { DOLLAR, stem, VERB, WORD } from './lexicon.ts'
import type { StoryParser } from './reading.ts'
import { N, type Rule, rule, THE, THING, unit } from './rule.ts'
import { ANYTHING, fits } from './scene.ts'

const ARE = '(?:is|are|was|were)'
const SHARED = 'shared|split|divided|packed|put|arranged|placed|distributed|sorted|cut'

/** Parts of an amount: "3/4 of them", "60% are girls". */
export const PART_RULES: readonly Rule[] = [
  // half of the 24 students are girls
  rule(
    `${N} (percent )?of (?:the |his |her |all |all the )?${N} ${THING}(?: ${ARE} (${WORD}))?`,
    (r, [n = '', percent = '', whole, what = '', named = '']) =>
      (named !== '' || r.role === 'lose') &&
      r.amount(r.number(whole), unit(what), 'have') &&
      part(r, { n, percent, what, named }),
  ),
  rule(
    `${N} (percent )?of (?:the |his |her |their |its )?(?:them|it|these|those|money|total|${THING})(?: ${ARE} (${WORD}))?`,
    (r, [n = '', percent = '', what = '', named = '']) => part(r, { n, percent, what, named }),
  ),
  // 10 are absent; 60% of … are girls
  rule(`${N} (percent )?${ARE} (?!${VERB})(${WORD})`, (r, [n = '', percent = '', named = '']) =>
    part(r, { n, percent, what: '', named }),
  ),
  rule(
    `the (?:rest|others|other ones|remaining ones)(?: of (?:them|the ${WORD}))? ${ARE} (${WORD})`,
    (r, [rest = '']) => {
      r.scene.rest = stem(rest)
      return true
    },
  ),
  // in a school of 300 pupils; out of 40 students
  rule(`(?:(?:in|at|on) an? ${WORD} (?:of|with)|out of) ${N} ${THING}`, (r, [n, what = '']) =>
    r.amount(r.number(n), unit(what), 'have'),
  ),
  rule('(?:some|a few|several) (?:money|[a-z]+)', (r) => {
    r.scene.unknownStart = true
    return true
  }),
]

interface Part {
  readonly n: string
  readonly percent: string
  /** The whole; empty for "of them". */
  readonly what: string
  /** The name of the part; empty if a verb takes it away. */
  readonly named: string
}

function part(r: StoryParser, { n, percent, what, named }: Part): boolean | 'void' {
  r.assume()
  const number = r.number(n)
  const isShare = percent !== '' || number.rank === 2
  const takesAway = r.role === 'lose' || r.role === 'give' || r.role === 'sell'
  if (named === '' && !takesAway) return r.role === undefined ? false : 'void'
  if (!isShare && named === '') return r.amount(number, what === '' ? ANYTHING : unit(what))
  if (!isShare) return r.amount(number, unit(named), 'part')
  const of = what === '' ? (r.lastThing ?? unit(DOLLAR)) : unit(what)
  const known = r.scene.amounts.filter((one) => fits(one.unit, of))
  const whole = known.length === 1 ? total(known.map(({ value }) => value)) : undefined
  if (whole === undefined) return 'void'
  const value = percent === '' ? times(whole, number) : percentOf(number, whole)
  return named === '' ? r.amount(value, known[0]?.unit ?? of) : r.amount(value, unit(named), 'part')
}

/** Dividing equally. */
export const SHARE_RULES: readonly Rule[] = [
  // 24 cookies are shared
  rule(`${N} ${THING} ${ARE}(?= (?:${SHARED}))`, (r, [n, what = '']) =>
    r.amount(r.number(n), unit(what), 'have'),
  ),
  // five friends share
  rule(
    `${N} ${THING} (?:shared?|split|divided?)`,
    (r, [n, what = '']) => r.verb('share') && r.amount(r.number(n), unit(what), 'share'),
  ),
  // between herself and 5 friends
  rule(
    `(?:equally |evenly )?(?:among|between|with) (?:herself|himself|themselves|myself|yourself|itself) and ${THE}${N} ${THING}(?: equally| evenly)?`,
    (r, [n, what = '']) =>
      r.role === 'share' && r.amount(plus(r.number(n), literal('1')), unit(what), 'share'),
  ),
  rule(
    `(?:equally |evenly )?(?:among|between) ${THE}${N} ${THING} and (?:herself|himself|themselves|myself|yourself)(?: equally| evenly)?`,
    (r, [n, what = '']) =>
      r.role === 'share' && r.amount(plus(r.number(n), literal('1')), unit(what), 'share'),
  ),
  // among 6 children, into 7 boxes
  rule(
    `(?:equally |evenly )?(?:among|between|into|in|onto|on|with|to) ${THE}${N} (?:equal )?${THING}(?: equally| evenly)?`,
    (r, [n, what = '']) => r.role === 'share' && r.amount(r.number(n), unit(what), 'share'),
  ),
  // 3 sweets to each of her 4 friends
  rule(`${N} ${THING} to each of ${THE}${N} ${THING}`, (r, [n, what = '', many]) =>
    r.amount(times(r.number(many), r.number(n)), unit(what)),
  ),
  rule('equally|evenly', (r) => r.role === 'share'),
]
