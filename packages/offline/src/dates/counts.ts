import type { Marked } from './marks.ts'
import { MONTH } from './phrases.ts'
import { ASKING, IS } from './wording.ts'

type Groups = Readonly<Record<string, string | undefined>>
type Form = readonly [form: RegExp, phrase: (found: Groups) => string]

/** Words between the count and the dates: `are there`, `do I have left`, `have passed`. */
const FILLING =
  '(?: (?:are|is|was|were|will|be|there|it|that|do (?:i|we|you) have|has|have|been|pass|passed|passes|elapsed|gone by|go by|went by|lie|lies|left|remaining|remain|still|to go|to wait|exactly|in total))*'
const IN_ALL = '(?<inclusive>,? (?:inclusive|including both(?: days)?|counting both(?: days)?))?'
const SPAN = `(?:(?:the month of )?${MONTH},? (?:of )?\\d{4}|(?:the year )?\\d{4}|(?:this|next|last) (?:month|year))`
const AWAY = '(?:away|off|ahead)'
const UNIT = '(?:calendar |full |whole |more )?(?<unit>days|weeks|months|years)'
const MANY = `how many ${UNIT}`
const NUMBER = `(?:what ${IS} )?(?:the )?(?:(?:exact |total )?number of |difference in )`

const [ONE, TWO] = ['(?<one>#\\d+)', '(?<two>#\\d+)']
const HEAD = `(?:how many |${NUMBER}|(?:count )?(?:the )?)${UNIT}${FILLING}`
const RANGE = `(?:(?<between>between) ${ONE} and|from ${ONE} (?:to|until|till|up to)) ${TWO}${IN_ALL}`
const ARE = '(?:is|are|was|were|will|does|did)'

const until = ({ unit, one }: Groups): string => `${unit} until ${one}`
const since = ({ unit, one }: Groups): string => `${unit} since ${one}`
const fromTo = ({ unit, one, two }: Groups): string => `${unit} from ${one} to ${two}`
const apart = ({ unit, one, two }: Groups): string => `${unit} between ${one} and ${two}`
const inSpan = ({ unit, span }: Groups): string => `number of ${unit} in ${span}`

const ranged = ({ unit, between, one, two, inclusive }: Groups): string =>
  `${unit} ${between ? `between ${one} and` : `from ${one} to`} ${two}${inclusive ? ' inclusive' : ''}`

const form = (source: string, phrase: (found: Groups) => string): Form => [
  new RegExp(`^${ASKING}?${source}$`, 'i'),
  phrase,
]

const FORMS: readonly Form[] = [
  form(`${HEAD} ${RANGE}`, ranged),
  form(`${RANGE},? ${MANY}${FILLING}`, ranged),
  form(`${HEAD} (?:until|till|til|to|up to|before) ${ONE}(?: is it)?`, until),
  form(`${HEAD} since ${ONE}`, since),
  form(`how long(?: is it| was it| will it be| has it been)? ${RANGE},? in ${UNIT}`, ranged),
  form(`how long(?: is it| will it be)? (?:until|till|to|before) ${ONE},? in ${UNIT}`, until),
  form(`how long(?: has it been)? since ${ONE},? in ${UNIT}`, since),
  form(`${MANY} ago (?:was|is|were|are) ${ONE}`, since),
  form(`${ONE} (?:was|is) ${MANY} ago`, since),
  form(`${MANY} ${AWAY} (?:is|are|will) ${ONE}(?: be)?`, until),
  form(`${ONE} (?:is|are) ${MANY} ${AWAY}`, until),
  form(`in ${MANY} (?:is|will) ${ONE}(?: be)?`, until),
  form(`${MANY} (?:after|from) ${ONE} ${ARE} ${TWO}(?: come| fall)?`, fromTo),
  form(`${MANY} before ${TWO} ${ARE} ${ONE}(?: come| fall)?`, fromTo),
  form(`${MANY} separate ${ONE} (?:and|from) ${TWO}`, apart),
  form(`${MANY} (?:apart are ${ONE} and ${TWO}|are ${ONE} and ${TWO} apart)`, apart),
  form(`(?:how many |${NUMBER})${UNIT}(?: (?:are|were)(?: there)?)? in (?<span>${SPAN})`, inSpan),
  form(`${MANY} (?:does|did|will) (?<span>${SPAN}) have`, inSpan),
]

/** The calendar phrase of a question for a number of days, weeks, months or years. */
export function readCount({ text }: Marked): string | undefined {
  for (const [form, phrase] of FORMS) {
    const found = form.exec(text)
    if (found) return phrase(found.groups ?? {})
  }
  return undefined
}
