import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { pause, within, EchelonError } from 'echelon/internal/value'
import { waitBeforeRetry } from 'echelon/internal/model'
import { ToolError } from 'echelon/internal/tool'
import { type ElicitingCall, elicit } from './elicitation.ts'
import { isSessionGone, connectionError } from './failure.ts'
import { type ListedTool, listTools } from './listing.ts'
import { OAuth } from './oauth.ts'
import { DEFAULT_RECONNECT, type McpOptions, type McpState } from './options.ts'
import type { Sdk } from './sdk.ts'
import { isProgram, type McpServer } from './server.ts'
import { type ServerTransport, openTransport } from './transport.ts'

const CLIENT = { name: 'echelon', version: '0.1.0' }
/** Maximum time that a call waits for a reconnect. */
const RECONNECT_WAIT_MS = 5000
const PING_MS = 5000
const TERMINATE_MS = 1000
/** Minimum pause between two tool listings when the server reports changes. */
const RELIST_MS = 1000
/** Time after an abort in which the server may still ask on behalf of the call. */
const ABORT_GRACE_MS = 30_000
const SIGN_IN_MS = 5 * 60_000

/** A tool call in progress. */
export interface ActiveCall extends ElicitingCall {
  /** Identifies the call in the server's progress notifications. */
  readonly token: string
  onProgress(progress: Progress): void
}

interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

type Options = McpOptions & Required<Pick<McpOptions, 'clock'>>

/** The connection to one server. Detects a lost connection and reconnects. */
export class Link {
  /** The calls in progress. */
  readonly calls: Set<ActiveCall> = new Set()
  /** Recently aborted calls. The server may still ask on their behalf. */
  #aborted: readonly (ElicitingCall & { readonly until: number })[] = []
  readonly #sdk: Sdk
  readonly #server: McpServer
  readonly #options: Options
  readonly #oauth: OAuth | undefined
  readonly #onTools: (tools: readonly ListedTool[]) => void
  readonly #closing = new AbortController()
  #client: Client | undefined
  #transport: ServerTransport | undefined
  #state: McpState = 'down'
  #why = 'not connected yet'
  #recovering: Promise<void> | undefined
  #isChecking = false
  #isListing = false
  #isStale = false

  /** @param onTools called with the tools after each listing */
  constructor(
    sdk: Sdk,
    server: McpServer,
    options: Options,
    onTools: (tools: readonly ListedTool[]) => void,
  ) {
    this.#sdk = sdk
    this.#server = server
    this.#options = options
    this.#onTools = onTools
    const isAuthorized = !isProgram(server) && server.auth !== undefined
    this.#oauth = isAuthorized ? new OAuth(server.url, server.auth) : undefined
  }

  get state(): McpState {
    return this.#state
  }

