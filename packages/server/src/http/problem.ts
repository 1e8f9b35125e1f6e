import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { EchelonError, type ErrorCode } from 'echelon/runtime'

/** A refused request: status, a code for programs and a sentence for people. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly status: ContentfulStatusCode
  readonly code: string
  /** Seconds after which the client may try again. */
  readonly retryAfter: number | undefined

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    { retryAfter }: { readonly retryAfter?: number } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** The same answer for what is not there and for what is another user's. */
export const notFound = (what: string): HttpProblem =>
  new HttpProblem(404, 'not_found', `there is no ${what}`)

/** The status of each error that a request can cause; the others are faults of the server. */
const STATUS: Readonly<Partial<Record<ErrorCode, ContentfulStatusCode>>> = {
  INVALID_INPUT: 400,
  UNKNOWN_TOOL: 400,
  UNKNOWN_MODEL: 400,
  INVALID_DEFINITION: 400,
  KEY_REUSED: 409,
  UNKNOWN_RUN: 404,
  UNKNOWN_REQUEST: 409,
  SESSION_BUSY: 409,
  RUN_BUSY: 409,
  RUN_SUSPENDED: 409,
  RUN_GIVEN_UP: 409,
  NOT_PERMITTED: 403,
  LIMIT_REACHED: 429,
  MODEL_FAILED: 502,
  NO_OUTPUT: 502,
  STATE_REFUSED: 409,
  JOURNAL_MISMATCH: 409,
}

/** Any error as one that may be shown. Details of faults stay in the log. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error
  if (error instanceof EchelonError) {
    const status = STATUS[error.code]
    if (status !== undefined)
      return new HttpProblem(status, error.code.toLowerCase(), error.message)
  }
  if (error instanceof HTTPException && error.status < 500) {
    return new HttpProblem(400, 'invalid_input', 'the request cannot be read')
  }
  return new HttpProblem(500, 'internal_error', 'the server failed; its log says why')
}
