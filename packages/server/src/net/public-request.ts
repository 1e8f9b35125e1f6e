import { lookup } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { HttpProblem } from '../http/problem.ts'

export interface PublicRequest {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Of the whole exchange. */
  readonly timeoutMs: number
  /** Of the response's body; more is an error. */
  readonly maxBytes: number
  /** Also allows this machine and private networks. Default false. */
  readonly allowPrivate?: boolean
}

export interface PublicResponse {
  readonly status: number
  readonly contentType: string
  readonly body: Buffer
}

/** Whether an address belongs to the public internet: not to this machine, a private network or a special range. */
export function isPublicAddress(address: string): boolean {
  // An IPv4 address inside of an IPv6 one is judged as what it is.
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

/** The address that a user gave. @throws HttpProblem 400 */
export function publicUrl(
  text: string,
  { allowPrivate = false }: { readonly allowPrivate?: boolean } = {},
): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw unusable('give an address that begins with https:// or http://')
  }
  if (url.username !== '' || url.password !== '')
    throw unusable('give an address without a password')
  const host = hostOf(url)
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw notPublic(host)
  return url
}

/**
 * Sends a request to an address that a user gave. The addresses that its name resolves to are checked for
 * the very connection that is made, so that a name can't resolve to another one afterwards. Redirects are
 * not followed.
 * @throws HttpProblem 400 for an address that is not public; Error if it can't be reached
 */
export function publicRequest(text: string, options: PublicRequest): Promise<PublicResponse> {
  const { method, headers = {}, body, timeoutMs, maxBytes, allowPrivate = false } = options
  const url = publicUrl(text, { allowPrivate })
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method,
      headers,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      ...(!allowPrivate && { lookup: publicLookup }),
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > maxBytes)
          sent.destroy(new Error(`the response is larger than ${maxBytes} bytes`))
        else chunks.push(chunk)
      })
      response.once('error', reject)
      response.once('end', () => {
        const { statusCode: status = 0, headers: got } = response
        resolve({ status, contentType: got['content-type'] ?? '', body: Buffer.concat(chunks) })
      })
    })
    sent.end(body)
  })
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const [first] = found ?? []
    if (error !== null || first === undefined) return callback(error ?? notPublic(hostname), [])
    if (!found.every(({ address }) => isPublicAddress(address))) {
      return callback(notPublic(hostname), [])
    }
    if (options.all === true) callback(null, found)
    else callback(null, first.address, first.family)
  })
}

const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/^\[|\]$/g, '')

const unusable = (message: string): HttpProblem => new HttpProblem(400, 'invalid_address', message)

const notPublic = (host: string): HttpProblem =>
  unusable(`the address ${host} is not on the public internet`)
