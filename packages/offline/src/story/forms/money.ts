import { type Expression, minus, over, plus, times } from '../../expression.ts'
import { stem } from '../lexicon.ts'
import {
  ASKED,
  EACH,
  type Form,
  form,
  type Found,
  HUNDRED,
  money,
  NEXT,
  number,
  ONE,
  THING,
  WHO,
} from './form.ts'

const TIME = '(?<per>day|week|month|quarter|year)'
const EVERY = `(?: (?:an?|per|each|every) ${TIME}|ly)`
const FEE = '(?:fee|charge|deposit|payment|cost|price|registration|installation|subscription)'
const ONCE =
  '(?:one-off |one-time |single |once-only |initial |upfront |joining |setup |set-up |start-up |sign-up |registration |fixed |activation |installation |administration )'
const PAY = '(?:pay|spend|owe|cost|be charged|have to pay|need to pay)'
const PAYING = `(?:(?:what|how much)(?: money)? (?:will|do|does|did|would|must|should) (?:${WHO}) ${PAY}|what (?:is|will be) the (?:total )?(?:cost|price|bill))`
const SPAN = `(?:(?:in|for|over|after|during) )(?:the |an? |all |his |her |their |my )?(?:first |whole |full |total of )?${number('span')} (?<unit>day|week|month|quarter|year)s?(?: of membership| of use)?`
const SUM = '(?: in total| altogether| in all| all together|, in total| overall)?'

const BUY = '(?:buys?|bought|purchases?|purchased|gets?|orders?)'
const SELL = '(?:sells?|sold|resells?|resold)'
const THEM = '(?:them|it|each|each one|each of them|these|those|they)'
const PROFIT = `(?:what is|what was|what will be|what would be|how much is|how much was|find|calculate) (?:the|his|her|their|its|my|our) (?:total |overall )?(?:profit|gain)|how much (?:profit|money|profit in total) (?:does|do|did|will|would) (?:${WHO}) (?:make|earn|get|gain)(?: in profit)?|what profit (?:does|do|did|will|would) (?:${WHO}) make`

const INVESTED = `${WHO} (?:puts?|invests?|invested|deposits?|deposited|lends?|lent|borrows?|borrowed|saves?|saved|places?|placed|have|has|had) ${money('principal')}(?: (?:in|into|on|to|from) ${THING})? (?:at|with|earning|paying|that pays|that earns) ${number('rate')} percent simple interest(?: (?:per|an?|each|every) (?:year|annum)| per year| annually| yearly)?`

/** Prices over time, profit, and interest. */
export const MONEY_FORMS: readonly Form[] = [
  // a gym costs 30 a month plus a joining fee of 25
  form(
    `${THING} (?:costs?|is|charges?) ${money('rate')}${EVERY}(?:,? plus|,? and|,? with|[.;] there is(?: also)?) an? ${ONCE}{0,2}${FEE} of ${money('fee')}${ASKED}${PAYING}(?: ${SPAN})?${SUM}(?: ${SPAN.replaceAll('?<span>', '?<span2>').replaceAll('?<unit>', '?<unit2>')})?`,
    costOverTime,
  ),
  form(
    `${THING} (?:costs?|charges?|has) an? ${ONCE}{0,2}${FEE} of ${money('fee')}(?:,? plus|,? and|,? and then) ${money('rate')}${EVERY}${ASKED}${PAYING} ${SPAN}${SUM}`,
    costOverTime,
  ),
  // a shop buys lamps at 5 each and sells them at 8 each
  form(
    `${WHO} ${BUY} (?<what>${THING}) (?:at|for) ${money('bought')}${EACH}${NEXT}(?:${WHO} )?${SELL} ${THEM} (?:on )?(?:at|for) ${money('sold')}${EACH}${ASKED}(?:${PROFIT}) (?:on|for|from|by selling|selling|if ${WHO} sells?) ${number('count')} (?<things>${THING})`,
    profit,
  ),
  // put 500 into savings at 4% simple interest
  form(`${INVESTED} for ${number('years')} years?${ASKED}(?<question>.+?)`, interest),
  form(
    `${INVESTED}${ASKED}(?<question>.+?) (?:after|in|over|for|at the end of) ${number('years')} years?`,
    interest,
  ),
]

function costOverTime({ number, words }: Found): Expression | undefined {
  const [rate, fee, span] = [number('rate'), number('fee'), number('span') ?? number('span2')]
  const unit = words('unit') || words('unit2')
  if (!rate || !fee || !span || (number('span') && number('span2'))) return undefined
  return unit === words('per') ? plus(times(rate, span), fee) : undefined
}

function profit({ number, words }: Found): Expression | undefined {
  const [bought, sold, count] = [number('bought'), number('sold'), number('count')]
  if (!bought || !sold || !count || sold.value < bought.value) return undefined
  const [what, things] = [words('what'), words('things')].map((each) =>
    stem(each.split(' ').at(-1) ?? ''),
  )
  return what === things ? times(minus(sold, bought), count) : undefined
}

const INTEREST =
  /^(?:how much (?:simple )?interest|what (?:is|will be) the (?:simple )?interest)(?: (?:will|does|do|did|would) (?:i|he|she|they|we|you|it|[a-z]+) (?:have )?(?:earn|earned|get|got|receive|received|pay|paid|owe|made|make))?(?: in total)?$/
const BALANCE =
  /^(?:how much (?:money )?(?:will|does|would) (?:there be|(?:i|he|she|they|we|you|[a-z]+) (?:have|owe))(?: in (?:the account|total|all)| altogether| in total)?|what (?:is|will be) the (?:total|final) (?:amount|balance|value|sum))$/

function interest({ number, words }: Found): Expression | undefined {
  const [principal, rate, years] = [number('principal'), number('rate'), number('years')]
  if (!principal || !rate || !years) return undefined
  const earned = over(times(times(principal, rate), years), HUNDRED)
  if (INTEREST.test(words('question'))) return earned
  return BALANCE.test(words('question'))
    ? times(principal, plus(ONE, over(times(rate, years), HUNDRED)))
    : undefined
}
