import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { pause, within } from 'echelon/internal/value'
import { EchelonError } from 'echelon/internal/value'
import { waitBeforeRetry } from 'echelon/internal/model'
import { ToolError } from 'echelon/internal/tool'
import { type Asking, elicit } from './elicitation.ts'
import { isSessionGone, whyNot } from './failure.ts'
import { type Listed, listTools } from './listing.ts'
import { OAuth } from './oauth.ts'
import { DEFAULT_RECONNECT, type McpOptions, type McpState } from './options.ts'
import type { Sdk } from './sdk.ts'
import { isProgram, type McpServer } from './server.ts'
import { type Way, wayTo } from './transport.ts'

const CLIENT = { name: 'echelon', version: '0.1.0' }
/** How long a call waits for a connection that is made anew. */
const WAIT_MS = 5000
const PING_MS = 5000
const LEAVE_MS = 1000
/** Between two lists of tools that a server says are new. */
const RELIST_MS = 1000
/** How long a server may take to hear that a call was given up. */
const LATE_MS = 30_000
const SIGN_IN_MS = 5 * 60_000

/** A call that is under way. */
export interface UnderWay extends Asking {
  /** By which the server says whose progress it tells. */
  readonly token: string
  onProgress(progress: Progress): void
}

interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

type Options = McpOptions & Required<Pick<McpOptions, 'clock'>>

/** The connection to one server: made, watched, made anew when it is lost, and closed. */
export class Link {
  /** The calls that are under way. */
  readonly calls: Set<UnderWay> = new Set()
  /** Those that were given up of late: their server may still ask on their behalf. */
  #givenUp: readonly (Asking & { readonly until: number })[] = []
  readonly #sdk: Sdk
  readonly #server: McpServer
  readonly #options: Options
  readonly #oauth: OAuth | undefined
  readonly #onTools: (tools: readonly Listed[]) => void
  readonly #over = new AbortController()
  #client: Client | undefined
  #way: Way | undefined
  #state: McpState = 'down'
  #why = 'it was not connected yet'
  #recovering: Promise<void> | undefined
  #isChecking = false
  #isListing = false
  #isStale = false

