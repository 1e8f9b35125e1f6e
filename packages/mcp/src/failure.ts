import { EchelonError } from 'echelon/internal/value'
import { isRecord } from 'echelon/internal/value'
import { ToolError, type ToolErrorCode } from 'echelon/internal/tool'
import { bounded } from './result.ts'
import type { Sdk } from './sdk.ts'
import { isProgram, type McpServer } from './server.ts'

const MOST_CHARACTERS = 400

/** Why a server cannot be had, in a sentence without its name: `ended before it answered`. */
export function whyNot(sdk: Sdk, server: McpServer, error: unknown, said: string): string {
  if (error instanceof EchelonError) return error.message
  if (isProgram(server)) return programFailed(server.command, error, lastLine(said))
  if (error instanceof sdk.UnauthorizedError) return 'somebody has to sign in first'
  if (error instanceof sdk.StreamableHTTPError) return refused(server.url, error.code, error)
  const code = causeOf(error)
  if (code !== undefined) return `it cannot be reached at ${server.url} (${code})`
  return sentence(error)
}

function programFailed(command: string, error: unknown, last: string): string {
  const code = isErrno(error) ? error.code : undefined
  if (code === 'ENOENT') return `there is no program ${command}; install it, or give its whole path`
  if (code === 'EACCES') return `${command} may not be run`
  return last === '' ? sentence(error) : `${sentence(error)}; it said: ${last}`
}

function refused(url: string, status: number | undefined, error: Error): string {
  if (status === 401 || status === 403) return `it lets nobody in at ${url} (status ${status})`
  if (status === 404 || status === 405) {
    return `nothing speaks streamable HTTP at ${url} (status ${status}); the older SSE is not spoken here`
  }
  return sentence(error)
}

/** Where a schema of the protocol found the first difference; the SDK says it with a dump of all of them. */
function otherForm(error: unknown): string | undefined {
  const issues = error instanceof Error && 'issues' in error ? error.issues : undefined
  if (!Array.isArray(issues)) return undefined
  const first: unknown = issues[0]
  const path = isRecord(first) && Array.isArray(first['path']) ? first['path'].map(String) : []
  const place = bounded(path.join('.').replaceAll(CONTROL, ' '), MOST_OF_PLACE)
  return `its answer is not in the form of the protocol${place === '' ? '' : ` (at ${place})`}`
}

const MOST_OF_PLACE = 80
const CONTROL = /\p{Cc}+/gu

/** What the SDK says, without its prefix. */
function sentence(error: unknown): string {
  const form = otherForm(error)
  if (form !== undefined) return form
  const message = error instanceof Error ? error.message : String(error)
  const plain = message.replace(/^(MCP error -?\d+|Streamable HTTP error): /, '')
  if (plain === 'Connection closed') return 'the connection was closed'
  return bounded(plain.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim(), MOST_CHARACTERS)
}

const lastLine = (said: string): string =>
  bounded(said.trim().split('\n').at(-1)?.trim() ?? '', MOST_CHARACTERS)

/** `fetch` hides in the cause why it failed. */
function causeOf(error: unknown): string | undefined {
  if (!(error instanceof TypeError) || error.message !== 'fetch failed') return undefined
  return isErrno(error.cause) ? error.cause.code : 'no connection'
}

const isErrno = (value: unknown): value is { readonly code: string } =>
  value instanceof Error && 'code' in value && typeof value.code === 'string'

/** Whether a server with sessions has forgotten ours, so that it has done nothing of what was asked. */
export const isSessionGone = (sdk: Sdk, error: unknown): boolean =>
  error instanceof sdk.StreamableHTTPError &&
  (error.code === 404 || (error.code === 400 && /session/i.test(error.message)))

/** A call that went wrong. */
export interface FailedCall {
  readonly server: string
  readonly tool: string
}

/**
 * An error of the protocol or of the way to the server, as that of a tool. It may have been done all
 * the same unless the server says why it did not, or never heard of it.
 */
export function toolError(sdk: Sdk, error: unknown, { server, tool }: FailedCall): ToolError {
  if (error instanceof ToolError) return error
  if (error instanceof sdk.UnauthorizedError || error instanceof EchelonError) {
    return new ToolError('TOOL_ERROR', `${server} wants somebody to sign in again; connect it anew`)
  }
  if (error instanceof sdk.types.UrlElicitationRequiredError) {
    const pages = error.elicitations.map(({ url }) => url).join(' ')
    return new ToolError(
      'TOOL_ERROR',
      `${server} wants the user to open a page first: ${bounded(pages, MOST_CHARACTERS)}`,
    )
  }
  const { ConnectionClosed, RequestTimeout, InvalidParams } = sdk.types.ErrorCode
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === InvalidParams) return new ToolError('INVALID_ARGS', `${tool}: ${sentence(error)}`)
  if (code === 429) return new ToolError('RATE_LIMIT', `${server} asks to slow down`)
  const cause = causeOf(error)
  if (cause !== undefined && NEVER_REACHED.has(cause)) {
    return new ToolError('NET_TIMEOUT', `${server} cannot be reached (${cause})`)
  }
  const isLost = code === ConnectionClosed || cause !== undefined
  if (isLost) return inDoubt('NET_TIMEOUT', `the connection to ${server} was lost in mid-call`)
  if (code === RequestTimeout) return inDoubt('NET_TIMEOUT', `${server} took too long`)
  const what = `${tool}: ${sentence(error)}`
  return isRefusal(sdk, error) ? new ToolError('TOOL_ERROR', what) : inDoubt('TOOL_ERROR', what)
}

const NEVER_REACHED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** The server's own answer: an error of the protocol, or a status that says no before anything is done. */
const isRefusal = (sdk: Sdk, error: unknown): boolean =>
  error instanceof sdk.types.McpError ||
  (error instanceof sdk.StreamableHTTPError &&
    (error.code ?? 0) >= 400 &&
    (error.code ?? 0) < 500) ||
  (error instanceof Error && error.message === 'Not connected')

const inDoubt = (code: ToolErrorCode, message: string): ToolError =>
  new ToolError(code, message, { mayHaveActed: true })
