import { EchelonError, isRecord } from 'echelon/internal/value'
import { ToolError, type ToolErrorCode } from 'echelon/internal/tool'
import { bounded } from './result.ts'
import type { Sdk } from './sdk.ts'
import { isProgram, type McpServer } from './server.ts'

const MAX_CHARACTERS = 400

/** Why a server cannot be used, as a sentence without its name: `the connection was closed`. */
export function connectionError(
  sdk: Sdk,
  server: McpServer,
  error: unknown,
  stderr: string,
): string {
  if (error instanceof EchelonError) return error.message
  if (isProgram(server)) return programFailed(server.command, error, lastLine(stderr))
  if (error instanceof sdk.UnauthorizedError) return 'sign-in is required'
  if (error instanceof sdk.StreamableHTTPError) return refused(server.url, error.code, error)
  const code = causeOf(error)
  if (code !== undefined) return `it is unreachable at ${server.url} (${code})`
  return sentence(error)
}

function programFailed(command: string, error: unknown, last: string): string {
  const code = isErrno(error) ? error.code : undefined
  if (code === 'ENOENT')
    return `the program ${command} was not found; install it or give its full path`
  if (code === 'EACCES') return `${command} is not executable`
  return last === '' ? sentence(error) : `${sentence(error)}; its last output: ${last}`
}

function refused(url: string, status: number | undefined, error: Error): string {
  if (status === 401 || status === 403) return `access was denied at ${url} (status ${status})`
  if (status === 404 || status === 405) {
    return `no streamable HTTP server at ${url} (status ${status}); the older SSE transport is not supported`
  }
  return sentence(error)
}

/**
 * Where an answer first differs from the protocol's schema. The SDK's own message dumps every
 * difference.
 */
function schemaMismatch(error: unknown): string | undefined {
  const issues = error instanceof Error && 'issues' in error ? error.issues : undefined
  if (!Array.isArray(issues)) return undefined
  const first: unknown = issues[0]
  const path = isRecord(first) && Array.isArray(first['path']) ? first['path'].map(String) : []
  const place = bounded(path.join('.').replaceAll(CONTROL, ' '), MAX_PLACE_CHARACTERS)
  return `its answer does not follow the protocol${place === '' ? '' : ` (at ${place})`}`
}

const MAX_PLACE_CHARACTERS = 80
const CONTROL = /\p{Cc}+/gu

/** The SDK's message on one line, without its prefix. */
function sentence(error: unknown): string {
  const form = schemaMismatch(error)
  if (form !== undefined) return form
  const message = error instanceof Error ? error.message : String(error)
  const plain = message.replace(/^(MCP error -?\d+|Streamable HTTP error): /, '')
  if (plain === 'Connection closed') return 'the connection was closed'
  return bounded(plain.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim(), MAX_CHARACTERS)
}

const lastLine = (stderr: string): string =>
  bounded(stderr.trim().split('\n').at(-1)?.trim() ?? '', MAX_CHARACTERS)

/** The code of a network error, which `fetch` puts in `cause`. */
function causeOf(error: unknown): string | undefined {
  if (!(error instanceof TypeError) || error.message !== 'fetch failed') return undefined
  return isErrno(error.cause) ? error.cause.code : 'no connection'
}

const isErrno = (value: unknown): value is { readonly code: string } =>
  value instanceof Error && 'code' in value && typeof value.code === 'string'

/** Whether the server no longer knows the session, so that it did not execute the request. */
export const isSessionGone = (sdk: Sdk, error: unknown): boolean =>
  error instanceof sdk.StreamableHTTPError &&
  (error.code === 404 || (error.code === 400 && /session/i.test(error.message)))

/** A failed call. */
export interface FailedCall {
  readonly server: string
  readonly tool: string
}

/**
 * Converts a protocol or transport error to a tool error. The call may have been executed unless
 * the server refused it or was never reached.
 */
export function toolError(sdk: Sdk, error: unknown, { server, tool }: FailedCall): ToolError {
  if (error instanceof ToolError) return error
  if (error instanceof sdk.UnauthorizedError || error instanceof EchelonError) {
    return new ToolError('TOOL_ERROR', `${server} requires a new sign-in; reconnect it`)
  }
  if (error instanceof sdk.types.UrlElicitationRequiredError) {
    const pages = error.elicitations.map(({ url }) => url).join(' ')
    return new ToolError(
      'TOOL_ERROR',
      `${server} requires the user to open a page first: ${bounded(pages, MAX_CHARACTERS)}`,
    )
  }
  const { ConnectionClosed, RequestTimeout, InvalidParams } = sdk.types.ErrorCode
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === InvalidParams) return new ToolError('INVALID_ARGS', `${tool}: ${sentence(error)}`)
  if (code === 429) return new ToolError('RATE_LIMIT', `${server} is limiting the rate of calls`)
  const cause = causeOf(error)
  if (cause !== undefined && NEVER_REACHED.has(cause)) {
    return new ToolError('NET_TIMEOUT', `${server} cannot be reached (${cause})`)
  }
  const isLost = code === ConnectionClosed || cause !== undefined
  if (isLost)
    return mayHaveActed('NET_TIMEOUT', `the connection to ${server} was lost during the call`)
  if (code === RequestTimeout) return mayHaveActed('NET_TIMEOUT', `${server} took too long`)
  const what = `${tool}: ${sentence(error)}`
  return isRefusal(sdk, error)
    ? new ToolError('TOOL_ERROR', what)
    : mayHaveActed('TOOL_ERROR', what)
}

const NEVER_REACHED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** The server refused the request before executing it: a protocol error or a 4xx status. */
const isRefusal = (sdk: Sdk, error: unknown): boolean =>
  error instanceof sdk.types.McpError ||
  (error instanceof sdk.StreamableHTTPError &&
    (error.code ?? 0) >= 400 &&
    (error.code ?? 0) < 500) ||
  (error instanceof Error && error.message === 'Not connected')

const mayHaveActed = (code: ToolErrorCode, message: string): ToolError =>
  new ToolError(code, message, { mayHaveActed: true })
