import { ToolError } from 'echelon/internal/tool'

export interface BoundedRequest {
  readonly url: URL
  readonly headers: Headers
  /** Total time limit in milliseconds, redirects and body included. */
  readonly timeoutMs: number
  /** Limit of the body, decompressed. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface BoundedResponse {
  readonly status: number
  /** As UTF-8; empty when the status is not 200. */
  readonly text: string
}

const MAX_REDIRECTS = 3

/**
 * Fetches a text over HTTP within limits of time and size. Follows redirects within the same origin
 * only, since the headers may hold a key. Messages name the host and never the URL, which may also
 * hold a key.
 * @throws ToolError NET_TIMEOUT when the host does not answer in time or is unreachable, TOOL_ERROR
 * when it redirects elsewhere or sends too much; the signal's reason when that aborts
 */
export async function boundedFetch(request: BoundedRequest): Promise<BoundedResponse> {
  const { url, timeoutMs, signal } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await follow(request, AbortSignal.any([signal, timeout]))
    if (response.status === 200) return { status: 200, text: await readText(response, request) }
    await response.body?.cancel()
    return { status: response.status, text: '' }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ToolError) throw error
    const failure = timeout.aborted
      ? `did not answer within ${timeoutMs / 1000} s`
      : `could not be reached (${reasonOf(error)})`
    throw new ToolError('NET_TIMEOUT', `${url.host} ${failure}`)
  }
}

async function follow({ url, headers }: BoundedRequest, signal: AbortSignal): Promise<Response> {
  let at = url
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await fetch(at, { headers, signal, redirect: 'manual' })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return response
    await response.body?.cancel()
    at = new URL(location, at)
    if (at.origin !== url.origin) {
      throw new ToolError(
        'TOOL_ERROR',
        `${url.host} redirects to ${at.host}, which is not followed`,
      )
    }
  }
  throw new ToolError('TOOL_ERROR', `${url.host} redirects more than ${MAX_REDIRECTS} times`)
}

/**
 * Reads the body of a response as UTF-8.
 * @throws ToolError TOOL_ERROR for more than `maxBytes`
 */
export async function readText(
  response: Response,
  { url, maxBytes }: Pick<BoundedRequest, 'url' | 'maxBytes'>,
): Promise<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) {
      throw new ToolError('TOOL_ERROR', `${url.host} sent more than ${maxBytes} bytes`)
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The reason of a failed `fetch`, such as ECONNREFUSED, which it keeps in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}
