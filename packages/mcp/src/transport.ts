import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { fetchFor } from './fetch-for.ts'
import type { OAuth } from './oauth.ts'
import type { Sdk } from './sdk.ts'
import { isProgram, type McpAddress, type McpProgram, type McpServer } from './server.ts'

/** A way to a server, not yet used. */
export interface Way {
  readonly transport: Transport
  /** The end of what a program wrote to its standard error. */
  said(): string
  /** Goes on with the code of whoever signed in. */
  finishAuth?(code: string): Promise<void>
  /** Tells a server that keeps sessions that this one is over. */
  leave?(): Promise<void>
}

/** A new way to the same server. */
export function wayTo(sdk: Sdk, server: McpServer, oauth: OAuth | undefined): Way {
  return isProgram(server) ? toProgram(sdk, server) : toAddress(sdk, server, oauth)
}

const MOST_SAID = 4000

function toProgram(sdk: Sdk, { command, args = [], env, cwd }: McpProgram): Way {
  const transport = new sdk.StdioClientTransport({
    command,
    args: [...args],
    stderr: 'pipe',
    ...(env !== undefined && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
  })
  let said = ''
  // Read in any case, or the program would stand still once the pipe is full.
  transport.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-MOST_SAID)
  })
  return { transport, said: () => withoutValues(said, Object.values(env ?? {})) }
}

/** What a program was given by name is nobody else's to read. */
function withoutValues(text: string, values: readonly string[]): string {
  return values.reduce(
    (left, value) => (value.length < 6 ? left : left.replaceAll(value, '[redacted]')),
    text,
  )
}

function toAddress(sdk: Sdk, server: McpAddress, oauth: OAuth | undefined): Way {
  const { url, headers } = server
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    fetch: fetchFor(server),
    ...(headers !== undefined && { requestInit: { headers: { ...headers } } }),
    ...(oauth !== undefined && { authProvider: oauth }),
  })
  return {
    transport,
    said: () => '',
    finishAuth: (code) => transport.finishAuth(code),
    leave: () => transport.terminateSession(),
  }
}
