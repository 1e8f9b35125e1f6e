import { isJson, type Json } from '../../core/json.ts'
import { ToolError, type ToolErrorCode } from '../../core/tool.ts'
import { readText, reasonOf } from '../stock/bounded-fetch.ts'
import type { WebRequest } from './har-request.ts'

export interface SendOptions {
  /** Of the answer, unpacked. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Takes keys out of what the server says. */
  readonly hide: (text: string) => string
}

const MOST_REDIRECTS = 3
/** Of what a server says is wrong. */
const MOST_CHARACTERS = 1000

/**
 * Sends a request and gives status and body of the answer; JSON as it is, text as text.
 * @throws ToolError with the status and the beginning of the body for one of 400 and above;
 * NET_TIMEOUT when nothing answers; the signal's reason when that aborts
 */
export async function send(request: WebRequest, options: SendOptions): Promise<Json> {
  const { url } = request
  const response = await follow(request, options)
  const { status } = response
  const text = options.hide(
    await readText(response, { url, maxBytes: options.maxBytes }).catch((error: unknown) =>
      fail(request, options, error),
    ),
  )
  if (status >= 400) throw refusal(url.host, status, text)
  const type = response.headers.get('content-type') ?? ''
  if (text === '') return { status }
  if (/[/+]json\b/i.test(type)) return { status, body: json(text, url.host) }
  if (/^text\/|xml\b|^$/i.test(type)) return { status, body: text }
  throw new ToolError('TOOL_ERROR', `${url.host} answered with ${type}, which is no text`)
}

/** Within the same origin, and only what is read: what was sent elsewhere may hold a key. */
async function follow(request: WebRequest, options: SendOptions): Promise<Response> {
  const { url, method, headers, body } = request
  const isRead = method === 'GET' || method === 'HEAD'
  let at = url
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await fetch(at, {
      method,
      headers,
      signal: options.signal,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    }).catch((error: unknown) => fail(request, options, error))
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return response
    await response.body?.cancel()
    const next = URL.parse(location, at.href)
    if (!isRead || next === null || next.origin !== url.origin) {
      const where = next === null ? 'nowhere' : next.host
      throw new ToolError('TOOL_ERROR', `${url.host} redirects to ${where}, which is not followed`)
    }
    at = next
  }
  throw new ToolError('TOOL_ERROR', `${url.host} redirects more than ${MOST_REDIRECTS} times`)
}

/** What broke off may have been done. */
function fail({ url, method }: WebRequest, { signal }: SendOptions, error: unknown): never {
  signal.throwIfAborted()
  if (error instanceof ToolError) throw error
  const reads = method === 'GET' || method === 'HEAD'
  const mayHaveActed = !reads && !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(reasonOf(error))
  const doubt = mayHaveActed ? '; what was asked may have been done' : ''
  throw new ToolError(
    'NET_TIMEOUT',
    `${url.host} could not be reached (${reasonOf(error)})${doubt}`,
    { mayHaveActed },
  )
}

const CODES: Readonly<Record<number, ToolErrorCode>> = {
  400: 'INVALID_ARGS',
  404: 'INVALID_ARGS',
  408: 'NET_TIMEOUT',
  422: 'INVALID_ARGS',
  429: 'RATE_LIMIT',
  503: 'RATE_LIMIT',
  504: 'NET_TIMEOUT',
}

function refusal(host: string, status: number, text: string): ToolError {
  const said = text.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS)
  const what = said === '' ? '' : `: ${said}`
  return new ToolError(
    CODES[status] ?? 'TOOL_ERROR',
    `${host} answered with status ${status}${what}`,
  )
}

function json(text: string, host: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (isJson(value)) return value
  } catch {
    // Said below, without the text.
  }
  throw new ToolError('TOOL_ERROR', `${host} answered with what is no JSON, though it says so`)
}
