import { called, type Expression, minus, plus } from '../expression.ts'
import type { Marked } from '../numbers.ts'
import { parseQuestion, splitQuestion } from './question.ts'
import { StoryParser } from './reading.ts'
import { RULES } from './rules.ts'
import { readForms } from './forms.ts'
import { normal } from './normal.ts'
import { tagged } from './lexicon.ts'
import type { Scene } from './scene.ts'
import { solve } from './solve.ts'

/**
 * Reads a word problem: the text becomes amounts, rates and comparisons, and the question selects among
 * them. Undefined if a relevant word is not understood, if a number would be unused or used in two
 * ways, or if the answer would not be a plausible quantity.
 */
export function readStory(source: Marked): Expression | undefined {
  const marked = { ...source, text: normal(source.text) }
  return readForms(marked) ?? readScene(marked)
}

function readScene(marked: Marked): Expression | undefined {
  const parts = splitQuestion(marked.text)
  if (parts === undefined || marked.numbers.length === 0) return undefined
  if (/#\d+ #\d+/.test(marked.text) || BEYOND.test(marked.text) || sorts(parts)) return undefined
  if (TOTAL_TOLD.test(parts.story)) return undefined
  if (FLOWS.test(parts.story) && FILLS.test(parts.question)) return undefined
  const scene: Scene = {
    amounts: [],
    rates: [],
    comparisons: [],
    priceChanges: [],
    rest: '',
    state: '',
    unknownStart: false,
  }
  const story = new StoryParser(scene, marked.numbers, false)
  if (!scan(parts.story, story)) return undefined
  const later = LATER.exec(parts.question)?.groups
  const asks = later ? `how old is ${later['who'] ?? later['was'] ?? ''}` : parts.question
  if (later && /^(?:he|she)$/.test(later['who'] ?? later['was'] ?? '') && owners(scene) > 1) {
    return undefined
  }
  const question = parseQuestion(asks, story.owner)
  const details = new StoryParser(scene, marked.numbers, true)
  if (question === undefined || !scan(question.details, details)) return undefined
  const now = solve(scene, question)
  const answer = later && now ? inYears(now, later, marked.numbers) : now
  const rounded = answer && question.needed ? roundedUp(answer) : answer
  return rounded && isWhole(rounded, marked, question.countable) ? rounded : undefined
}

/** Dates, decimal places, other units and closing prices: here, numbers are not amounts. */
const BEYOND =
  /\b(?:january|february|march|april|june|july|august|september|october|november|december|how many (?:mon|tues|wednes|thurs|fri|satur|sun)days|born|decimals?|mod|modulo|convert|celsius|fahrenheit|closing|stocks?)\b|#\d+ [a-z]+ in [a-z]+\W*$|\bx\b|\bmay #/

/** "Together they are 26": a total is not an amount of either. */
const TOTAL_TOLD =
  /\b(?:together|altogether|in total|combined),? (?:they|their|the two|both)\b|\b(?:sum|total) of their\b/

/** Filling and emptying: the direction is left to the forms. */
const FLOWS = /\b(?:fills?|filled|filling|drains?|drained|draining|empties|emptied|emptying)\b/
const FILLS = /\b(?:full|empty|fill|drain)\b/

/** "How many sacks of red onions?" with several sacks: these rules do not know contents. */
function sorts({
  story,
  question,
}: {
  readonly story: string
  readonly question: string
}): boolean {
  const [, asked] = /^how many (?:more )?([a-z]+) of [a-z]/.exec(question) ?? []
  return (
    asked !== undefined && [...story.matchAll(new RegExp(`#\\d+ ${asked} of `, 'g'))].length > 1
  )
}

/** "How old will Ann be in 6 years?", "how old was Ann 6 years ago?" */
const LATER =
  /^how old (?:(?:will (?<who>[a-z ]+) be (?:in #(?<years>\d+) years?(?:' time| time| from now)?|#(?<hence>\d+) years? from now))|(?:was (?<was>[a-z ]+) #(?<ago>\d+) years? ago))$/

function inYears(
  now: Expression,
  groups: Readonly<Record<string, string | undefined>>,
  numbers: Marked['numbers'],
): Expression | undefined {
  const { years, hence, ago } = groups
  const span = numbers[Number(years ?? hence ?? ago)]
  return span && (ago === undefined ? plus : minus)(now, span)
}

const owners = ({ amounts, comparisons }: Scene): number =>
  new Set([...amounts, ...comparisons].map(({ owner }) => owner)).size

/** A partly filled box or bus counts as one more. */
const roundedUp = (answer: Expression): Expression =>
  Number.isInteger(answer.value) || !answer.text.includes('/') ? answer : called('ceil', answer)

function isWhole(answer: Expression, { numbers }: Marked, countable: boolean): boolean {
  const usesAll = numbers.every((_, position) => answer.uses.has(position))
  const { value } = answer
  return usesAll && value >= 0 && (countable ? Number.isInteger(value) : Number.isFinite(value))
}

/** Scans left to right; every word must be taken by a rule, or the reading is invalid. */
function scan(plain: string, reading: StoryParser): boolean {
  const text = tagged(plain)
  let at = 0
  while (at < text.length) {
    if (text[at] === ' ') at++
    else if (text[at] === ',' || text[at] === ';') at += Number(reading.boundary(','))
    else if (text[at] === '.' || text[at] === '!') at += Number(reading.sentenceEnds())
    else {
      const taken = take(text, at, reading)
      if (taken === 0) return false
      at += taken
    }
  }
  return reading.sentenceEnds()
}

/** The number of characters taken by the first matching rule; 0 if the text is not understood. */
function take(text: string, at: number, reading: StoryParser): number {
  for (const { pattern, say } of RULES) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    const result = say(
      reading,
      match.slice(1).map((group) => group?.toLowerCase() ?? ''),
    )
    if (result === 'void') return 0
    if (result) return match[0].length
  }
  return 0
}
