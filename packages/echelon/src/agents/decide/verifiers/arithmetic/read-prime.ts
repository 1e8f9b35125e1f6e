import { canonicalDecimal } from '../../verification/decimal.ts'
import type { Token } from '../english/token.ts'
import { OPENINGS } from './courtesies.ts'
import { NoReading, TokenCursor } from './token-cursor.ts'

/**
 * Reads a question whether a number is prime: "Is 91 a prime number?", "Check whether 91 is prime". Only
 * instructions on how to answer ("Answer yes or no") may follow. Returns the number in plain digits, or undefined
 * for any other question.
 */
export function readPrime(tokens: readonly Token[]): string | undefined {
  const cursor = new TokenCursor(tokens)
  try {
    const number = question(cursor)
    while (cursor.at < tokens.length) {
      if (!ABOUT_ANSWERS.has(cursor.spelling(cursor.at))) return undefined
      cursor.at += 1
    }
    return number
  } catch (error) {
    if (error instanceof NoReading) return undefined
    throw error
  }
}

function question(cursor: TokenCursor): string {
  while ([...OPENINGS, ...CHECKS].some((words) => cursor.took(words)));
  const isStatement = CLAUSES.some((words) => cursor.took(words))
  if (!isStatement) cursor.need('is')
  const number = signed(cursor)
  if (isStatement) cursor.need('is')
  cursor.took('a')
  cursor.need('prime')
  cursor.took('number')
  cursor.took(',')
  cursor.took('or not')
  return number
}

const CHECKS = ['check', 'determine', 'decide', 'test', 'verify', 'find out', 'say', 'see', 'know']
const CLAUSES = ['is it true that', 'if', 'whether']

function signed(cursor: TokenCursor): string {
  NAMES.some((words) => cursor.took(words))
  const isNegative = SIGNS.some((sign) => cursor.took(sign))
  const { unit } = cursor.token?.type === 'number' ? cursor.token : { unit: undefined }
  const digits = unit === '' ? canonicalDecimal(cursor.number().text) : undefined
  if (digits === undefined) throw new NoReading()
  return isNegative ? `-${digits}` : digits
}

const NAMES = ['the number', 'the integer', 'the value']
const SIGNS = ['-', '−', 'minus', 'negative']

/** The words of instructions on how to answer a yes-or-no question. */
const ABOUT_ANSWERS: ReadonlySet<string> = new Set([
  ..."please let's think reason work go through it step by step and then".split(' '),
  ...'answer reply respond say with only just simply either yes or no for me thanks'.split(' '),
  ...`? . ! , ; : " ' [ ] ( ) “ ”`.split(' '),
])
