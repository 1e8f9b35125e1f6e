import { isRecord } from 'echelon/internal/value'
import { ToolError } from 'echelon/internal/tool'

/** A request as it is sent. */
export interface WebRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
}

/**
 * A request of the HTTP Archive form, in which values of the query are encoded already.
 * @param own the body, in place of that of the archive
 * @throws ToolError INVALID_ARGS for a value that cannot be sent, or would lead to another path
 */
export function webRequest(
  request: unknown,
  own?: { readonly type: string; readonly text: string },
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
  if (own !== undefined) setHeader(headers, 'content-type', own.type)
  if (!headers.has('accept')) headers.set('accept', 'application/json')
  return {
    url: addressOf(String(url), pairs(request['queryString'])),
    method: String(method).toUpperCase(),
    headers,
    body: own?.text ?? (isRecord(postData) ? bodyOf(postData) : undefined),
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

/** A value such as `..` would be taken out of the path, and another operation be called. */
function addressOf(text: string, query: readonly Pair[]): URL {
  const url = new URL(text)
  const [, path = ''] = /^https?:\/\/[^/?#]*([^?#]*)/i.exec(text) ?? []
  const steps = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
  if (steps) throw new ToolError('INVALID_ARGS', 'a value of the path leads to another path')
  const sent = query.map(({ name, value }) => `${closed(name)}=${closed(value)}`)
  url.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...sent].join('&')
  url.hash = ''
  return url
}

/** What was left as it is cannot begin another parameter. */
const closed = (text: string): string =>
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
