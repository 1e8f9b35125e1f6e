import { type Expression, literal, minus, over, plus, times } from '../../expression.ts'
import { about, ASKED, type Form, form, type Found, NEXT, number, ONE, THING } from './form.ts'

/** Comparisons of two amounts: "how many more than", "how many times as many as". */
const COMPARED: readonly string[] = [
  `(?<a>${THING}) (?<verb>is|was|has|had|costs?|weighs|earns|read|made|got) ${number('n')} (?:dollars? |years? |kg |(?<unit1>${THING}) )?(?<than>more|fewer|less|older|younger|heavier|lighter|longer|shorter|taller)(?: expensive)?(?: (?<unit2>${THING}))? than (?<b>${THING})`,
  `(?<a>${THING}) (?<verb>is|was|has|had|costs?|weighs|earns|read|made|got) ${number('n')} (?<times>times )?as (?:old|heavy|long|tall|much|expensive|many(?: (?<unit1>${THING}))?|much money) as (?<b>${THING})`,
]

const TOGETHER = '(?:together|altogether|in total|in all|combined|between them)'
const COUNT = `${number('total')}(?: dollars?| years?(?: old)?| (?<counted>${THING}))?`

/** The total of both. */
const TOTALS: readonly string[] = [
  `${TOGETHER},? (?:they|their (?<of>ages|weights|prices|costs)|the two(?: of them)?|both) (?:both )?(?<all>are|were|have|had|cost|costs|weigh|earn|read|made|add up to|total|sum to|come to|make|got) ${COUNT}`,
  `(?:they|the two(?: of them)?|both) (?<all>are|were|have|had|cost|weigh|earn|read|made|got) ${COUNT} ${TOGETHER}`,
  `(?:the )?(?:sum|total) of (?:their|the) (?:two )?(?<of>ages|weights|prices|costs) (?:is|equals|comes to) ${COUNT}`,
  `their (?<of>ages|weights|prices|costs) (?:${TOGETHER} )?(?:are|add up to|sum to|total|come to|make) ${COUNT}(?: ${TOGETHER})?`,
  `(?<both>${THING} and ${THING}) (?:${TOGETHER} )?(?<all>are|were|have|had|cost|costs|weigh|earn|read|made|got) ${COUNT}(?: ${TOGETHER})?`,
]

const QUESTION =
  `(?:how old (?:is|was) (?<q>${THING})|how (?:much|many)(?: (?:money|(?<wanted>${THING})))? (?:does|did|do) (?<q2>${THING}) (?<asks>have|cost|weigh|earn|read|make|get|own)` +
  `|how (?:much|heavy|expensive) is (?<q3>${THING})|what is the (?:price|cost|age|weight) of (?<q4>${THING})|what is (?<q5>${THING})'s (?:age|weight|price))`

/** "Tom is 4 years older than Ann. Together they are 26. How old is Ann?" */
export const TWO_PARTS: readonly Form[] = COMPARED.flatMap((compared) =>
  TOTALS.flatMap((total) => [
    form(`${compared}${NEXT}${total}${ASKED}${QUESTION}`, parts),
    form(`${total}${NEXT}${compared}${ASKED}${QUESTION}`, parts),
  ]),
)

function parts(found: Found): Expression | undefined {
  const [a, b] = [about(found.words('a')), about(found.words('b'))]
  const asked = about(['q', 'q2', 'q3', 'q4', 'q5'].map(found.words).join(''))
  const isFirst = asked === a
  const units = ['unit1', 'unit2', 'counted', 'wanted'].map(found.words).filter(Boolean).map(about)
  if (new Set(units).size > 1) return undefined
  if (a === b || !(isFirst || asked === b) || !agrees(found) || !bothAre(found, [a, b]))
    return undefined
  const [total, by] = [found.number('total'), found.number('n')]
  if (!total || !by) return undefined
  const than = found.words('than')
  if (than === '') {
    const less = over(total, plus(by, ONE))
    return isFirst ? times(less, by) : less
  }
  const firstIsMore = !/^(?:fewer|less|younger|lighter|shorter)$/.test(than)
  const [difference, two] = [isFirst === firstIsMore ? plus : minus, literal('2')]
  return over(difference(total, by), two)
}

const MEASURES: Readonly<Record<string, RegExp>> = {
  is: /^(?:are|ages|weights|prices|costs|)$/,
  has: /^(?:have|had)$/,
  cost: /^(?:costs?|prices)$/,
  weighs: /^(?:weigh|weights)$/,
}

/** Whether the total measures what the comparison compares. */
function agrees({ words }: Found): boolean {
  const verb = words('verb')
    .replace(/^costs$/, 'cost')
    .replace(/^was$/, 'is')
    .replace(/^had$/, 'has')
  const all = words('of') || words('all').replace(/^were$/, 'are')
  const measure = Object.hasOwn(MEASURES, verb) ? MEASURES[verb] : undefined
  return measure ? measure.test(all) : all === verb || `${all}s` === verb
}

/** Whether "A bat and a ball cost …" names those two. */
function bothAre({ words }: Found, [a, b]: readonly [string, string]): boolean {
  const named = words('both').split(' and ').map(about)
  return words('both') === '' || (named.includes(a) && named.includes(b))
}
