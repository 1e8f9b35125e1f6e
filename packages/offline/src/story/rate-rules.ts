import { over } from '../expression.ts'
import { roleOf, TIME, VERB, WORD } from './lexicon.ts'
import { MAYBE_THING, N, type Rule, rule, THING, unit } from './rule.ts'

const OF = `(?:of ${WORD} )?`
const HOLDS = 'has|had|holds|held|contains|costs|cost|weighs|seats|carries|needs'

/** An amount of one thing per another. */
export const RATE_RULES: readonly Rule[] = [
  // 6 hours a day; 2 liters of water each day
  rule(`${N} ${MAYBE_THING}${OF}(?:per|an?|each|every) (${TIME})`, (r, [n, what = '', time = '']) =>
    r.rate(r.number(n), unit(what), unit(time)),
  ),
  // 6.5 liters of petrol per 100 km; $3 for every 4 kilos
  rule(
    `${N} ${MAYBE_THING}${OF}(?:per|for every|every|for each|each) ${N} (${WORD})`,
    (r, [n, what = '', by, per = '']) =>
      r.rate(over(r.number(n), r.number(by)), unit(what), unit(per)),
  ),
  // eggs come in boxes of 12
  rule(
    `(${WORD}) (?:come|comes|are (?:sold|packed|packaged|delivered|shipped)) in (${WORD}) of ${N}`,
    (r, [what = '', per = '', n]) => r.rate(r.number(n), unit(what), unit(per)),
  ),
  // 12 pencils per box; 25 trees in each field
  rule(
    `${N} ${MAYBE_THING}(?:per|for (?:each|every|one|an?)|(?:on|in|from|to|at) (?:each|every)) (?:of the )?(${WORD})`,
    (r, [n, what = '', per = '']) => r.rate(r.number(n), unit(what), unit(per)),
  ),
  // $3 a kilo
  rule(`${N} dollars? (?:an?|each|every) (${WORD})`, (r, [n, per = '']) =>
    r.price(r.number(n), unit(per)),
  ),
  // (3 boxes with) 12 pencils each
  rule(`${N} ${MAYBE_THING}(?:each|apiece|(?:in|on) each)`, (r, [n, what = '']) => {
    const per = r.lastThing
    return per !== undefined && r.rate(r.number(n), unit(what), per)
  }),
  // each shelf holds 18 books
  rule(
    `(?:each|every|one) ${THING} (?:can )?(${VERB}|seats?) ${N}(?: ${MAYBE_THING})?`,
    (r, [per = '', verb = '', n, what = '']) =>
      r.verb(roleOf(verb) ?? 'have') && r.rate(r.number(n), unit(what), unit(per)),
  ),
  // a class has 28 students
  rule(
    `an? ${THING}(?: of ${WORD})? (${HOLDS}) ${N}(?! (?:[a-z]+ ){1,3}(?:per|every|for every|of|with) #)(?: ${MAYBE_THING})?`,
    (r, [owner = '', verb = '', n, what = '']) => {
      r.waiting = owner.split(' ')
      r.verb(roleOf(verb) ?? 'have')
      return r.rate(r.number(n), unit(what), unit(owner), true)
    },
  ),
  // (puts 24 apples) in bags of 4
  rule(
    `(?:in|into) (?:some )?(${WORD}) (?:of|with|holding) ${N}(?: ${THING})?(?: each)?`,
    (r, [per = '', n, what = '']) => {
      const filling = what === '' ? r.lastThing : unit(what)
      return filling !== undefined && r.rate(r.number(n), filling, unit(per))
    },
  ),
]