  /**
   * The current client. Waits a limited time for a reconnect if the connection was lost.
   * @throws ToolError if no connection is available in time
   */
  async #connectedClient(): Promise<Client> {
    if (this.#client !== undefined) return this.#client
    const { name } = this.#server
    if (this.#state === 'closed') throw new ToolError('TOOL_ERROR', `${name} was closed`)
    await within(this.#options.clock, RECONNECT_WAIT_MS, this.#reconnect())
    if (this.#client !== undefined) return this.#client
    const hint = this.#state === 'reconnecting' ? '; it is being reconnected' : ''
    throw new ToolError('NET_TIMEOUT', `${name} is not connected (${this.#why})${hint}`)
  }

  /**
   * Makes one attempt to connect now. The user may be asked to sign in.
   * @throws EchelonError SERVER_UNREACHABLE
   */
  async connect(): Promise<void> {
    if (this.#state === 'closed') throw this.#unreachable('it was closed')
    const before = this.#client
    this.#client = undefined
    await before?.close()
    try {
      await this.#open(true)
    } catch (error) {
      this.#setState('down', this.#reason(error))
      throw this.#unreachable(this.#why, error)
    }
  }

  /**
   * Sends a request. If the server has forgotten the session, so that it did nothing, repeats the
   * request once in a new session.
   */
  async request<Answer>(send: (client: Client) => Promise<Answer>): Promise<Answer> {
    const client = await this.#connectedClient()
    try {
      return await send(client)
    } catch (error) {
      if (!isSessionGone(this.#sdk, error)) throw error
      if (client === this.#client) await client.close()
      return await send(await this.#connectedClient())
    }
  }

  /** Removes a finished call. */
  endCall(call: ActiveCall, isAborted: boolean): void {
    this.calls.delete(call)
    if (!isAborted) return
    const { key } = call.context
    const until = this.#options.clock.now() + ABORT_GRACE_MS
    // Without `ask` its late questions are canceled, and they are not put to the user of another
    // call.
    const aborted = { context: { key, ask: undefined }, questions: 0, until }
    this.#aborted = [...this.#recentlyAborted, aborted]
  }

  get #recentlyAborted(): readonly (ElicitingCall & { readonly until: number })[] {
    const now = this.#options.clock.now()
    return this.#aborted.filter(({ until }) => until > now)
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    const client = this.#client
    this.#client = undefined
    this.#closing.abort()
    this.#setState('closed', 'it was closed')
    const terminating = client && this.#transport?.terminateSession?.().catch(() => undefined)
    if (terminating !== undefined) await within(this.#options.clock, TERMINATE_MS, terminating)
    await client?.close()
    await this.#recovering
  }

  async #open(maySignIn: boolean): Promise<void> {
    const oauth = this.#oauth
    const transport = this.#newTransport()
    if (oauth === undefined || !maySignIn) return this.#initialize(transport)
    await oauth.begin()
    try {
      await this.#initialize(transport)
    } catch (error) {
      if (oauth.code === undefined) throw error
      await transport.finishAuth?.(await this.#awaitCode(oauth.code))
      await this.#initialize(this.#newTransport())
    } finally {
      oauth.end()
    }
  }

  #newTransport(): ServerTransport {
    this.#transport = openTransport(this.#sdk, this.#server, this.#oauth)
    return this.#transport
  }

  async #awaitCode(code: Promise<string>): Promise<string> {
    const { clock } = this.#options
    const auth = isProgram(this.#server) ? undefined : this.#server.auth
    const ms = auth?.timeoutMs ?? SIGN_IN_MS
    const settled = new AbortController()
    const timeout = pause(clock, ms, AbortSignal.any([this.#abortSignal, settled.signal])).then(
      () => undefined,
    )
    const received = await Promise.race([code, timeout]).finally(() => settled.abort())
    if (received !== undefined) return received
    throw new EchelonError('SERVER_UNREACHABLE', 'sign-in timed out')
  }

  /** Aborts an attempt to connect. */
  get #abortSignal(): AbortSignal {
    const { signal } = this.#options
    return signal === undefined
      ? this.#closing.signal
      : AbortSignal.any([this.#closing.signal, signal])
  }

  async #initialize({ transport }: ServerTransport): Promise<void> {
    const { Client, types } = this.#sdk
    const capabilities = { elicitation: { form: { applyDefaults: true } } }
    const client = new Client(CLIENT, { capabilities })
    client.setRequestHandler(types.ElicitRequestSchema, ({ params }) =>
      elicit(this.#server.name, params, [...this.#recentlyAborted, ...this.calls]),
    )
    client.setNotificationHandler(types.ToolListChangedNotificationSchema, () =>
      this.#relist(client),
    )
    // The SDK drops its own token when the answer arrives, and with it progress sent just before.
    client.setNotificationHandler(types.ProgressNotificationSchema, ({ params }) => {
      for (const call of this.calls) {
        if (call.token === params.progressToken) call.onProgress(params)
      }
    })
    Object.assign(client, {
      onclose: () => this.#lost(client),
      ...(!isProgram(this.#server) && { onerror: () => void this.#check(client) }),
    })
    // The SDK never removes its abort listeners, so each attempt gets a signal of its own.
    const attempt = new AbortController()
    const signal = this.#abortSignal
    const abort = (): void => attempt.abort(signal.reason)
    signal.addEventListener('abort', abort)
    const limits = { timeout: this.#connectTimeoutMs, signal: attempt.signal }
    try {
      signal.throwIfAborted()
      await client.connect(transport, limits)
      const tools = await listTools(this.#sdk, client, limits)
      signal.throwIfAborted()
      // `connect` may have been called during a reconnect.
      void this.#client?.close()
      this.#client = client
      this.#setState('connected', 'it is connected')
      this.#onTools(tools)
    } catch (error) {
      await client.close().catch(() => undefined)
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  get #connectTimeoutMs(): number {
    return this.#options.connectTimeoutMs ?? 30_000
  }

  /**
   * Lists the tools again after `tools/list_changed`. Runs one listing at a time, with a pause
   * between two. If listing fails, the tools stay as they were.
   */
  async #relist(client: Client): Promise<void> {
    this.#isStale = true
    if (this.#isListing) return
    this.#isListing = true
    const limits = { timeout: this.#connectTimeoutMs }
    while (this.#isStale && client === this.#client) {
      this.#isStale = false
      const tools = await listTools(this.#sdk, client, limits).catch(() => undefined)
      if (tools !== undefined && client === this.#client) this.#onTools(tools)
      if (this.#isStale) await pause(this.#options.clock, RELIST_MS, this.#closing.signal)
    }
    this.#isListing = false
  }

  /**
   * Pings after a transport error. HTTP does not report a lost server, and callers would wait
   * forever.
   */
  async #check(client: Client): Promise<void> {
    if (this.#isChecking || client !== this.#client) return
    this.#isChecking = true
    try {
      await client.ping({ timeout: PING_MS })
    } catch {
      await client.close()
    } finally {
      this.#isChecking = false
    }
  }

  #lost(client: Client): void {
    if (client !== this.#client) return
    this.#client = undefined
    // A new session does not know these calls.
    this.#aborted = []
    void this.#reconnect()
  }

  /** Starts a reconnect or returns the one in progress. */
  #reconnect(): Promise<void> {
    if (this.#recovering !== undefined) return this.#recovering
    // `#recover` may have finished before the assignment below.
    const recovering = this.#recover().finally(() => {
      if (this.#recovering === recovering) this.#recovering = undefined
    })
    this.#recovering = recovering
    return recovering
  }

  async #recover(): Promise<void> {
    const { reconnect = DEFAULT_RECONNECT, clock, random = Math.random } = this.#options
    let reason = this.#reason(new Error('the connection was lost'))
    this.#setState('reconnecting', reason)
    for (let attempts = 1; !this.#closing.signal.aborted; attempts++) {
      const problem = { code: 'unavailable', message: reason, retryable: true, attempts } as const
      const waitMs = waitBeforeRetry(reconnect, problem, random())
      if (waitMs === undefined) break
      await pause(clock, waitMs, this.#closing.signal)
      if (this.#closing.signal.aborted) return
      try {
        await this.#open(false)
        this.#recovering = undefined
        return
      } catch (error) {
        reason = this.#reason(error)
      }
    }
    if (!this.#closing.signal.aborted) this.#setState('down', reason)
  }

  #reason(error: unknown): string {
    return connectionError(this.#sdk, this.#server, error, this.#transport?.stderr() ?? '')
  }

  #setState(state: McpState, why: string): void {
    this.#state = state
    this.#why = why
    this.#options.onState?.(state, why)
  }

  #unreachable(why: string, cause?: unknown): EchelonError {
    return new EchelonError(
      'SERVER_UNREACHABLE',
      `the MCP server ${this.#server.name} cannot be used: ${why}`,
      { details: { server: this.#server.name }, cause },
    )
  }
}
