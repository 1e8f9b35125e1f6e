import { type BodyLimits, boundedResponse } from '../core/model/bounded-body.ts'
import type { ProviderSettings } from '../core/model/model.ts'

type Fetch = typeof globalThis.fetch

const MEGABYTE = 1024 * 1024

/** More than any current answer: 128,000 tokens as events, or several pictures as base64. */
const MOST_BYTES = 32 * MEGABYTE

/** The limits of one answer. Streams frame each piece in an event, so they get twice the bytes. */
const limitsOf = (most: number): BodyLimits => ({
  whole: most,
  stream: 2 * most,
  event: most / 2,
  events: Math.ceil(most / LEAST_EVENT),
  error: MEGABYTE,
  advice: `the limit is maxAnswerBytes of the provider (max_answer_bytes in config.yaml)`,
})

/** The size of the smallest meaningful event, in bytes. Smaller events count as stalling. */
const LEAST_EVENT = 64

const MOST_REDIRECTS = 3

/** A redirect that is not followed. */
class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused'
}

/**
 * A `fetch` for model servers. Limits response bodies and follows redirects only within the same
 * origin, since the request holds the key and the conversation.
 */
export function boundedFetch({ additional, maxAnswerBytes = MOST_BYTES }: ProviderSettings): Fetch {
  const own = additional?.['fetch']
  const limits = limitsOf(maxAnswerBytes)
  return async (input, init) => {
    const send: Fetch = isFetch(own) ? own : globalThis.fetch
    return boundedResponse(await followed(send, input, init), limits)
  }
}

const isFetch = (given: unknown): given is Fetch => typeof given === 'function'

async function followed(
  send: Fetch,
  input: Parameters<Fetch>[0],
  init: Parameters<Fetch>[1],
): Promise<Response> {
  const first = await send(input, { ...init, redirect: 'manual' })
  let [response, from] = [
    first,
    URL.parse(typeof input === 'object' && 'url' in input ? input.url : String(input)),
  ]
  for (let hop = 0; from !== null; hop++) {
    const to = target(response, from)
    if (to === undefined) return response
    await response.body?.cancel()
    const isRepeated = response.status === 307 || response.status === 308
    if (hop === MOST_REDIRECTS || !isRepeated || to?.origin !== from.origin) {
      throw new RedirectRefused(refusal(from, to))
    }
    from = to
    response = await send(to, { ...init, redirect: 'manual' })
  }
  return response
}

/** The target of a redirect; `null` for an invalid address, undefined if it is not a redirect. */
function target({ status, headers }: Response, from: URL): URL | null | undefined {
  const location = headers.get('location')
  return status < 300 || status > 399 || location === null
    ? undefined
    : URL.parse(location, from.href)
}

const refusal = ({ host, origin }: URL, to: URL | null): string => {
  const where = to === null ? 'nowhere' : to.origin === 'null' ? to.protocol : to.origin
  const isSame = to?.origin === origin
  return isSame
    ? `${host} redirects too often or not to an API; check the base URL`
    : `${host} redirects to ${where}, which is not followed; if that is the right server, set its base URL`
}
