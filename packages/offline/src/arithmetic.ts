import { bareQuestion } from './arithmetic/bare.ts'
import { readFixedForm } from './arithmetic/forms.ts'
import { Parser } from './arithmetic/parser.ts'
import { readNumberForm } from './arithmetic/rounding.ts'
import { readSteps } from './arithmetic/steps.ts'
import { tokensOf } from './arithmetic/tokens.ts'
import type { Expression } from './expression.ts'
import type { Marked } from './numbers.ts'

const MAX_TOKENS = 200

/** "If you divide 17 by 5, what is the remainder?" */
const REMAINDER_LAST =
  /^(?<division>.+?)[-,;. ]+(?:what(?: is|'s|s| will be| would be)|find|give) (?:the |its )?(?:remainder|rest)$/

/** "What is left if you take 3 from 10?": the result of the subtraction. */
const LEFT_FIRST =
  /^(?:what(?: is|'s|s)? )?(?:left|remains)(?: over)? (?:if|when|after) (?:(?:you|i|we) )?(?=(?:take|taking|subtract|remove|deduct))/

/**
 * Reads a calculation that is the entire question, in symbols or in words. Undefined when any word is
 * left over, when there is nothing to calculate, and when the order of operations is ambiguous ("half
 * of 90 plus 10").
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
  const calculation = division === undefined ? bare : `remainder of ${division}`
  return readTokens(tokensOf(calculation), question) ?? readFixedForm(calculation, question)
}

function readTokens(tokens: readonly string[], { numbers }: Marked): Expression | undefined {
  if (tokens.length > MAX_TOKENS) return undefined
  const parser = new Parser(tokens, numbers)
  const result = readSteps(parser)
  return parser.atEnd ? result : undefined
}
