import { EchelonError } from 'echelon/internal/value'
import type { McpAuth } from './auth.ts'

/** A server that is started as a program and uses standard input and output. */
export interface McpProgram {
  /**
   * Prefix of its tools: `files` gives `files_read_file`. Letters, digits, `_` and `-`, at most 32.
   */
  readonly name: string
  /** The program, looked up in PATH. No shell is used. */
  readonly command: string
  readonly args?: readonly string[]
  /**
   * Its environment, in addition to HOME, LOGNAME, PATH, SHELL, TERM and USER (their equivalents on
   * Windows). It inherits nothing else from this process.
   */
  readonly env?: Readonly<Record<string, string>>
  /** Working directory; default that of this process. */
  readonly cwd?: string
}

/** A server at a URL, over streamable HTTP. */
export interface McpAddress {
  /** Prefix of its tools, as for a program. */
  readonly name: string
  /**
   * The endpoint, such as `https://example.com/mcp`. Plain HTTP only without `headers` and `auth`,
   * or on this machine.
   */
  readonly url: string
  /** Sent with each request, for example an API key. */
  readonly headers?: Readonly<Record<string, string>>
  /** OAuth, for a server that requires the user to sign in. */
  readonly auth?: McpAuth
}

/** An MCP server: a program or a URL. */
export type McpServer = McpProgram | McpAddress

export const isProgram = (server: McpServer): server is McpProgram => 'command' in server

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,31}$/

/** @throws EchelonError INVALID_DEFINITION for an invalid name or an invalid or unsafe address */
export function checkServer(server: McpServer): void {
  if (!NAME.test(server.name)) {
    throw new EchelonError(
      'INVALID_DEFINITION',
      `an MCP server cannot be called ${JSON.stringify(server.name)}; use letters, digits, _ and -, at most 32, a letter first`,
    )
  }
  if (isProgram(server)) {
    if (server.command.trim() === '') throw invalid(server, 'has no command; name its program')
    return
  }
  const url = URL.parse(server.url)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalid(server, `cannot be reached at ${server.url}; give an address such as https://…`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(server, 'has a password in its address; send it as a header')
  }
  const isSecret = server.headers !== undefined || server.auth !== undefined
  if (isSecret && url.protocol === 'http:' && !isLoopback(url)) {
    throw invalid(server, `would be sent secrets unencrypted; use https instead of ${url.origin}`)
  }
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)

const invalid = ({ name }: McpServer, what: string): EchelonError =>
  new EchelonError('INVALID_DEFINITION', `the MCP server ${name} ${what}`)
