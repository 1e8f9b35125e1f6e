import { randomUUID } from 'node:crypto'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { EchelonError } from 'echelon/internal/value'
import { isJson, isJsonObject, isRecord } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { McpAuth } from './auth.ts'
import { type Loopback, openLoopback } from './loopback.ts'

/**
 * What the SDK asks of a client that signs in: registration and tokens come from the store, and the
 * user is sent to the server's page only while `begin` … `end`. In mid-call nobody is.
 */
export class OAuth implements OAuthClientProvider {
  readonly #server: string
  readonly #auth: McpAuth
  #loopback: Loopback | undefined
  #address = 'http://127.0.0.1/callback'
  #verifier = ''
  #state = ''
  #code: Promise<string> | undefined

  /** @param url of the server, by which the store knows what is whose */
  constructor(url: string, auth: McpAuth) {
    this.#server = new URL(url).href
    this.#auth = auth
  }

  /** From now on the user may be sent to sign in. */
  async begin(): Promise<void> {
    if (this.#auth.authorize === undefined) return
    this.#loopback = await this.#open()
    this.#address = this.#loopback.address
  }

  /** The code of the user who was sent to sign in; nothing when nobody was. */
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
    const client = (await this.#kept())['client']
    if (!isRegistered(client)) return undefined
    // Registered for another port: the server would not send the browser back to this one.
    const isElsewhere = this.#loopback !== undefined && !redirects(client).includes(this.#address)
    return isElsewhere ? undefined : client
  }

  async saveClientInformation(client: OAuthClientInformationMixed): Promise<void> {
    if (this.#auth.clientId === undefined) await this.#keep({ client: plain(client) })
  }

  async tokens(): Promise<OAuthTokens | undefined> {
    const { tokens } = await this.#kept()
    return isTokens(tokens) ? tokens : undefined
  }

  saveTokens(tokens: OAuthTokens): Promise<void> {
    return this.#keep({ tokens: plain(tokens) })
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  async invalidateCredentials(what: string): Promise<void> {
    if (what === 'all' || what === 'client') await this.#keep({ client: null })
    if (what === 'all' || what === 'tokens') await this.#keep({ tokens: null })
  }

  /** @throws EchelonError SERVER_UNREACHABLE where nobody may be asked to sign in */
  async redirectToAuthorization(page: URL): Promise<void> {
    const { authorize } = this.#auth
    if (authorize === undefined || this.#loopback === undefined) throw signInAgain()
    // What is opened is the server's word. Without TLS only as it is itself, on this machine.
    if (page.protocol !== 'https:' && page.protocol !== new URL(this.#server).protocol) {
      throw signInAgain()
    }
    this.#code = this.#loopback.code(this.#state)
    // It may be refused before anybody waits for it.
    this.#code.catch(() => undefined)
    await authorize(page)
  }

  async #open(): Promise<Loopback> {
    const { redirectPort } = this.#auth
    if (redirectPort !== undefined) return openLoopback(redirectPort)
    const client = (await this.#kept())['client']
    const port = isRegistered(client) ? Number(URL.parse(redirects(client)[0] ?? '')?.port) : 0
    // The registered port may be taken by now; then a client is registered anew.
    return openLoopback(port || 0).catch(() => openLoopback(0))
  }

  async #kept(): Promise<JsonObject> {
    const kept = await this.#auth.store.read(this.#server)
    return kept !== undefined && isJsonObject(kept) ? kept : {}
  }

  async #keep(change: JsonObject): Promise<void> {
    await this.#auth.store.write(this.#server, { ...(await this.#kept()), ...change })
  }
}

const signInAgain = (): EchelonError =>
  new EchelonError('SERVER_UNREACHABLE', 'somebody has to sign in, and nobody can be asked to now')

/** Without what JSON does not hold, such as fields that are `undefined`. */
function plain(value: unknown): Json {
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
