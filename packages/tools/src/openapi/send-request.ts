import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { ToolError, type ToolErrorCode } from 'echelon/internal/tool'
import { readText, reasonOf } from '../stock/bounded-fetch.ts'
import type { WebRequest } from './har-request.ts'

export interface SendOptions {
  /** Limit of the response, decompressed. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Removes keys from text of the server. */
  readonly hide: (text: string) => string
}

const MAX_REDIRECTS = 3
/** Limit of the error text of a server. */
const MAX_ERROR_CHARACTERS = 1000
const MAX_NAME_CHARACTERS = 100

/**
 * Sends a request and returns the status and body of the response: JSON parsed, text as text. If a
 * write succeeded but its response cannot be read, returns the status and the reason, since the
 * write was done.
 * @throws ToolError with the status and the beginning of the body for a status of 400 or above;
 * NET_TIMEOUT if there is no response; the signal's reason if that aborts
 */
export async function send(request: WebRequest, options: SendOptions): Promise<Json> {
  const { hide } = options
  try {
    return redacted(await responseTo(request, options), hide)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const { code, message, mayHaveActed } = error
    throw new ToolError(code, hide(message), { mayHaveActed })
  }
}

async function responseTo(request: WebRequest, options: SendOptions): Promise<Json> {
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
  const shown = type.slice(0, MAX_NAME_CHARACTERS)
  throw new ToolError('TOOL_ERROR', `${host} answered with ${shown}, which is not text`)
}

/** Removes keys before the text is cut, which could leave half of one. */
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

/** Removes keys again after parsing, which decodes escapes that may have hidden one. */
function redacted(value: Json, hide: (text: string) => string): Json {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map((part) => redacted(part, hide))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [hide(name), redacted(part, hide)]),
  )
}

/** Follows redirects of reads within the origin. Sent elsewhere, the request might leak a key. */
async function follow(request: WebRequest, options: SendOptions): Promise<Response> {
  const { url, method, headers, body } = request
  let at = url
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
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
      const where =
        next === null ? 'nowhere' : options.hide(next.host).slice(0, MAX_NAME_CHARACTERS)
      // 307 and 308 mean that nothing was done; other statuses may answer a write that was.
      const isInDoubt = response.status !== 307 && response.status !== 308
      const happened = `redirects to ${where}, which is not followed`
      throw failure(request, { code: 'TOOL_ERROR', happened, isInDoubt })
    }
    at = next
  }
  throw new ToolError('TOOL_ERROR', `${url.host} redirects more than ${MAX_REDIRECTS} times`)
}

/** An aborted connection leaves unknown whether a write was done. */
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
  /** Whether the request may have been executed. */
  readonly isInDoubt: boolean
  /** The error text of the server. */
  readonly detail?: string
}

function failure(
  request: WebRequest,
  { code, happened, isInDoubt, detail = '' }: Failure,
): ToolError {
  const mayHaveActed = isInDoubt && !isRead(request)
  const doubt = mayHaveActed ? '; the request may have been executed' : ''
  return new ToolError(code, `${request.url.host} ${happened}${doubt}${detail}`, { mayHaveActed })
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
  const detail = text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_ERROR_CHARACTERS)
  const what = detail === '' ? '' : `: ${detail}`
  // A server may fail after executing the request; 501 and 503 come before.
  const isInDoubt = status >= 500 && status !== 501 && status !== 503
  const code = CODES[status] ?? 'TOOL_ERROR'
  const happened = `answered with status ${status}`
  return failure(request, { code, happened, isInDoubt, detail: what })
}

function json(text: string, host: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (isJson(value)) return value
  } catch {
    // Reported below, without the text.
  }
  throw new ToolError('TOOL_ERROR', `${host} answered with invalid JSON`)
}