  /** @param onTools hears which tools there are, each time they were listed */
  constructor(
    sdk: Sdk,
    server: McpServer,
    options: Options,
    onTools: (tools: readonly Listed[]) => void,
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
   * The client of now; one that was lost is waited for, for a while.
   * @throws ToolError while there is none
   */
  async #ready(): Promise<Client> {
    if (this.#client !== undefined) return this.#client
    const { name } = this.#server
    if (this.#state === 'closed') throw new ToolError('TOOL_ERROR', `${name} was closed`)
    await within(this.#options.clock, WAIT_MS, this.#comeBack())
    if (this.#client !== undefined) return this.#client
    const hope = this.#state === 'reconnecting' ? '; it is being reconnected' : ''
    throw new ToolError('NET_TIMEOUT', `${name} is not there (${this.#why})${hope}`)
  }

  /**
   * Connects, now and once; the user may be asked to sign in.
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
      this.#tell('down', this.#reason(error))
      throw this.#unreachable(this.#why, error)
    }
  }

  /**
   * Something asked of the server. What it did not do because it has forgotten our session is asked
   * once more in a new one.
   */
  async ask<Answer>(question: (client: Client) => Promise<Answer>): Promise<Answer> {
    const client = await this.#ready()
    try {
      return await question(client)
    } catch (error) {
      if (!isSessionGone(this.#sdk, error)) throw error
      if (client === this.#client) await client.close()
      return await question(await this.#ready())
    }
  }

  /** A call is over. */
  leave(call: UnderWay, isGivenUp: boolean): void {
    this.calls.delete(call)
    if (!isGivenUp) return
    const { key } = call.context
    const until = this.#options.clock.now() + LATE_MS
    // Nobody is asked any more; and nobody else is, in the place of whoever called.
    const late = { context: { key, ask: undefined }, questions: 0, until }
    this.#givenUp = [...this.#lateCalls, late]
  }

  get #lateCalls(): readonly (Asking & { readonly until: number })[] {
    const now = this.#options.clock.now()
    return this.#givenUp.filter(({ until }) => until > now)
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    const client = this.#client
    this.#client = undefined
    this.#over.abort()
    this.#tell('closed', 'it was closed')
    const leaving = client && this.#way?.leave?.().catch(() => undefined)
    if (leaving !== undefined) await within(this.#options.clock, LEAVE_MS, leaving)
    await client?.close()
    await this.#recovering
  }

  async #open(mayAsk: boolean): Promise<void> {
    const oauth = this.#oauth
    const way = this.#newWay()
    if (oauth === undefined || !mayAsk) return this.#enter(way)
    await oauth.begin()
    try {
      await this.#enter(way)
    } catch (error) {
      if (oauth.code === undefined) throw error
      await way.finishAuth?.(await this.#signedIn(oauth.code))
      await this.#enter(this.#newWay())
    } finally {
      oauth.end()
    }
  }

  #newWay(): Way {
    this.#way = wayTo(this.#sdk, this.#server, this.#oauth)
    return this.#way
  }

  async #signedIn(code: Promise<string>): Promise<string> {
    const { clock } = this.#options
    const auth = isProgram(this.#server) ? undefined : this.#server.auth
    const ms = auth?.timeoutMs ?? SIGN_IN_MS
    const over = new AbortController()
    const late = pause(clock, ms, AbortSignal.any([this.#given, over.signal])).then(() => undefined)
    const come = await Promise.race([code, late]).finally(() => over.abort())
    if (come !== undefined) return come
    throw new EchelonError('SERVER_UNREACHABLE', 'nobody has signed in in time')
  }

  /** What gives up connecting. */
  get #given(): AbortSignal {
    const { signal } = this.#options
    return signal === undefined ? this.#over.signal : AbortSignal.any([this.#over.signal, signal])
  }

  async #enter({ transport }: Way): Promise<void> {
    const { Client, types } = this.#sdk
    const capabilities = { elicitation: { form: { applyDefaults: true } } }
    const client = new Client(CLIENT, { capabilities })
    client.setRequestHandler(types.ElicitRequestSchema, ({ params }) =>
      elicit(this.#server.name, params, [...this.#lateCalls, ...this.calls]),
    )
    client.setNotificationHandler(types.ToolListChangedNotificationSchema, () =>
      this.#listAgain(client),
    )
    // Not by the SDK's own tokens, which it forgets before it has told what came along with the answer.
    client.setNotificationHandler(types.ProgressNotificationSchema, ({ params }) => {
      for (const call of this.calls) {
        if (call.token === params.progressToken) call.onProgress(params)
      }
    })
    Object.assign(client, {
      onclose: () => this.#lost(client),
      ...(!isProgram(this.#server) && { onerror: () => void this.#check(client) }),
    })
    // The SDK goes on listening to a signal when all is done: this one ends with the attempt.
    const attempt = new AbortController()
    const given = this.#given
    const giveUp = (): void => attempt.abort(given.reason)
    given.addEventListener('abort', giveUp)
    const limits = { timeout: this.#connectTimeoutMs, signal: attempt.signal }
    try {
      given.throwIfAborted()
      await client.connect(transport, limits)
      const tools = await listTools(this.#sdk, client, limits)
      given.throwIfAborted()
      // Somebody may have asked for a connection while a lost one was made anew.
      void this.#client?.close()
      this.#client = client
      this.#tell('connected', 'it is connected')
      this.#onTools(tools)
    } catch (error) {
      await client.close().catch(() => undefined)
      throw error
    } finally {
      given.removeEventListener('abort', giveUp)
    }
  }

  get #connectTimeoutMs(): number {
    return this.#options.connectTimeoutMs ?? 30_000
  }

  /**
   * A server that says that its tools changed; what it does not list then stays as it was. However
   * often it says so, it is asked one time after the other, and not at once again.
   */
  async #listAgain(client: Client): Promise<void> {
    this.#isStale = true
    if (this.#isListing) return
    this.#isListing = true
    const limits = { timeout: this.#connectTimeoutMs }
    while (this.#isStale && client === this.#client) {
      this.#isStale = false
      const tools = await listTools(this.#sdk, client, limits).catch(() => undefined)
      if (tools !== undefined && client === this.#client) this.#onTools(tools)
      if (this.#isStale) await pause(this.#options.clock, RELIST_MS, this.#over.signal)
    }
    this.#isListing = false
  }

  /** An address does not say that it is gone: whoever waits for an answer would wait for ever. */
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
    // Whoever answers from now on has not heard of those calls.
    this.#givenUp = []
    void this.#comeBack()
  }

  /** Makes the connection anew, or waits for whoever does. */
  #comeBack(): Promise<void> {
    if (this.#recovering !== undefined) return this.#recovering
    // What is given up at once is over before it is kept.
    const recovering = this.#recover().finally(() => {
      if (this.#recovering === recovering) this.#recovering = undefined
    })
    this.#recovering = recovering
    return recovering
  }

  async #recover(): Promise<void> {
    const { reconnect = DEFAULT_RECONNECT, clock, random = Math.random } = this.#options
    let reason = this.#reason(new Error('the connection was lost'))
    this.#tell('reconnecting', reason)
    for (let attempts = 1; !this.#over.signal.aborted; attempts++) {
      const problem = { code: 'unavailable', message: reason, retryable: true, attempts } as const
      const waitMs = waitBeforeRetry(reconnect, problem, random())
      if (waitMs === undefined) break
      await pause(clock, waitMs, this.#over.signal)
      if (this.#over.signal.aborted) return
      try {
        await this.#open(false)
        this.#recovering = undefined
        return
      } catch (error) {
        reason = this.#reason(error)
      }
    }
    if (!this.#over.signal.aborted) this.#tell('down', reason)
  }

  #reason(error: unknown): string {
    return whyNot(this.#sdk, this.#server, error, this.#way?.said() ?? '')
  }

  #tell(state: McpState, why: string): void {
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
