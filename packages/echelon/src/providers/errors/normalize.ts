import { bodiesOf, type ErrorBody, isRefusal, sentenceIn } from '../../core/model/error-body.ts'
import { isRecord } from '../../core/value/json.ts'
import type { NormalizeError } from '../../core/model/model.ts'
import type { ProblemCode } from '../../core/model/problem.ts'

/** The error vocabulary of a provider and its meaning. */
export interface ErrorWords {
  /** Maps the `code`, `type` or `status` of an error to a problem code. */
  readonly causes: Readonly<Record<string, ProblemCode>>
  /** Patterns of error messages, for codes that cover several causes. */
  readonly prose?: readonly (readonly [words: RegExp, type: ProblemCode])[]
  /** Finds the cause elsewhere in the body. Takes precedence over `causes`. */
  readonly causeIn?: (body: ErrorBody) => ProblemCode | undefined
  /** The requested wait in milliseconds, if the body holds it. */
  readonly waitIn?: (body: ErrorBody) => number | undefined
}

/** Creates a function that maps a provider's errors to problem codes. */
export const errorNormalizer =
  (words: ErrorWords): NormalizeError =>
  (error) => {
    if (!isRecord(error)) return undefined
    const bodies = bodiesOf(error)
    const meaning =
      inWords(bodies, words) ?? (isRefusal(error) ? inProse(bodies, words) : undefined)
    const wait = bodies.map((body) => words.waitIn?.(body)).find((one) => one !== undefined)
    if (meaning === undefined) return undefined
    return wait === undefined ? meaning : { ...meaning, retryAfterMs: wait }
  }

interface Meaning {
  readonly type: ProblemCode
  readonly message: string
}

function inWords(
  bodies: readonly ErrorBody[],
  { causes, causeIn }: ErrorWords,
): Meaning | undefined {
  for (const body of bodies) {
    const word = ['code', 'type', 'status']
      .map((field) => body[field])
      .find((one): one is string => typeof one === 'string' && Object.hasOwn(causes, one))
    const type = causeIn?.(body) ?? (word === undefined ? undefined : causes[word])
    if (type !== undefined) return { type, message: sentenceIn(body) ?? '' }
  }
  return undefined
}

/**
 * Prose is checked last, and only when the server rejected the request; other failures may contain
 * any text.
 */
function inProse(bodies: readonly ErrorBody[], { prose = [] }: ErrorWords): Meaning | undefined {
  for (const message of bodies.flatMap((body) => sentenceIn(body) ?? [])) {
    const found = prose.find(([words]) => words.test(message))
    if (found !== undefined) return { type: found[1], message }
  }
  return undefined
}
