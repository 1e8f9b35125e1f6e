import { type BodyLimits, boundedResponse } from '../core/model/bounded-body.ts'
import type { ProviderSettings } from '../core/model/model.ts'

type Fetch = typeof globalThis.fetch

const MEGABYTE = 1024 * 1024

/** More than any model answers today: 128,000 tokens as events, or some pictures as base64. */
const MOST_BYTES = 32 * MEGABYTE

/**
 * What is read of one answer. Each piece of a stream is framed in an event of its own, so that a stream has
 * twice the room.
 */
const limitsOf = (most: number): BodyLimits => ({
  whole: most,
  stream: 2 * most,
  event: most / 2,
  events: Math.ceil(most / LEAST_EVENT),
  error: MEGABYTE,
  advice: `the limit is maxAnswerBytes of the provider (max_answer_bytes in config.yaml)`,
})

/** Bytes of an event that says anything; fewer are a server that keeps somebody busy. */
const LEAST_EVENT = 64

const MOST_REDIRECTS = 3

/** A server that sends elsewhere, which is not followed. */
class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused'
}

/**
 * `fetch` for a server of models: its bodies have limits, and redirects are followed within its origin
 * only, since the request holds the key and the conversation.
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

/** Where a response sends; `null` for no address, and nothing for one that sends nowhere. */
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
    ? `${host} redirects without an end, or to what is no interface; check the base URL`
    : `${host} redirects to ${where}, which is not followed; if that is the right server, set its base URL`
}
