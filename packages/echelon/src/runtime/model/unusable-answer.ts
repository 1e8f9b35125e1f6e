import { isRecord } from '../../core/value/json.ts'

/** Why an answer cannot be used, in one sentence. */
export interface UnusableAnswer {
  readonly why: string
  /** Whether a retry would fail in the same way. */
  readonly isFinal: boolean
}

/** Limits how far causes are followed, since they may be circular. */
const MOST_CAUSES = 8

/**
 * Describes an answer that has an invalid form, is too large, or redirects. A package reports it with a
 * dump of the body, or only in the cause of its error. Undefined for other errors.
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

/** The place of the first issue, in the shape of schema libraries' errors. */
function place(cause: unknown): string {
  const issues = isRecord(cause) ? cause['issues'] : undefined
  const first: unknown = Array.isArray(issues) ? issues[0] : undefined
  if (!isRecord(first) || !Array.isArray(first['path']) || first['path'].length === 0) return ''
  const path = inOneLine(first['path'].map(String).join('.'))
  return path.length > LONGEST_PLACE ? '' : ` (at ${path})`
}

/** Replaces control characters and line breaks by one blank, since a server's text is put into sentences. */
export const inOneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
