import { type BodyLimits, boundedResponse } from 'echelon/internal/model'
import type { McpAddress } from './server.ts'

/** Limit of one message. The SDK has the same limit for messages of a program. */
const MAX_BYTES = 10 * 1024 * 1024

/** A stream of events lasts as long as the session; only a single event is limited. */
const LIMITS: BodyLimits = {
  whole: MAX_BYTES,
  stream: Infinity,
  event: MAX_BYTES,
  events: Infinity,
  error: 1024 * 1024,
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * `fetch` for one server. The server chooses the sign-in address, so its headers, which may hold a
 * key, are sent to its own origin only, and a server on HTTPS cannot direct requests to plain HTTP.
 *
 * Fails when a single message is too big. A stream of events has no total limit.
 */
export function fetchFor({ url, headers = {} }: McpAddress): Fetch {
  const home = new URL(url)
  return async (to, init) => {
    const { origin, protocol } = new URL(to)
    if (home.protocol === 'https:' && protocol !== 'https:') {
      throw new Error(`it requires ${origin}, which is not encrypted`)
    }
    const response = await fetch(to, origin === home.origin ? init : without(headers, init))
    return boundedResponse(response, LIMITS)
  }
}

/**
 * Removes headers with the same name and value. The same name with another value is meant for this
 * request.
 */
function without(secret: Readonly<Record<string, string>>, init: RequestInit = {}): RequestInit {
  const values = new Map(Object.entries(secret).map(([name, value]) => [name.toLowerCase(), value]))
  const headers = entriesOf(init.headers).filter(
    ([name, value]) => values.get(name.toLowerCase())?.trim() !== value.trim(),
  )
  return { ...init, headers }
}

/** `Headers` alone would join the values of names that differ only in case. */
const entriesOf = (headers: RequestInit['headers']): [string, string][] =>
  headers === undefined || headers instanceof Headers || Symbol.iterator in headers
    ? [...new Headers(headers)]
    : Object.entries(headers).map(([name, value]) => [name, String(value)])
