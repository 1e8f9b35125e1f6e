import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { fetchFor } from './fetch-for.ts'
import type { OAuth } from './oauth.ts'
import type { Sdk } from './sdk.ts'
import { isProgram, type McpAddress, type McpProgram, type McpServer } from './server.ts'

/** A transport to a server, not yet started. */
export interface ServerTransport {
  readonly transport: Transport
  /**
   * The last 4,000 characters that a program wrote to standard error, without the values of `env`.
   */
  stderr(): string
  /** Completes sign-in with the authorization code. */
  finishAuth?(code: string): Promise<void>
  /** Ends the session on a server that keeps sessions. */
  terminateSession?(): Promise<void>
}

export function openTransport(
  sdk: Sdk,
  server: McpServer,
  oauth: OAuth | undefined,
): ServerTransport {
  return isProgram(server) ? programTransport(sdk, server) : httpTransport(sdk, server, oauth)
}

const MAX_STDERR_CHARACTERS = 4000

function programTransport(sdk: Sdk, { command, args = [], env, cwd }: McpProgram): ServerTransport {
  const transport = new sdk.StdioClientTransport({
    command,
    args: [...args],
    stderr: 'pipe',
    ...(env !== undefined && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
  })
  let stderr = ''
  // Always read: the program would block once the pipe is full.
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-MAX_STDERR_CHARACTERS)
  })
  return { transport, stderr: () => redacted(stderr, Object.values(env ?? {})) }
}

/** Removes the values of `env`, which may be secrets. Values under 6 characters stay. */
function redacted(text: string, values: readonly string[]): string {
  return values.reduce(
    (left, value) => (value.length < 6 ? left : left.replaceAll(value, '[redacted]')),
    text,
  )
}

function httpTransport(sdk: Sdk, server: McpAddress, oauth: OAuth | undefined): ServerTransport {
  const { url, headers } = server
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    fetch: fetchFor(server),
    ...(headers !== undefined && { requestInit: { headers: { ...headers } } }),
    ...(oauth !== undefined && { authProvider: oauth }),
  })
  return {
    transport,
    stderr: () => '',
    finishAuth: (code) => transport.finishAuth(code),
    terminateSession: () => transport.terminateSession(),
  }
}
