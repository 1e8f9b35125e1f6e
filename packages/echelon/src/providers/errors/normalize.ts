import { bodiesOf, type ErrorBody, isRefusal, sentenceIn } from '../../core/model/error-body.ts'
import { isRecord } from '../../core/value/json.ts'
import type { NormalizeError } from '../../core/model/model.ts'
import type { ProblemCode } from '../../core/model/problem.ts'

/** What a provider says of its errors, and what it means by that. */
export interface ErrorWords {
  /** Its words for a cause, as the `code`, `type` or `status` of an error. */
  readonly causes: Readonly<Record<string, ProblemCode>>
  /** What it says in prose, under a word that stands for much else, too. */
  readonly prose?: readonly (readonly [words: RegExp, type: ProblemCode])[]
  /** A cause that lies elsewhere in what it says; read before its words. */
  readonly causeIn?: (body: ErrorBody) => ProblemCode | undefined
  /** How long it asks to wait, in milliseconds, where it says that in the body. */
  readonly waitIn?: (body: ErrorBody) => number | undefined
}

/** What a provider makes of its errors. */
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

/** Prose is read last, and only where the server refused: what fails may say anything. */
function inProse(bodies: readonly ErrorBody[], { prose = [] }: ErrorWords): Meaning | undefined {
  for (const message of bodies.flatMap((body) => sentenceIn(body) ?? [])) {
    const found = prose.find(([words]) => words.test(message))
    if (found !== undefined) return { type: found[1], message }
  }
  return undefined
}
