import { bareQuestion } from './arithmetic/bare.ts'
import { readFixedForm } from './arithmetic/forms.ts'
import { Parser } from './arithmetic/parser.ts'
import { readNumberForm } from './arithmetic/rounding.ts'
import { readSteps } from './arithmetic/steps.ts'
import { tokensOf } from './arithmetic/tokens.ts'
import type { Expression } from './expression.ts'
import type { Marked } from './numbers.ts'

const MOST_TOKENS = 200

/** "If you divide 17 by 5, what is the remainder?" */
const REMAINDER_LAST =
  /^(?<division>.+?)[-,;. ]+(?:what(?: is|'s|s| will be| would be)|find|give) (?:the |its )?(?:remainder|rest)$/

/** "What is left if you take 3 from 10?": what is left of a subtraction is its result. */
const LEFT_FIRST =
  /^(?:what(?: is|'s|s)? )?(?:left|remains)(?: over)? (?:if|when|after) (?:(?:you|i|we) )?(?=(?:take|taking|subtract|remove|deduct))/

/**
 * Reads a calculation that is the entire question, in symbols or in words. Undefined when a single
 * word is left over, when nothing is to be calculated, and when words leave the order of operations
 * open ("half of 90 plus 10").
 */
export function readArithmetic(question: Marked): Expression | undefined {
  const result = read(question.text, question)
  return result && /[^\d.]/.test(result.text) ? result : undefined
}

function read(text: string, question: Marked): Expression | undefined {
  const bare = bareQuestion(text).replace(LEFT_FIRST, '')
  const formed = readNumberForm(bare, question)
  if (formed) {
    const value = read(formed.text, question)
    return value && (formed.ofNumber || /[^\d.]/.test(value.text)) ? formed.form(value) : undefined
  }
  const division = REMAINDER_LAST.exec(bare)?.groups?.['division']
  const asked = division === undefined ? bare : `remainder of ${division}`
  return readTokens(tokensOf(asked), question) ?? readFixedForm(asked, question)
}

function readTokens(tokens: readonly string[], { numbers }: Marked): Expression | undefined {
  if (tokens.length > MOST_TOKENS) return undefined
  const parser = new Parser(tokens, numbers)
  const result = readSteps(parser)
  return parser.atEnd ? result : undefined
}
