import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import type * as Types from '@modelcontextprotocol/sdk/types.js'

/** The parts of the SDK in use, loaded with the first connection. */
export interface Sdk {
  readonly Client: typeof Client
  readonly StdioClientTransport: typeof StdioClientTransport
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport
  readonly StreamableHTTPError: typeof StreamableHTTPError
  readonly UnauthorizedError: typeof UnauthorizedError
  readonly types: typeof Types
}

export async function loadSdk(): Promise<Sdk> {
  const [client, stdio, http, auth, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/client/auth.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  return {
    Client: client.Client,
    StdioClientTransport: stdio.StdioClientTransport,
    StreamableHTTPClientTransport: http.StreamableHTTPClientTransport,
    StreamableHTTPError: http.StreamableHTTPError,
    UnauthorizedError: auth.UnauthorizedError,
    types,
  }
}
