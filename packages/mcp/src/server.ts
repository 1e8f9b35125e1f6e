import { EchelonError } from 'echelon/internal/value'
import type { McpAuth } from './auth.ts'

/** A server that is started as a program, and spoken to over its standard input and output. */
export interface McpProgram {
  /** What its tools are called after: `files` makes `files_read_file`. Letters, digits, `_` and `-`, at most 32. */
  readonly name: string
  /** A program, found as a shell would find it; no shell is used. */
  readonly command: string
  readonly args?: readonly string[]
  /**
   * What it gets of an environment, besides HOME, LOGNAME, PATH, SHELL, TERM and USER (their like on
   * Windows). Nothing else of this process's environment reaches it.
   */
  readonly env?: Readonly<Record<string, string>>
  /** The folder that it runs in; default that of this process. */
  readonly cwd?: string
}

/** A server at an address, spoken to over streamable HTTP. */
export interface McpAddress {
  /** What its tools are called after, as with a program. */
  readonly name: string
  /** Where it listens, such as `https://example.com/mcp`. Without TLS only without `headers` and `auth`, or on this machine. */
  readonly url: string
  /** Sent with each request, such as a key. */
  readonly headers?: Readonly<Record<string, string>>
  /** OAuth, for a server that wants its user to sign in. */
  readonly auth?: McpAuth
}

/** Where an MCP server is. */
export type McpServer = McpProgram | McpAddress

export const isProgram = (server: McpServer): server is McpProgram => 'command' in server

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,31}$/

/** @throws EchelonError INVALID_DEFINITION for a name or an address that cannot work, or is not safe */
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
