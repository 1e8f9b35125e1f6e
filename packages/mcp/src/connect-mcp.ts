import { systemClock } from 'echelon/internal/platform'
import type { McpConnection } from './connect.ts'
import type { McpOptions } from './options.ts'
import type { McpServer } from './server.ts'

/**
 * Connects to an MCP server, a program or a URL, and lists its tools. A server's claims about its
 * tools are not trusted: a tool that is not declared read-only asks the user before each call, unless
 * `trust` or `rules` say otherwise.
 *
 * A lost connection is reopened, with a limited number of tries. Meanwhile a call waits up to 5 s,
 * then fails. Close the connection (`await using` does): a program that it started keeps this
 * process alive.
 * @throws EchelonError SERVER_UNREACHABLE, INVALID_DEFINITION
 */
export async function connectMcp(
  server: McpServer,
  options: McpOptions = {},
): Promise<McpConnection> {
  const { connect } = await import('./connect.ts')
  return connect(server, { clock: systemClock, ...options })
}
