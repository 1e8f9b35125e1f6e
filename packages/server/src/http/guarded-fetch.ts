import { lookup } from 'node:dns'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { HttpProblem } from './problem.ts'

export interface GuardedFetchOptions {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Default 10 MB. */
  readonly maxBytes?: number
  /** For the whole request, redirects included. Default 15,000. */
  readonly timeoutMs?: number
  /** Default 3. A `POST` follows none. */
  readonly maxRedirects?: number
  readonly signal?: AbortSignal
  /** Whether an address may be reached. Default: only public ones. For tests. */
  readonly mayReach?: (address: string) => boolean
}

export interface Fetched {
  readonly status: number
  /** The address after redirects. */
  readonly url: string
  readonly mediaType: string | null
  readonly body: Uint8Array
}

const MAX_BYTES = 10 * 1024 * 1024
const TIMEOUT_MS = 15_000
const MAX_REDIRECTS = 3

/**
 * Fetches an address that a client named, without reaching this machine or its network: each name is
 * resolved once, and only the public addresses that it has then are connected to.
 * @throws HttpProblem 400 for an address that may not be reached, 502 if it fails
 */
export async function guardedFetch(
  address: string,
  options: GuardedFetchOptions = {},
): Promise<Fetched> {
  const { maxRedirects = MAX_REDIRECTS, timeoutMs = TIMEOUT_MS, signal } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const over = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  let url = checkedUrl(address, options)
  for (let redirects = 0; ; redirects++) {
    const response = await ask(url, options, over)
    const target = redirectOf(response, options)
    if (target === undefined) return { ...(await read(response, options, over)), url: url.href }
    response.destroy()
    if (redirects >= maxRedirects) throw failed('it redirects too often')
    if (!URL.canParse(target, url.href)) throw failed('it redirects to no address')
    url = checkedUrl(new URL(target, url).href, options)
  }
}

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

/**
 * An address as far as it can be judged before its name is resolved.
 * @throws HttpProblem 400
 */
export function checkedUrl(
  address: string,
  { mayReach = isPublicAddress }: Pick<GuardedFetchOptions, 'mayReach'> = {},
): URL {
  if (!URL.canParse(address)) throw refused('it is not a URL')
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused('it is not http or https')
  if (url.username !== '' || url.password !== '') throw refused('it holds a user name or password')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // A literal address is connected to without a look-up.
  if (isIP(host) !== 0 && !mayReach(host)) throw refused('it is not public')
  return url
}

const pinned =
  (mayReach: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '')
      const [first] = found
      if (first === undefined || !found.every(({ address }) => mayReach(address))) {
        return callback(refused('it is not public'), '')
      }
      if (options.all === true) return callback(null, found)
      callback(null, first.address, first.family)
    })
  }

function ask(
  url: URL,
  { method = 'GET', headers, body, mayReach = isPublicAddress }: GuardedFetchOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const asked = send(
      url,
      { method, headers: { ...headers }, signal, agent: false, lookup: pinned(mayReach) },
      resolve,
    )
    asked.once('error', (error) =>
      reject(error instanceof HttpProblem ? error : failed('it cannot be reached')),
    )
    asked.end(body)
  })
}

function redirectOf(
  { statusCode = 0, headers }: IncomingMessage,
  { method = 'GET' }: GuardedFetchOptions,
): string | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode)
  return isRedirect && method === 'GET' ? headers.location : undefined
}

async function read(
  response: IncomingMessage,
  { maxBytes = MAX_BYTES }: GuardedFetchOptions,
  signal: AbortSignal,
): Promise<Omit<Fetched, 'url'>> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      if (!(chunk instanceof Buffer)) continue
      bytes += chunk.length
      if (bytes > maxBytes) throw refused(`it is larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof HttpProblem) throw error
    throw failed(signal.aborted ? 'it took too long' : 'it broke off')
  } finally {
    response.destroy()
  }
  return {
    status: response.statusCode ?? 0,
    mediaType: response.headers['content-type'] ?? null,
    body: Buffer.concat(chunks),
  }
}

const refused = (why: string): HttpProblem =>
  new HttpProblem(400, 'address_refused', `the address is not fetched: ${why}`)

const failed = (why: string): HttpProblem =>
  new HttpProblem(502, 'address_failed', `the address could not be fetched: ${why}`)
