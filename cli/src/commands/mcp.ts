import { Command } from 'commander'
import { serveMcpStdio } from '@echelon/server'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { openServer, type OpenServerOptions } from '../serve/open-server.ts'
import type { Io } from '../io.ts'

/** `echelon mcp [AGENT...]`: all agents as tools of an MCP host, over standard input and output. */
export function mcpCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('mcp')
    .description('serve all agents to an MCP host over standard input and output')
    .argument('[agents...]', 'files with agents of your own')
    .option('--store <file>', 'file for runs and conversations; default: .echelon/echelon.db')
    .action(async (files: readonly string[], _: unknown, called: Command) => {
      const { server, close } = await openServer(
        io,
        files,
        called.optsWithGlobals<OpenServerOptions>(),
      )
      try {
        await serveMcpStdio(server, { input: io.stdin, output: io.stdout })
        await server.stop()
      } finally {
        await close()
      }
      finish(EXIT.success)
    })
}
