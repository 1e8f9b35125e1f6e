import { EchelonError } from 'echelon/runtime'
import { HttpProblem } from '../http/problem.ts'

/** Whether an address or name is this machine only. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare)
}

/** @throws EchelonError INVALID_CONFIG for an address that others reach, without a token */
export function checkReach(host: string, hasUsers: boolean): void {
  if (isLoopback(host) || hasUsers) return
  throw new EchelonError(
    'INVALID_CONFIG',
    `other machines could reach the server at ${host}, and it has no token; set one (ECHELON_SERVER_TOKEN, or one from echelon serve --new-token), or listen on 127.0.0.1`,
  )
}

export interface SiteRules {
  /** Whether the server listens on this machine only. */
  readonly isLocal: boolean
  /** Further names under which clients reach the server, such as behind a proxy. */
  readonly hosts: readonly string[]
  /** Origins of pages that may use the server. */
  readonly origins: readonly string[]
}

/**
 * Refuses requests that a page of another site sends to this machine: by its origin, or by a name that it
 * made point here (DNS rebinding).
 * @throws HttpProblem 403
 */
export function checkSite(
  { url, headers }: Pick<Request, 'url' | 'headers'>,
  { isLocal, hosts, origins }: SiteRules,
): void {
  if (!isLocal && hosts.length === 0) return
  const isOwn = (name: string): boolean =>
    (isLocal && isLoopback(name)) || hosts.includes(name.toLowerCase())
  const host = hostnameIn(`http://${headers.get('host') ?? new URL(url).host}`)
  if (host === undefined || !isOwn(host)) {
    throw new HttpProblem(403, 'foreign_host', 'the server does not answer to this Host')
  }
  const origin = headers.get('origin')
  if (origin === null || origins.includes(origin)) return
  const from = hostnameIn(origin)
  if (from === undefined || !isOwn(from)) {
    throw new HttpProblem(403, 'foreign_origin', 'the server refuses requests from this Origin')
  }
}

const hostnameIn = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname : undefined
