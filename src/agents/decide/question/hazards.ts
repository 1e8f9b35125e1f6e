import { markAt, type Token, wordAt } from './token.ts'

type Sentence = readonly Token[]

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** What is not done yet, or may never be. In a question such words only ask. */
const NOT_DONE = words(
  `will would can could may might shall should must going won't wouldn't can't couldn't cannot
  plans planned hopes hoped expects expected intends intended promised tries tried`,
)
/** What makes a number an estimate, a habit, or a thing that does not count as such. */
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

const HAZARDS: readonly (readonly [holds: (story: Told) => boolean, why: string])[] = [
  [({ told }) => told.some((word) => NOT_DONE.has(word)), 'it tells of something not done yet'],
  [
    ({ told, asked }) => [...told, ...asked].some((word) => DOUBTFUL.has(word)),
    'a word in it may make a number another one',
  ],
  [({ asked }) => asked.some((word) => ORDINALS.has(word)), 'it asks for one of several'],
  [asksOfOtherDay, 'it asks for a day that it does not tell of'],
  [asksWithin, 'it asks for one group of several'],
  [asksForNeed, 'nothing is told of a need'],
  [
    ({ told }) => told.some((word) => /^saved?s?$/.test(word)) && told.some(isEarned),
    'what is saved may be a part of what is earned',
  ],
  [
    ({ statements }) => statements.some(takesPart),
    'whose it is, or a part of what, is not followed',
  ],
  [isDiscounted, 'the price may be the discounted one'],
  [({ told }) => told.some((_, at) => isOtherTime(told, at)), 'it tells of another time'],
  [isConditional, 'something in it holds on a condition'],
  [mixesTimes, 'it tells of several times, or of a price at one time'],
  [isPriceThere, 'a price may hold there and then alone'],
]

/**
 * Why a story may not be read although each of its words is known: something in it is not done, holds
 * at another time, or belongs to somebody else. Undefined where nothing of the kind stands in it.
 */
export function hazardIn(statements: readonly Sentence[], question: Sentence): string | undefined {
  const told = statements.flatMap(wordsOf)
  const story = { statements, question, told, asked: wordsOf(question) }
  return HAZARDS.find(([holds]) => holds(story))?.[1]
}

const wordsOf = (sentence: Sentence): readonly string[] =>
  sentence.map((_, at) => wordAt(sentence, at)).filter((word) => word !== '')

const isEarned = (word: string): boolean => word.startsWith('earn')

function asksOfOtherDay({ told, asked }: Told): boolean {
  return asked.some((word) => TIMES.has(word) && !told.includes(word))
}

/** "6 rows of 8 seats. How many seats are there in a row?" */
function asksWithin({ question, told }: Told): boolean {
  return question.some((_, at) => {
    const isWithin = ['in', 'on', 'inside'].includes(wordAt(question, at))
    const isOne = ['a', 'an', 'one'].includes(wordAt(question, at + 1))
    const noun = wordAt(question, at + 2)
    return isWithin && isOne && !HOLDS.test(noun) && told.includes(`${noun}s`)
  })
}

/** Of these the text says how much one holds, or lasts. */
const HOLDS = /^(?:second|minute|hour|day|week|month|year|box|bag|mile)s?$/

function asksForNeed({ told, asked }: Told): boolean {
  const needs = asked.includes('need') || asked.includes('needed')
  return needs && !told.some((word) => NEEDS.has(word))
}

const POSSESSIVES = words('my your our his her their its')

/** "5 of her apples", "12 books, 5 of them on Monday", "20% of the money of Ann". */
function takesPart(statement: Sentence): boolean {
  const subject = wordsOf(statement).find((word) => word === 'he' || word === 'she')
  return statement.some((_, at) => {
    if (wordAt(statement, at) !== 'of') return false
    const next = wordAt(statement, at + 1)
    const isOwn = (subject === 'he' && next === 'his') || (subject === 'she' && next === 'her')
    const isFurther = next === 'the' && wordAt(statement, at + 3) === 'of'
    const isOthers = (POSSESSIVES.has(next) && !isOwn) || next.endsWith("'s") || isFurther
    return isOthers || (next === 'them' && markAt(statement, at - 2) === ',')
  })
}

/** "A discounted jacket costs $80", not "discounted by 20%". */
function isDiscounted({ told }: Told): boolean {
  return told.some((word, at) => word === 'discounted' && told[at + 1] !== 'by')
}

/** "Last year", "next week": not the time of the question. */
function isOtherTime(told: readonly string[], at: number): boolean {
  const isUnit = /^(?:second|minute|hour|day|week|month|year|night|summer|winter)s?$/
  return ['last', 'next'].includes(told[at] ?? '') && isUnit.test(told[at + 1] ?? '')
}

/** "If Ann is a student, pens cost $2": only the statement before the question may begin with "if". */
function isConditional({ statements }: Told): boolean {
  return statements.some((statement, nth) => {
    const at = statement.findIndex((_, index) => wordAt(statement, index) === 'if')
    const isLast = nth === statements.length - 1
    return at > 0 || (at === 0 && (!isLast || hasComma(statement)))
  })
}

const hasComma = (statement: Sentence): boolean =>
  statement.some((_, at) => markAt(statement, at) === ',')

function mixesTimes({ statements, told, asked }: Told): boolean {
  const times = new Set([...told, ...asked].filter((word) => TIMES.has(word)))
  const sums = asked.some((word) => TOTALS.has(word))
  const differ = times.size > 1 && !sums
  return times.has('tomorrow') || differ || (times.size > 0 && hasPrice(statements, told))
}

/** "A pen costs $2 up there", "a jacket on sale costs $80". */
function isPriceThere({ statements, told }: Told): boolean {
  const isThere = statements.some((one) =>
    wordsOf(one)
      .slice(1)
      .some((word) => THERE.has(word)),
  )
  const isSold = told.some((word, at) => word === 'sale' && /^costs?$/.test(told[at + 1] ?? ''))
  return hasPrice(statements, told) && (isThere || isSold)
}

const hasPrice = (statements: readonly Sentence[], told: readonly string[]): boolean =>
  told.some((word) => PRICES.has(word)) || statements.some(hasMoney)

const hasMoney = (sentence: Sentence): boolean =>
  sentence.some((token) => token.type === 'number' && token.unit === '$')
