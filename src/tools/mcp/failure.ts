import { EchelonError } from '../../core/error.ts'
import { ToolError } from '../../core/tool.ts'
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

/** What the SDK says, without its prefix. */
function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const plain = message.replace(/^(MCP error -?\d+|Streamable HTTP error): /, '')
  if (plain === 'Connection closed') return 'the connection was closed'
  return bounded(plain.replaceAll(/\s+/g, ' ').trim(), MOST_CHARACTERS)
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

/** What went wrong with a call, for the model. */
export interface FailedCall {
  readonly server: string
  readonly tool: string
  /** Whether it changes the world, so that it matters whether it was done. */
  readonly acts: boolean
}

/** An error of the protocol or of the way to the server, as that of a tool. */
export function toolError(sdk: Sdk, error: unknown, call: FailedCall): ToolError {
  if (error instanceof ToolError) return error
  const { server, tool, acts } = call
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
  if (code === RequestTimeout) return new ToolError('NET_TIMEOUT', `${server} took too long`)
  if (code === 429) return new ToolError('RATE_LIMIT', `${server} asks to slow down`)
  const cause = causeOf(error)
  if (code === ConnectionClosed || cause !== undefined) {
    const doubt = acts
      ? `; whether ${tool} was done is not known, so look before you repeat it`
      : ''
    return new ToolError('NET_TIMEOUT', `the connection to ${server} was lost in mid-call${doubt}`)
  }
  return new ToolError('TOOL_ERROR', `${tool}: ${sentence(error)}`)
}
