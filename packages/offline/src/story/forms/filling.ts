import { over } from '../../expression.ts'
import { stem } from '../lexicon.ts'
import { ASKED, type Form, form, type Found, number, THING } from './form.ts'

const CONTAINER = `(?:an? |the |my |our |his |her |their )?(?:empty |full )?`
const FLUID = '(?:liters?|gallons?|cubic meters?|barrels?|kilos?|kg|tons?)'
const HOLDS =
  '(?:of|with|holding|which holds|that holds|holds|contains|has a capacity of|with a capacity of|takes)'
const FLOWS = `(?:(?<fills>fills|is filled|is being filled|is filling)|(?<drains>drains|is drained|is emptied|empties|is emptying|leaks))(?: up)?(?: with water)? at(?: a (?:rate|speed) of)?`
const RATE = `${number('rate')} (?<poured>${FLUID}) (?:per|an?|each|every) (?<time>second|minute|hour|day)`
const HOW_LONG = `(?:how long|how many (?<asked>second|minute|hour|day)s)(?: (?:does|will|would|is) it(?: take| be)?|(?= ))`
const FULL =
  '(?:to fill(?: up)?(?: it| the [a-z]+)?(?: up)?|(?:until|till|before) (?:it|the [a-z]+) is (?:completely )?(?:full|filled)|to be (?:full|filled))'
const EMPTY =
  '(?:to (?:empty|drain)(?: it| the [a-z]+)?|(?:until|till|before) (?:it|the [a-z]+) is (?:completely )?empty|to be empty)'
const ENDS = `(?: (?:(?<full>${FULL})|(?<empty>${EMPTY})))`

/** The time a flow takes to fill or empty a container of a given size. */
export const FILLING_FORMS: readonly Form[] = [
  form(
    `${CONTAINER}(?:${THING} ${HOLDS}|(?=#)) ?${number('size')}[ -](?<held>${FLUID})(?:[- ](?:tank|pool|bath|tub|barrel|bucket|container|reservoir|pond))?(?:[,.;]? (?:and )?(?:it )?| )${FLOWS} ${RATE}${ASKED}${HOW_LONG}${ENDS}`,
    filling,
  ),
]

function filling({ number, words }: Found): ReturnType<typeof over> | undefined {
  const [size, rate] = [number('size'), number('rate')]
  const sameWay = (words('fills') !== '') === (words('full') !== '')
  const sameFluid = stem(words('held')) === stem(words('poured'))
  const sameTime = words('asked') === '' || words('asked') === words('time')
  return size && rate && sameWay && sameFluid && sameTime ? over(size, rate) : undefined
}
