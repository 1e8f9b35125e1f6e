import { markAt, type Token, wordAt } from '../../english/token.ts'

type Sentence = readonly Token[]

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** Things not done yet, or perhaps never. In a question such words only ask. */
const NOT_DONE = words(
  `will would can could may might shall should must going won't wouldn't can't couldn't cannot
  plans planned hopes hoped expects expected intends intended promised tries tried`,
)
/** Words that make a number an estimate, a habit, or a thing that does not count as such. */
const DOUBTFUL = words(
  `about almost nearly roughly approximately around maybe perhaps probably possibly supposedly
  usually sometimes often typically generally normally occasionally rarely seldom barely hardly
  free stolen fake imaginary returned refunded exchanged swapped rented borrowed lent missing
  canceled cancelled former virtual promised pretend pretends refuses forgets forgot fails failed
  imagines dreams daily weekly monthly yearly annually hourly nightly overnight alternate over under
  always once previously later weekend weekends weekday weekdays mondays tuesdays wednesdays
  thursdays fridays saturdays sundays yesterday tonight past formerly lie already late early`,
)
const ORDINALS = words('first second third fourth fifth last next previous following other')
const NEEDS = words('need needs needed want wants wanted hold holds each pack packs put puts')
const TIMES = words('today tomorrow')
const PRICES = words('cost costs price prices worth charge charges fee')
const THERE = words('there here then')
const TOTALS = words('total altogether all both combined')

/** A story as its words. */
interface Told {
  readonly statements: readonly Sentence[]
  readonly question: Sentence
  /** The words of all statements, in their order. */
  readonly told: readonly string[]
  readonly asked: readonly string[]
}

/** Finds the word that prevents reading a story; undefined if there is none. */
type Find = (story: Told) => string | undefined

const HAZARDS: readonly (readonly [find: Find, why: (word: string) => string])[] = [
  [
    ({ told }) => told.find((word) => NOT_DONE.has(word)),
    (word) => `${word} tells of something not done yet`,
  ],
  [
    ({ told, asked }) => [...told, ...asked].find((word) => DOUBTFUL.has(word)),
    (word) => `${word} may make a number another one`,
  ],
  [
    ({ asked }) => asked.find((word) => ORDINALS.has(word)),
    (word) => `${word} asks for one of several`,
  ],
  [otherDay, (word) => `it asks for ${word}, a day that it does not tell of`],
  [groupWithin, (word) => `it asks for one ${word} of several`],
  [unmetNeed, (word) => `it asks what is ${word}, and nothing is told of a need`],
  [savedOfEarned, (word) => `what is ${word} may be a part of what is earned`],
  [
    ({ statements }) => first(statements, partTaken),
    (word) => `whose it is, or a part of what, is not followed in ${word}`,
  ],
  [discounted, (word) => `the price may be the one that is ${word} already`],
  [otherTime, (word) => `${word} is another time`],
  [condition, (word) => `what stands behind ${word} holds on a condition`],
  [mixedTime, (word) => `it tells of several times, or of a price at one time: ${word}`],
  [priceThere, (word) => `a price may hold ${word} alone`],
]

/**
 * Returns why a story must not be read although each of its words is known: something in it is not done, holds at
 * another time, or belongs to another person. The reason names the word. Undefined if the story is safe.
 */
export function hazardIn(statements: readonly Sentence[], question: Sentence): string | undefined {
  const told = statements.flatMap(wordsOf)
  const story = { statements, question, told, asked: wordsOf(question) }
  return first(HAZARDS, ([find, why]) => {
    const word = find(story)
    return word === undefined ? undefined : why(`"${word}"`)
  })
}

/** The first result among the items of a list. */
function first<One>(
  list: readonly One[],
  find: (one: One, at: number) => string | undefined,
): string | undefined {
  for (const [at, one] of list.entries()) {
    const found = find(one, at)
    if (found !== undefined) return found
  }
  return undefined
}

const wordsOf = (sentence: Sentence): readonly string[] =>
  sentence.map((_, at) => wordAt(sentence, at)).filter((word) => word !== '')

const isEarned = (word: string): boolean => word.startsWith('earn')

function otherDay({ told, asked }: Told): string | undefined {
  return asked.find((word) => TIMES.has(word) && !told.includes(word))
}

