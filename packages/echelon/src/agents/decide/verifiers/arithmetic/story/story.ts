import { type Chunk, chunk } from './chunk.ts'
import { type Clause, clausesOf, isIdle, isQuantity, type Place, settle } from './clause.ts'
import { unplacedWord } from './echoed.ts'
import { type Facts, noFacts } from './facts.ts'
import { hazardIn } from './hazards.ts'
import { singular } from './lexicon.ts'
import { factDoubt } from './fact-doubts.ts'
import { readStatement } from './statement.ts'
import { tenseProblem } from './tense.ts'
import { answer } from './asked.ts'
import type { Term } from '../../english/term.ts'
import { markAt, type Token, wordAt } from '../../english/token.ts'

/** The reading of a story: the term that answers it, or what could not be read. */
export type StoryTerm = { readonly term: Term } | { readonly why: string }

/** Every order of up to this many rates, or comparisons, is tried. */
const MOST = 6

/**
 * Reads a word problem: statements one after the other, then one question. Every statement that
 * counts anything must be understood, and every quantity must be needed for the answer.
 */
export function readStory(tokens: readonly Token[]): StoryTerm {
  const sentences = sentencesOf(tokens)
  const asking = sentences.filter(asks)
  const question = sentences.at(-1)
  const marks = tokens.filter((_, at) => markAt(tokens, at) === '?').length
  if (question === undefined || marks > 1 || asking.length !== 1 || asking[0] !== question) {
    return { why: 'there is not one question at the end' }
  }
  const problem = textProblem(sentences.slice(0, -1), question)
  if (problem !== undefined) return { why: problem }
  const chunks = sentences.map(chunk)
  const facts = factsOf(chunks.slice(0, -1))
  if ('why' in facts) return facts
  if (facts.rates.length > MOST || facts.relations.length > MOST) {
    return { why: 'there are too many rates or comparisons' }
  }
  const asked = settle(chunks.at(-1) ?? [])
  const doubt = factDoubt(facts, chunks, asked)
  if (doubt !== undefined) return { why: doubt }
  const term = answer(facts, asked)
  if (term === undefined) return { why: 'the question does not follow from the statements' }
  const sought = asked.chunks.find(({ kind }) => kind === 'thing')
  return checked(term, chunks.flat(), sought)
}

/** Words that make a story unreadable. */
function textProblem(
  statements: readonly (readonly Token[])[],
  question: readonly Token[],
): string | undefined {
  const unplaced = unplacedWord(statements, question)
  return (
    hazardIn(statements, question) ??
    (unplaced === undefined ? undefined : withoutPlace(unplaced, statements.length > 0)) ??
    tenseProblem(statements, question)
  )
}

const withoutPlace = (word: string, isStory: boolean): string =>
  isStory
    ? `nothing is told of "${word}"`
    : `"${word}" has no place in a calculation, or leaves open how far it reaches`

function factsOf(statements: readonly (readonly Chunk[])[]): Facts | { readonly why: string } {
  const facts = noFacts()
  for (const statement of statements) {
    const clauses = clausesOf(statement)
    facts.places.push(...(clauses ?? []).flatMap(placesOf))
    const understood = clauses?.every(
      (clause) =>
        !isPriceSomewhere(clause) &&
        ((clauses.length === 1 && passes(facts, clause)) || readStatement(facts, clause)),
    )
    if (understood !== true) return { why: `not understood: ${statement.map(show).join(' ')}` }
  }
  return facts
}

/** The places of a clause; a gift itself tells its recipient. */
function placesOf({ chunks, where }: Clause): readonly Place[] {
  const isGift = chunks.some(({ kind }) => kind === 'give')
  return isGift ? where.filter(({ link }) => link !== 'to') : where
}

/** "Pens cost $2 on Mondays": the price does not hold on other days. */
function isPriceSomewhere({ chunks, where }: Clause): boolean {
  return where.length > 0 && chunks.some(({ kind }) => kind === 'cost')
}

/** A clause that says nothing about anything counted may be skipped; the rest must be understood. */
function passes(facts: Facts, clause: Clause): boolean {
  const counted = new Set([
    ...facts.amounts.flatMap(({ head, mods }) => [...mods, head]),
    ...facts.rates.flatMap(({ top, bottom, who = '' }) => [top, bottom, who]),
    ...facts.owners,
  ])
  const told = ({ head, mods }: Chunk): boolean =>
    [...mods.map(singular), ...mods, head].some((word) => counted.has(word)) ||
    ['it', 'them', 'they'].includes(head)
  return isIdle(clause) && !clause.chunks.some(told)
}

function checked(term: Term, chunks: readonly Chunk[], sought: Chunk | undefined): StoryTerm {
  if (!Number.isFinite(term.value) || term.value < 0) return { why: 'the answer is not an amount' }
  const idle = chunks.find(
    (one) => isQuantity(one) && !uses(term, one.term) && !isOtherKind(one, sought),
  )
  return idle === undefined ? { term } : { why: `${show(idle)} has no role in the answer` }
}

/** "17 sweet cookies" when salty ones are sought. */
function isOtherKind(one: Chunk, sought: Chunk | undefined): boolean {
  if (sought === undefined || one.kind !== 'number' || one.head !== sought.head) return false
  const told = one.mods.length > 0 && sought.mods.length > 0
  const turns = [...one.mods, ...sought.mods].some((mod) => STATES.has(mod))
  return told && !turns && one.mods.every((mod) => mod !== 'more' && !sought.mods.includes(mod))
}

/** Drinking full bottles leaves empty ones: such kinds turn into each other. */
const STATES = new Set(
  'full empty broken whole open closed clean dirty wet dry used unused ripe unripe free taken'.split(
    ' ',
  ),
)

function uses(whole: Term, part: Term | undefined): boolean {
  return [...(part?.uses ?? [])].every((at) => whole.uses.has(at))
}

function show({ term, head, kind }: Chunk): string {
  return [term?.text, head === '' ? kind : head].filter((word) => word !== undefined).join(' ')
}

/** A condition after the question is a statement before it: "how much is it if each costs $3?" */
function sentencesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const sentences = cut(tokens)
  const question = sentences.at(-1) ?? []
  const at = question.findIndex((_, i) => wordAt(question, i) === 'if')
  const opens = ['how', 'what'].includes(wordAt(question, 0))
  if (at < 1 || !opens) return sentences
  const marked = markAt(question, at - 1) === ',' ? 1 : 0
  return [...sentences.slice(0, -1), question.slice(at), question.slice(0, at - marked)]
}

/** At full stops, and before the question of "if each costs $3, how much …". */
function cut(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const sentences: Token[][] = [[]]
  tokens.forEach((token, at) => {
    const ends = ['.', '?', '!', ';'].includes(markAt(tokens, at))
    const turns = markAt(tokens, at) === ',' && ['how', 'what'].includes(wordAt(tokens, at + 1))
    if (ends || turns) sentences.push([])
    else sentences.at(-1)?.push(token)
  })
  return sentences.filter((sentence) => sentence.length > 0)
}

function asks(sentence: readonly Token[]): boolean {
  return sentence.some((_, at) =>
    ['how', 'what', 'which', 'who', 'when', 'where', 'why'].includes(wordAt(sentence, at)),
  )
}
