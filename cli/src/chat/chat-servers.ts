import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'
import type { GlobalOptions } from '../configuration.ts'
import { type ConnectedServers, connectServers, NO_SERVERS } from '../mcp/connect-servers.ts'
import { serversPath } from '../mcp/servers-file.ts'
import type { ToolChoice } from './chat-tools.ts'
import type { TurnDisplay } from '../conversation/display.ts'
import type { Io } from '../io.ts'

/** The MCP servers of the project, unless no tools are wanted. */
export function chatServers(
  io: Io,
  options: GlobalOptions & ToolChoice,
  display: Pick<TurnDisplay, 'complain'>,
): Promise<ConnectedServers> {
  const complain = (line: string): void => display.complain(clean(line))
  const note = (line: string): void => void io.stderr.write(`${pc.dim(clean(line))}\n`)
  if (options.tools === false) return Promise.resolve(NO_SERVERS)
  return connectServers(io, serversPath(options), { note, complain })
}
