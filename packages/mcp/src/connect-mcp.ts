import { systemClock } from 'echelon/internal/host'
import type { McpConnection } from './connect.ts'
import type { McpOptions } from './options.ts'
import type { McpServer } from './server.ts'

/**
 * Connects to an MCP server, a program or an address, and has its tools. What they do not declare
 * to be read-only asks the user before each call, unless `trust` or `rules` say otherwise: what a
 * server says about its tools nobody has checked.
 *
 * A lost connection is made anew, within bounds; a call meanwhile waits a little, then fails. Close
 * the connection (`await using` does): a program that it runs keeps this one alive.
 * @throws EchelonError SERVER_UNREACHABLE, INVALID_DEFINITION
 */
export async function connectMcp(
  server: McpServer,
  options: McpOptions = {},
): Promise<McpConnection> {
  const { connect } = await import('./connect.ts')
  return connect(server, { clock: systemClock, ...options })
}
