import { isKindOf, singular, verbOf } from './lexicon.ts'
import { markAt, type Token, wordAt } from '../../english/token.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** Words that only ask, and the names of sums, prices and measures. */
const ASKING = words(
  `how many much far long old what is are was were does do did be has have had will would can the a an
  of he she it they him her his their its we i you my our your there at for per on in to and with than
  each every if so then now currently still left over remain remains remaining total altogether
  together all both combined more fewer less older younger taller longer heavier shorter lighter
  money price cost costs dollars dollar change speed average sale new spend earn get make take need
  pay pays paid owe receive back up people person thing things piece pieces amount number value
  worth answer distance bill population only also`,
)
/** A story's unit may be asked for in another unit of the same kind. */
const UNITS = words('second minute hour day week month year mile km kilometer meter metre foot')
/** Verbs of having and transferring, any of which may ask about another. */
const DEEDS = words('have be get buy pay spend cost earn need take give gain')

/**
 * A word of the question that the story does not account for: "How many broken eggs", "What is the old price",
 * "How much in cents". Undefined if every word is accounted for.
 */
export function unplacedWord(
  statements: readonly (readonly Token[])[],
  question: readonly Token[],
): string | undefined {
  const told = new Set(statements.flatMap((one) => one.flatMap((_, at) => base(wordAt(one, at)))))
  const kinds = [...told]
  return question
    .map((_, at) => wordAt(question, at).replace(/'s?$/, ''))
    .find((word, at) => {
      // "The price of the sale" is not the sale price.
      if (word === 'sale' && wordAt(question, at + 1) !== 'price') return true
      if (word === 'old' && wordAt(question, at - 1) !== 'how') return !told.has('old')
      const isPlaced =
        word === '' ||
        ASKING.has(word) ||
        told.has(base(word)) ||
        UNITS.has(singular(word)) ||
        DEEDS.has(base(word)) ||
        kinds.some((kind) => isKindOf(kind, singular(word))) ||
        markAt(question, at) !== ''
      return !isPlaced
    })
}

function base(word: string): string {
  const bare = word.replace(/'s?$/, '')
  return verbOf(bare)?.verb ?? singular(bare)
}
