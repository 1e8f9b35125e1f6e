import { isRecord } from 'echelon/internal/value'
import { ToolError } from 'echelon/internal/tool'

/** A request ready to send. */
export interface WebRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
}

/**
 * Converts an HTTP Archive request, in which query values are already encoded.
 * @param ownBody replaces the body of the archive
 * @throws ToolError INVALID_ARGS for a value that cannot be sent or would change the path
 */
export function webRequest(
  request: unknown,
  ownBody?: { readonly type: string; readonly text: string },
): WebRequest {
  if (!isRecord(request)) throw new ToolError('TOOL_ERROR', 'the request could not be built')
  const { method, url, postData } = request
  const headers = new Headers()
  for (const { name, value } of pairs(request['headers'])) setHeader(headers, name, value)
  const cookies = pairs(request['cookies'])
  if (cookies.length > 0) {
    const text = cookies
      .map(({ name, value }) => `${name}=${value.replaceAll(/[;,"\\\s]/g, encodeURIComponent)}`)
      .join('; ')
    setHeader(headers, 'cookie', text)
  }
  if (ownBody !== undefined) setHeader(headers, 'content-type', ownBody.type)
  if (!headers.has('accept')) headers.set('accept', 'application/json')
  return {
    url: addressOf(String(url), pairs(request['queryString'])),
    method: String(method).toUpperCase(),
    headers,
    body: ownBody?.text ?? (isRecord(postData) ? bodyOf(postData) : undefined),
  }
}

interface Pair {
  readonly name: string
  readonly value: string
}

const pairs = (list: unknown): readonly Pair[] =>
  (Array.isArray(list) ? list : []).flatMap((one: unknown) =>
    isRecord(one) ? [{ name: String(one['name']), value: String(one['value']) }] : [],
  )

/** Builds the URL. Rejects a value such as `..`, which would call another operation. */
function addressOf(text: string, query: readonly Pair[]): URL {
  const url = new URL(text)
  const [, path = ''] = /^https?:\/\/[^/?#]*([^?#]*)/i.exec(text) ?? []
  const hasDotSegment = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
  if (hasDotSegment) throw new ToolError('INVALID_ARGS', 'a path value would change the path')
  const sent = query.map(
    ({ name, value }) => `${escapeDelimiters(name)}=${escapeDelimiters(value)}`,
  )
  url.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...sent].join('&')
  url.hash = ''
  return url
}

/** Escapes characters that could begin another parameter. */
const escapeDelimiters = (text: string): string =>
  text.replaceAll(/[&#=+\s]/g, (character) => encodeURIComponent(character))

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value)
  } catch {
    throw new ToolError('INVALID_ARGS', `the header ${name} cannot be sent with that value`)
  }
}

function bodyOf({ text, params }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof text === 'string') return text
  const fields = pairs(params).map(({ name, value }): [string, string] => [name, value])
  return fields.length === 0 ? undefined : new URLSearchParams(fields).toString()
}
