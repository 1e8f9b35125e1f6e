import type { McpAddress } from './server.ts'

/** What one message of a server may have: as with a program, whose messages the SDK bounds itself. */
const MOST_BYTES = 10 * 1024 * 1024

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
    return bound(await fetch(to, origin === home.origin ? init : without(headers, init)))
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

function bound(response: Response): Response {
  if (response.body === null) return response
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
  const { status, statusText, headers } = response
  // Of a redirect the SDK itself decides.
  if (status < 200) return response
  return new Response(response.body.pipeThrough(bounded(isStream)), { status, statusText, headers })
}

function bounded(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes = isStream && endsEvent(chunk) ? 0 : bytes + chunk.byteLength
      if (bytes <= MOST_BYTES) controller.enqueue(chunk)
      else controller.error(new Error(`a message has more than ${MOST_BYTES / 1024 / 1024} MB`))
    },
  })
}

/** Whether an empty line stands in it. One that two chunks share is missed: what follows counts on. */
function endsEvent({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const text = Buffer.from(buffer, byteOffset, byteLength)
  return text.includes('\n\n') || text.includes('\r\n\r\n')
}
