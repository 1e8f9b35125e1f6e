import { over, times } from '../expression.ts'
import { DOLLAR, stem, WORD } from './lexicon.ts'
import type { StoryParser } from './reading.ts'
import { N, type Rule, rule, THING, unit } from './rule.ts'
import type { PriceChange } from './scene.ts'

const AN = '(?:an?|the|another|his|her)'
const EACH = `( each| apiece| per ${WORD}| an? ${WORD})?`
const MONEY = unit(DOLLAR)

/** Prices, and changes of prices. */
export const PRICE_RULES: readonly Rule[] = [
  // 3 kilograms of apples at $4 per kilogram
  rule(
    `${N} (${WORD}) of ${WORD} (?:for|at) ${N} dollars? (?:per|an?) (${WORD})`,
    (r, [n, what = '', price, per = '']) =>
      stem(what) === stem(per) && r.amount(times(r.number(n), r.number(price)), MONEY),
  ),
  // (paid) $20 for a $12 meal
  rule(
    `${N} dollars? for ${AN} ${N} dollars?[ -]${WORD}`,
    (r, [paid, price]) =>
      r.role === 'lose' &&
      r.amount(r.number(paid), MONEY, 'have') &&
      r.amount(r.number(price), MONEY),
  ),
  // tickets cost $8 each
  rule(`${THING} (costs?|for|at) ${N} dollars? (?:each|apiece)`, (r, [what = '', link = '', n]) => {
    if (link.startsWith('cost')) r.verb('cost')
    return r.price(r.number(n), unit(what))
  }),
  // 4 notebooks at $3; 3 pens for $6
  rule(
    `${N} ${THING} (for|at|that cost|which cost|costing|worth) ${N} dollars?${EACH}`,
    (r, [n, what = '', link = '', price, each = '']) => {
      const ofAll = each === '' && link !== 'at'
      const value = ofAll ? over(r.number(price), r.number(n)) : r.number(price)
      return r.amount(r.number(n), unit(what)) && r.price(value, unit(what))
    },
  ),
  // 5 apples cost $10
  rule(
    `${N} ${THING} costs? ${N} dollars?( each| apiece)?`,
    (r, [n, what = '', price, each = '']) => {
      r.verb('cost')
      if (each === '') return r.price(over(r.number(price), r.number(n)), unit(what))
      return r.amount(r.number(n), unit(what)) && r.price(r.number(price), unit(what))
    },
  ),
  // a pen for $2
  rule(
    `(?:(?:the|an?|another|his|her|some) )?${THING} (?:for|that costs?|which costs?|costing|at|worth) ${N} dollars?(?! (?:an?|per|each|every))`,
    (r, [, n]) => r.amount(r.number(n), MONEY),
  ),
  // a $6 notebook; (with) a $20 bill
  rule(`${AN} ${N} dollars?[ -](${WORD})`, (r, [n, thing = '']) =>
    r.amount(r.number(n), MONEY, /^(?:bill|note)$/.test(thing) ? 'have' : r.role),
  ),
  // (pays) with $50
  rule(`with ${N} dollars?`, (r, [n]) =>
    r.amount(r.number(n), MONEY, r.role === 'lose' ? 'have' : r.role),
  ),
  rule(`${N} percent (?:off|discount|reduction)`, (r, [n]) => change(r, n, 'off')),
  rule(`(?:reduced|discounted|cut|lowered|marked down) by ${N} percent`, (r, [n]) =>
    change(r, n, 'off'),
  ),
  rule(`(?:discount|reduction) of ${N} percent`, (r, [n]) => change(r, n, 'off')),
  rule(`${N} percent (?:sales )?(?:tax|tip|service charge|vat)`, (r, [n]) => change(r, n, 'on')),
  rule(`(?:tip|tax) of ${N} percent`, (r, [n]) => change(r, n, 'on')),
]

function change(r: StoryParser, n: string | undefined, sign: PriceChange['sign']): boolean {
  r.scene.priceChanges.push({ sign, percent: r.number(n) })
  return true
}
