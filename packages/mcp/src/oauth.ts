import { randomUUID } from 'node:crypto'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { EchelonError, isJson, isJsonObject, isRecord } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { McpAuth } from './auth.ts'
import { type Loopback, openLoopback } from './loopback.ts'

/**
 * OAuth client for the SDK. Registration and tokens come from the store. The user is sent to the
 * sign-in page only between `begin` and `end`, never during a call.
 */
export class OAuth implements OAuthClientProvider {
  readonly #server: string
  readonly #auth: McpAuth
  #loopback: Loopback | undefined
  #address = 'http://127.0.0.1/callback'
  #verifier = ''
  #state = ''
  #code: Promise<string> | undefined

  /** @param url of the server; the key in the store */
  constructor(url: string, auth: McpAuth) {
    this.#server = new URL(url).href
    this.#auth = auth
  }

  /** Allows sending the user to the sign-in page. */
  async begin(): Promise<void> {
    if (this.#auth.authorize === undefined) return
    this.#loopback = await this.#open()
    this.#address = this.#loopback.address
  }

  /** Resolves with the authorization code, if the user was sent to the sign-in page. */
  get code(): Promise<string> | undefined {
    return this.#code
  }

  end(): void {
    this.#loopback?.close()
    this.#loopback = undefined
    this.#code = undefined
  }

  get redirectUrl(): string {
    return this.#address
  }

  get clientMetadata(): OAuthClientMetadata {
    const { clientSecret, scope } = this.#auth
    return {
      client_name: 'Echelon',
      redirect_uris: [this.#address],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(scope !== undefined && { scope }),
    }
  }

  state(): string {
    this.#state = randomUUID()
    return this.#state
  }

  async clientInformation(): Promise<OAuthClientInformationMixed | undefined> {
    const { clientId, clientSecret } = this.#auth
    if (clientId !== undefined) {
      return {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
      }
    }
    const client = (await this.#stored())['client']
    if (!isRegistered(client)) return undefined
    // Registered for another port: the server would refuse this redirect address.
    const isOtherPort = this.#loopback !== undefined && !redirects(client).includes(this.#address)
    return isOtherPort ? undefined : client
  }

  async saveClientInformation(client: OAuthClientInformationMixed): Promise<void> {
    if (this.#auth.clientId === undefined) await this.#save({ client: toPlainJson(client) })
  }

  async tokens(): Promise<OAuthTokens | undefined> {
    const { tokens } = await this.#stored()
    return isTokens(tokens) ? tokens : undefined
  }

  saveTokens(tokens: OAuthTokens): Promise<void> {
    return this.#save({ tokens: toPlainJson(tokens) })
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  async invalidateCredentials(what: string): Promise<void> {
    if (what === 'all' || what === 'client') await this.#save({ client: null })
    if (what === 'all' || what === 'tokens') await this.#save({ tokens: null })
  }

  /** @throws EchelonError SERVER_UNREACHABLE if the user may not be asked to sign in */
  async redirectToAuthorization(page: URL): Promise<void> {
    const { authorize } = this.#auth
    if (authorize === undefined || this.#loopback === undefined) throw signInRequired()
    // The server chooses the page. Accept plain HTTP only if the server itself uses it, on this
    // machine.
    if (page.protocol !== 'https:' && page.protocol !== new URL(this.#server).protocol) {
      throw signInRequired()
    }
    this.#code = this.#loopback.code(this.#state)
    // It may reject before anything awaits it.
    this.#code.catch(() => undefined)
    await authorize(page)
  }

  async #open(): Promise<Loopback> {
    const { redirectPort } = this.#auth
    if (redirectPort !== undefined) return openLoopback(redirectPort)
    const client = (await this.#stored())['client']
    const port = isRegistered(client) ? Number(URL.parse(redirects(client)[0] ?? '')?.port) : 0
    // If the registered port is taken, register a new client on a free one.
    return openLoopback(port || 0).catch(() => openLoopback(0))
  }

  async #stored(): Promise<JsonObject> {
    const stored = await this.#auth.store.read(this.#server)
    return stored !== undefined && isJsonObject(stored) ? stored : {}
  }

  async #save(change: JsonObject): Promise<void> {
    await this.#auth.store.write(this.#server, { ...(await this.#stored()), ...change })
  }
}

const signInRequired = (): EchelonError =>
  new EchelonError('SERVER_UNREACHABLE', 'sign-in is required, and the user cannot be asked now')

/** Drops what JSON cannot hold, such as fields that are `undefined`. */
function toPlainJson(value: unknown): Json {
  const copy: unknown = JSON.parse(JSON.stringify(value))
  return isJson(copy) ? copy : null
}

const isTokens = (value: unknown): value is OAuthTokens =>
  isRecord(value) &&
  typeof value['access_token'] === 'string' &&
  typeof value['token_type'] === 'string'

const isRegistered = (value: unknown): value is OAuthClientInformationMixed =>
  isRecord(value) && typeof value['client_id'] === 'string'

const redirects = (client: OAuthClientInformationMixed): readonly string[] =>
  'redirect_uris' in client ? client.redirect_uris : []
