import { isRecord } from '../../core/value/json.ts'

/** Why an answer cannot be used, in one sentence. */
export interface UnusableAnswer {
  readonly why: string
  /** Whether another try would come to the same. */
  readonly isFinal: boolean
}

/** Errors wrap each other; a ring of them ends here. */
const MOST_CAUSES = 8

/**
 * What is wrong with an answer that has no form of an answer, is too large, or sends elsewhere. A package
 * says it with a dump of all that came, or only in the cause of its error. Nothing for other errors.
 */
export function unusableAnswer(error: unknown): UnusableAnswer | undefined {
  let one = error
  for (let depth = 0; depth < MOST_CAUSES && isRecord(one); depth++) {
    const found = meaningOf(one)
    if (found !== undefined) return found
    one = one['cause']
  }
  return undefined
}

function meaningOf(error: Readonly<Record<string, unknown>>): UnusableAnswer | undefined {
  const { name, message } = error
  switch (name) {
    case 'AnswerTooLong':
    case 'BodyTooLarge':
    case 'RedirectRefused':
      return { why: inOneLine(String(message)), isFinal: true }
    case 'AI_TypeValidationError':
      return {
        why: `the answer is not in the form of this interface${place(error['cause'])}`,
        isFinal: false,
      }
    case 'AI_JSONParseError':
      return { why: 'the answer is not JSON', isFinal: false }
    case 'AI_EmptyResponseBodyError':
      return { why: 'the answer is empty', isFinal: false }
    default:
      return undefined
  }
}

const LONGEST_PLACE = 80

/** Where a schema library found the first difference, by the shape of its errors. */
function place(cause: unknown): string {
  const issues = isRecord(cause) ? cause['issues'] : undefined
  const first: unknown = Array.isArray(issues) ? issues[0] : undefined
  if (!isRecord(first) || !Array.isArray(first['path']) || first['path'].length === 0) return ''
  const path = inOneLine(first['path'].map(String).join('.'))
  return path.length > LONGEST_PLACE ? '' : ` (at ${path})`
}

/** Control characters and line breaks as one blank: what a server says is put into sentences. */
export const inOneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
