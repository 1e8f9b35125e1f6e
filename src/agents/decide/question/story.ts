import { type Chunk, chunk } from './chunk.ts'
import { clausesOf, isIdle, isQuantity, settle } from './clause.ts'
import { type Facts, readFact } from './facts.ts'
import { answer } from './asked.ts'
import type { Term } from './term.ts'
import { markAt, type Token, wordAt } from './token.ts'

/** What a story gives: the term that answers it, or what could not be read. */
export type Reading = { readonly term: Term } | { readonly why: string }

/**
 * Reads a word problem: statements one after the other, then one question. Every statement that
 * counts anything must be understood, and every quantity must be needed for the answer.
 */
export function readStory(tokens: readonly Token[]): Reading {
  const sentences = sentencesOf(tokens)
  const asking = sentences.filter(asks)
  const question = sentences.at(-1)
  if (question === undefined || asking.length !== 1 || asking[0] !== question) {
    return { why: 'there is not one question at the end' }
  }
  const chunks = sentences.map(chunk)
  const facts = factsOf(chunks.slice(0, -1))
  if ('why' in facts) return facts
  const term = answer(facts, settle(chunks.at(-1) ?? []))
  if (term === undefined) return { why: 'the question does not follow from the statements' }
  return checked(term, chunks.flat())
}

function factsOf(statements: readonly (readonly Chunk[])[]): Facts | { readonly why: string } {
  const facts: Facts = {
    amounts: [],
    rates: [],
    relations: [],
    parts: [],
    surcharges: [],
    owners: new Set(),
    gaps: [],
  }
  for (const statement of statements) {
    const clauses = clausesOf(statement)
    const understood = clauses?.every((clause) => isIdle(clause) || readFact(facts, clause))
    if (understood !== true) return { why: `not understood: ${statement.map(show).join(' ')}` }
  }
  return facts
}

function checked(term: Term, chunks: readonly Chunk[]): Reading {
  if (!Number.isFinite(term.value) || term.value < 0) return { why: 'the answer is no amount' }
  const idle = chunks.find((one) => isQuantity(one) && !uses(term, one.term))
  return idle === undefined ? { term } : { why: `${show(idle)} has no role in the answer` }
}

function uses(whole: Term, part: Term | undefined): boolean {
  return [...(part?.uses ?? [])].every((at) => whole.uses.has(at))
}

function show({ term, head, kind }: Chunk): string {
  return [term?.text, head === '' ? kind : head].filter((word) => word !== undefined).join(' ')
}

/** Cut at full stops, and before the question of "if each costs $3, how much …". */
function sentencesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
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
