import { isRecord } from '../value/json.ts'

/** A piece of a server's description of an error. */
export type ErrorBody = Readonly<Record<string, unknown>>

/**
 * Returns a server's description of an error, innermost objects first: the body as an SDK parsed it,
 * the body that it could not parse, and the error itself. Reads the fields of the AI SDK's
 * `APICallError` without checking its class, so that two copies of the package, or an error sent over
 * a wire, are read alike.
 */
export const bodiesOf = (error: ErrorBody): readonly ErrorBody[] =>
  [error['data'], asJson(error['responseBody']), error].map(innermost)

/** The message for people; a few servers have no object around it. */
export const sentenceIn = ({ message, error }: ErrorBody): string | undefined =>
  [message, error].find((one): one is string => typeof one === 'string' && one !== '')

/** The status that a server answered with; 0 without an answer. */
export function statusOf(error: unknown): number {
  const status = isRecord(error) ? error['statusCode'] : undefined
  return typeof status === 'number' ? status : 0
}

/** Whether a server refused the request without doing any work for it. */
export const isRefusal = (error: unknown): boolean =>
  statusOf(error) >= 400 && statusOf(error) < 500

/** An error may be in an object of its own, and that in a failed answer. */
function innermost(place: unknown): ErrorBody {
  if (!isRecord(place)) return {}
  const answer = isRecord(place['response']) ? place['response'] : place
  return isRecord(answer['error']) ? answer['error'] : place
}

function asJson(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
