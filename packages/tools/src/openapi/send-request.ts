import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { ToolError, type ToolErrorCode } from 'echelon/internal/tool'
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
const MOST_OF_NAME = 100

/**
 * Sends a request and gives status and body of the answer; JSON as it is, text as text. Of a call that
 * changed something and was answered with what cannot be read, the status and why: it was done.
 * @throws ToolError with the status and the beginning of the body for one of 400 and above;
 * NET_TIMEOUT when nothing answers; the signal's reason when that aborts
 */
export async function send(request: WebRequest, options: SendOptions): Promise<Json> {
  const { hide } = options
  try {
    return hidden(await answerTo(request, options), hide)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const { code, message, mayHaveActed } = error
    throw new ToolError(code, hide(message), { mayHaveActed })
  }
}

async function answerTo(request: WebRequest, options: SendOptions): Promise<Json> {
  const response = await follow(request, options)
  const { status } = response
  if (status >= 400) throw await refusal(request, response, options)
  try {
    return await bodyOf(request, response, options)
  } catch (error) {
    options.signal.throwIfAborted()
    if (isRead(request) || !(error instanceof Error)) throw error
    return { status, unread: error.message }
  }
}

async function bodyOf(
  request: WebRequest,
  response: Response,
  options: SendOptions,
): Promise<Json> {
  const { host } = request.url
  const { status } = response
  const text = await textOf(request, response, options)
  const type = response.headers.get('content-type') ?? ''
  if (text === '') return { status }
  if (/[/+]json\b/i.test(type)) return { status, body: json(text, host) }
  if (/^text\/|xml\b|^$/i.test(type)) return { status, body: text }
  const shown = type.slice(0, MOST_OF_NAME)
  throw new ToolError('TOOL_ERROR', `${host} answered with ${shown}, which is no text`)
}

/** Keys are looked for before anything is cut off, which could leave half of one. */
const textOf = async (
  request: WebRequest,
  response: Response,
  options: SendOptions,
): Promise<string> =>
  options.hide(
    await readText(response, { url: request.url, maxBytes: options.maxBytes }).catch(
      (error: unknown) => fail(request, options, error),
    ),
  )

const isRead = ({ method }: WebRequest): boolean => method === 'GET' || method === 'HEAD'

/** A server may also have written a key in a way that is seen only when its JSON is read. */
function hidden(value: Json, hide: (text: string) => string): Json {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map((part) => hidden(part, hide))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [hide(name), hidden(part, hide)]),
  )
}

/** Within the same origin, and only what is read: what was sent elsewhere may hold a key. */
async function follow(request: WebRequest, options: SendOptions): Promise<Response> {
  const { url, method, headers, body } = request
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
    if (!isRead(request) || next === null || next.origin !== url.origin) {
      const where = next === null ? 'nowhere' : options.hide(next.host).slice(0, MOST_OF_NAME)
      // These two say that nothing was done yet; others may be the answer to what was.
      const isInDoubt = response.status !== 307 && response.status !== 308
      const happened = `redirects to ${where}, which is not followed`
      throw failure(request, { code: 'TOOL_ERROR', happened, isInDoubt })
    }
    at = next
  }
  throw new ToolError('TOOL_ERROR', `${url.host} redirects more than ${MOST_REDIRECTS} times`)
}

/** What broke off may have been done. */
function fail(request: WebRequest, { signal }: SendOptions, error: unknown): never {
  signal.throwIfAborted()
  if (error instanceof ToolError) throw error
  const reason = reasonOf(error)
  const isUnsent = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(reason)
  const happened = `could not be reached (${reason})`
  throw failure(request, { code: 'NET_TIMEOUT', happened, isInDoubt: !isUnsent })
}

interface Failure {
  readonly code: ToolErrorCode
  readonly happened: string
  /** Whether nobody knows if what was asked was done. */
  readonly isInDoubt: boolean
  /** By the server. */
  readonly said?: string
}

function failure(
  request: WebRequest,
  { code, happened, isInDoubt, said = '' }: Failure,
): ToolError {
  const mayHaveActed = isInDoubt && !isRead(request)
  const doubt = mayHaveActed ? '; what was asked may have been done' : ''
  return new ToolError(code, `${request.url.host} ${happened}${doubt}${said}`, { mayHaveActed })
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

async function refusal(
  request: WebRequest,
  response: Response,
  options: SendOptions,
): Promise<ToolError> {
  const { status } = response
  const text = await textOf(request, response, options).catch((error: unknown) => {
    if (error instanceof ToolError) return ''
    throw error
  })
  const said = text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS)
  const what = said === '' ? '' : `: ${said}`
  // A server that fails may have done it before; one that is busy has not.
  const isInDoubt = status >= 500 && status !== 501 && status !== 503
  const code = CODES[status] ?? 'TOOL_ERROR'
  const happened = `answered with status ${status}`
  return failure(request, { code, happened, isInDoubt, said: what })
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
