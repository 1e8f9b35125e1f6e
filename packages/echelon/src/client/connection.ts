import { isRecord } from '../core/value/json.ts'
import { ClientError } from './client-error.ts'

export interface ClientOptions {
  /** The address of the server, such as `http://127.0.0.1:3000`. */
  readonly url: string
  /** A token of the server; none for a server of this machine without tokens. */
  readonly token?: string
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /**
   * Number of times that a lost connection of `events` is reopened in a row, with growing pauses, before it fails.
   * Default 8.
   */
  readonly reconnects?: number
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  readonly query?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** Sends requests to a server, and turns its errors into `ClientError`. */
export class Connection {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** The JSON of an answer, as the server's API promises it. */
  async json<Answer>(path: string, call: Call = {}): Promise<Answer> {
    const answer = await this.open(path, call)
    return JSON.parse(await answer.text())
  }

  /** @throws ClientError */
  async open(path: string, call: Call = {}): Promise<Response> {
    const { method = 'GET', body, query = {}, headers, signal } = call
    const { url, token } = this.#options
    const address = new URL(url.replace(/\/+$/, '') + path)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value))
    }
    const send = this.#options.fetch ?? fetch
    let answer: Response
    try {
      answer = await send(address, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
    } catch (cause) {
      signal?.throwIfAborted()
      throw new ClientError(0, 'unreachable', `there is no server at ${address.origin}`, { cause })
    }
    if (answer.ok) return answer
    throw await errorOf(answer)
  }
}

async function errorOf(answer: Response): Promise<ClientError> {
  const text = await answer.text().catch(() => '')
  const { code, message } = problemIn(text)
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new ClientError(
    answer.status,
    code ?? 'unknown',
    message ?? `the server answered with status ${answer.status}`,
    Number.isFinite(seconds) ? { retryAfter: seconds } : {},
  )
}

function problemIn(text: string): { code?: string; message?: string } {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return {}
  }
  const problem = isRecord(body) && isRecord(body['error']) ? body['error'] : {}
  const { code, message } = problem
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message }),
  }
}
