import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DemoInMemoryAuthProvider } from '@modelcontextprotocol/sdk/examples/server/demoInMemoryOAuthProvider.js'
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js'
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { freePort } from './peers.ts'

/** A real server with sessions, made with the SDK. It offers no stream of its own. */
export interface SessionServer extends AsyncDisposable {
  readonly url: string
  /** Number of calls of its tool `count`. */
  readonly calls: number
  /** Forgets every session, like a restarted server. */
  forget(): void
}

type Request = IncomingMessage & { readonly body: unknown }

/** @param provider requires sign-in; without it the server is open */
export async function startSessions(provider?: OAuthServerProvider): Promise<SessionServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  let calls = 0
  const port = await freePort()
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  const app = createMcpExpressApp()
  if (provider !== undefined) {
    app.use(mcpAuthRouter({ provider, issuerUrl: new URL(url.origin), resourceServerUrl: url }))
    const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(url)
    app.use('/mcp', requireBearerAuth({ verifier: provider, resourceMetadataUrl }))
  }
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    const server = new McpServer({ name: 'sessions', version: '1' })
    server.registerTool('count', { description: 'counts' }, () => ({
      content: [{ type: 'text', text: String(++calls) }],
    }))
    await server.connect(transport)
    return transport
  }
  const answer = async (request: Request, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id) : await begin()
    if (known === undefined) response.writeHead(404).end('{}')
    else await known.handleRequest(request, response, request.body)
  }
  app.post('/mcp', (request: Request, response: ServerResponse) => void answer(request, response))
  app.all('/mcp', (_: Request, response: ServerResponse) => void response.writeHead(405).end())
  const listening = app.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  return {
    url: url.href,
    get calls() {
      return calls
    },
    forget: () => sessions.clear(),
    async [Symbol.asyncDispose]() {
      const closed = once(listening, 'close')
      listening.close()
      listening.closeAllConnections()
      await closed
    },
  }
}

/** Signs every user in. Tokens can be refreshed and revoked. */
export class SignIn extends DemoInMemoryAuthProvider {
  refreshed = 0
  readonly #access = new Set<string>()
  readonly #refresh = new Set<string>()

  override async exchangeAuthorizationCode(
    ...given: Parameters<DemoInMemoryAuthProvider['exchangeAuthorizationCode']>
  ): Promise<OAuthTokens> {
    await super.exchangeAuthorizationCode(...given)
    return this.#tokens()
  }

  override async exchangeRefreshToken(_: unknown, refreshToken: string): Promise<OAuthTokens> {
    assert.ok(this.#refresh.delete(refreshToken))
    this.refreshed++
    return this.#tokens()
  }

  override async verifyAccessToken(token: string): Promise<AuthInfo> {
    if (!this.#access.has(token)) throw new InvalidTokenError('it is expired')
    const expiresAt = Date.now() / 1000 + 60
    return { token, clientId: 'any', scopes: [], expiresAt }
  }

  /** Expires all access tokens. */
  expire(): void {
    this.#access.clear()
  }

  #tokens(): OAuthTokens {
    const tokens = { access_token: randomUUID(), refresh_token: randomUUID(), token_type: 'bearer' }
    this.#access.add(tokens.access_token)
    this.#refresh.add(tokens.refresh_token)
    return tokens
  }
}
