import { isRecord } from '../value/json.ts'

/** A piece of what a server said of an error. */
export type ErrorBody = Readonly<Record<string, unknown>>

/**
 * What a server said of an error, innermost objects, the likeliest first: what an SDK read of the
 * body, the body that it could not read, and the error itself. Reads the shape of the AI SDK's
 * `APICallError` rather than its class, so that two copies of the package, or an error that crossed
 * a wire, are understood alike.
 */
export const bodiesOf = (error: ErrorBody): readonly ErrorBody[] =>
  [error['data'], asJson(error['responseBody']), error].map(innermost)

/** What people may read of it; a few servers have no object around it. */
export const sentenceIn = ({ message, error }: ErrorBody): string | undefined =>
  [message, error].find((one): one is string => typeof one === 'string' && one !== '')

/** The status that a server answered with; 0 where it did not answer. */
export function statusOf(error: unknown): number {
  const status = isRecord(error) ? error['statusCode'] : undefined
  return typeof status === 'number' ? status : 0
}

/** Whether a server refused the request, so that it did nothing for it. */
export const isRefusal = (error: unknown): boolean =>
  statusOf(error) >= 400 && statusOf(error) < 500

/** An error may lie in an object of its own, and that one in an answer that failed. */
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
