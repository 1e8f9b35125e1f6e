import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { LOCAL } from '../access/principal.ts'
import type { AgentServer } from '../compose/create-server.ts'
import { agentsServer } from './agents-server.ts'

export interface McpStdioOptions {
  /** Default the process's. */
  readonly input?: Readable
  /** Default the process's. Nothing else may be written to it. */
  readonly output?: Writable
}

/**
 * Serves the agents of a server over standard input and output, to the program that started this one. It need
 * not listen. Resolves when the input ends.
 */
export async function serveMcpStdio(
  { context }: Pick<AgentServer, 'context'>,
  { input = process.stdin, output = process.stdout }: McpStdioOptions = {},
): Promise<void> {
  const server = agentsServer(LOCAL, context)
  const transport = new StdioServerTransport(input, output)
  const closed = new Promise<void>((resolve) => {
    // It has one such listener, which is a property.
    Object.assign(server.server, { onclose: resolve })
    input.once('end', () => void server.close())
    output.once('error', () => void server.close())
  })
  await server.connect(transport)
  await closed
}
