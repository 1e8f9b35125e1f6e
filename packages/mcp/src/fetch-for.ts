import { type BodyLimits, boundedResponse } from 'echelon/internal/model'
import type { McpAddress } from './server.ts'

/** What one message of a server may have: as with a program, whose messages the SDK bounds itself. */
const MOST_BYTES = 10 * 1024 * 1024

/** A stream of events lives as long as the session; one event does not. */
const LIMITS: BodyLimits = {
  whole: MOST_BYTES,
  stream: Infinity,
  event: MOST_BYTES,
  events: Infinity,
  error: 1024 * 1024,
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * `fetch` for one server. Where to sign in the server says: its headers, which may hold a key, go
 * nowhere else, and one that is reached with TLS sends nobody where there is none.
 *
 * Answers break off where a single message is too big. A stream of events may be as long as it
 * likes; one event may not.
 */
export function fetchFor({ url, headers = {} }: McpAddress): Fetch {
  const home = new URL(url)
  return async (to, init) => {
    const { origin, protocol } = new URL(to)
    if (home.protocol === 'https:' && protocol !== 'https:') {
      throw new Error(`it wants to be asked at ${origin}, which is not encrypted`)
    }
    const response = await fetch(to, origin === home.origin ? init : without(headers, init))
    return boundedResponse(response, LIMITS)
  }
}

/** What is called the same and has another value is meant for whoever is asked now. */
function without(own: Readonly<Record<string, string>>, init: RequestInit = {}): RequestInit {
  const values = new Map(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  const headers = entriesOf(init.headers).filter(
    ([name, value]) => values.get(name.toLowerCase())?.trim() !== value.trim(),
  )
  return { ...init, headers }
}

/** Not by `Headers` alone, which makes one value of two names that differ in case. */
const entriesOf = (headers: RequestInit['headers']): [string, string][] =>
  headers === undefined || headers instanceof Headers || Symbol.iterator in headers
    ? [...new Headers(headers)]
    : Object.entries(headers).map(([name, value]) => [name, String(value)])
