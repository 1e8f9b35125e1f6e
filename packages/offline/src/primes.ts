import { markNumbers } from './numbers.ts'

const PRIME = '(?:a )?prime(?: number)?'
const NUMBER = '(?:the (?:number|integer|value) )?(?<sign>-|minus |negative )?#0'
const ASKED = [
  `is ${NUMBER} ${PRIME}`,
  `is it true that ${NUMBER} is ${PRIME}`,
  `(?:(?:check|determine|decide|test|verify|find out|work out|tell me|say|see|know) )?(?:if|whether) ${NUMBER} is ${PRIME}`,
]

const YES_OR_NO = `["'[(]*yes["'\\])]* or ["'[(]*no["'\\])]*`
const THINK = "(?:please )?(?:let's |let us )?(?:think|reason|work|go)(?: through it)? step by step"
const ANSWER = `(?:please )?(?:answer|reply|respond|say)(?: with| only| just| simply| either| by)* ${YES_OR_NO}`
const HOW = `(?:[.,;:]? (?:(?:and |then )*(?:${THINK}|${ANSWER})))*[.!]*`

const QUESTION = new RegExp(
  `^(?:${ASKED.join('|').replaceAll('?<sign>', '')})(?:,? or not)?[?.]*${HOW}$`,
)

/**
 * Reads a question such as "Is 17 a prime number? Think step by step and then answer yes or no."
 * Returns the number in plain digits, or undefined for any other text.
 */
export function primeIn(source: string): string | undefined {
  const { text, numbers } = markNumbers(source)
  const found = QUESTION.exec(text)
  const [number, ...others] = numbers
  if (!found || number === undefined || others.length > 0) return undefined
  if (!/^\d*\.?\d+$/.test(number.text)) return undefined
  const isNegative = found.slice(1).some((sign) => sign !== undefined)
  return isNegative ? `-${number.text}` : number.text
}