function savedOfEarned({ told }: Told): string | undefined {
  return told.some(isEarned) ? told.find((word) => /^saved?s?$/.test(word)) : undefined
}

/** "6 rows of 8 seats. How many seats are there in a row?" */
function groupWithin({ question, told }: Told): string | undefined {
  return first(question, (_, at) => {
    const isWithin = ['in', 'on', 'inside'].includes(wordAt(question, at))
    const isOne = ['a', 'an', 'one'].includes(wordAt(question, at + 1))
    const noun = wordAt(question, at + 2)
    return isWithin && isOne && !HOLDS.test(noun) && told.includes(`${noun}s`) ? noun : undefined
  })
}

/** Containers and units for which the text says how much one holds, or how long it lasts. */
const HOLDS = /^(?:second|minute|hour|day|week|month|year|box|bag|mile)s?$/

function unmetNeed({ told, asked }: Told): string | undefined {
  const isMet = told.some((word) => NEEDS.has(word))
  return isMet ? undefined : asked.find((word) => word === 'need' || word === 'needed')
}

const POSSESSIVES = words('my your our his her their its')

/** "5 of her apples", "12 books, 5 of them on Monday", "20% of the money of Ann". */
function partTaken(statement: Sentence): string | undefined {
  const subject = wordsOf(statement).find((word) => word === 'he' || word === 'she')
  return first(statement, (_, at) => {
    if (wordAt(statement, at) !== 'of') return undefined
    const next = wordAt(statement, at + 1)
    const isOwn = (subject === 'he' && next === 'his') || (subject === 'she' && next === 'her')
    const isFurther = next === 'the' && wordAt(statement, at + 3) === 'of'
    const isOthers = (POSSESSIVES.has(next) && !isOwn) || next.endsWith("'s") || isFurther
    const isOfThem = next === 'them' && markAt(statement, at - 2) === ','
    return isOthers || isOfThem ? `of ${next}` : undefined
  })
}

/** "A discounted jacket costs $80", not "discounted by 20%". */
function discounted({ told }: Told): string | undefined {
  return told.find((word, at) => word === 'discounted' && told[at + 1] !== 'by')
}

/** "Last year", "next week": not the time of the question. */
function otherTime({ told }: Told): string | undefined {
  const isUnit = /^(?:second|minute|hour|day|week|month|year|night|summer|winter)s?$/
  return first(told, (word, at) => {
    const next = told[at + 1] ?? ''
    return ['last', 'next'].includes(word) && isUnit.test(next) ? `${word} ${next}` : undefined
  })
}

/** "If Ann is a student, pens cost $2": only the statement before the question may begin with "if". */
function condition({ statements }: Told): string | undefined {
  return first(statements, (statement, nth) => {
    const at = statement.findIndex((_, index) => wordAt(statement, index) === 'if')
    const isLast = nth === statements.length - 1
    return at > 0 || (at === 0 && (!isLast || hasComma(statement))) ? 'if' : undefined
  })
}

const hasComma = (statement: Sentence): boolean =>
  statement.some((_, at) => markAt(statement, at) === ',')

function mixedTime({ statements, told, asked }: Told): string | undefined {
  const times = new Set([...told, ...asked].filter((word) => TIMES.has(word)))
  const sums = asked.some((word) => TOTALS.has(word))
  const differ = times.size > 1 && !sums
  if (times.has('tomorrow')) return 'tomorrow'
  const [time] = times
  return differ || hasPrice(statements, told) ? time : undefined
}

/** "A pen costs $2 up there", "a jacket on sale costs $80". */
function priceThere({ statements, told }: Told): string | undefined {
  if (!hasPrice(statements, told)) return undefined
  const there = first(statements, (one) =>
    wordsOf(one)
      .slice(1)
      .find((word) => THERE.has(word)),
  )
  const isSold = told.some((word, at) => word === 'sale' && /^costs?$/.test(told[at + 1] ?? ''))
  return there ?? (isSold ? 'on sale' : undefined)
}

const hasPrice = (statements: readonly Sentence[], told: readonly string[]): boolean =>
  told.some((word) => PRICES.has(word)) || statements.some(hasMoney)

const hasMoney = (sentence: Sentence): boolean =>
  sentence.some((token) => token.type === 'number' && token.unit === '$')
