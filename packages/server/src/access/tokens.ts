import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { EchelonError } from 'echelon/runtime'
import { HttpProblem } from '../http/problem.ts'
import { LOCAL, type Principal } from './principal.ts'

/** A token that the server takes. Only its hash is known. */
export interface ServerToken extends Principal {
  /** SHA-256 of the token, hexadecimal; see `hashToken`. */
  readonly sha256: string
}

/** Longer ones are refused before they are hashed. */
const LONGEST_TOKEN = 512
const NEW_TOKEN_BYTES = 32
const PREFIX = 'ech_'

/** A new token. Show it once, and store only its hash. */
export const newToken = (): string => PREFIX + randomBytes(NEW_TOKEN_BYTES).toString('base64url')

/** The form in which tokens are configured. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const NAME = /^[a-z0-9_-]{1,64}$/
const HASH = /^[0-9a-f]{64}$/i

/**
 * Recognizes the users of a server by their bearer tokens. Every hash is compared, in constant time.
 * @throws EchelonError INVALID_CONFIG
 */
export function tokenUsers(
  tokens: readonly ServerToken[],
): (request: Pick<Request, 'headers'>) => Principal {
  const known = tokens.map(checked)
  const names = new Set(known.map(({ principal }) => principal.name))
  if (names.size < known.length) throw unusable('two tokens have the same name')
  return ({ headers }) => {
    const token = bearerIn(headers.get('authorization'))
    if (token === undefined) {
      throw new HttpProblem(
        401,
        'no_token',
        'send a token as a bearer token in the header Authorization',
      )
    }
    const digest = createHash('sha256').update(token).digest()
    let found: Principal | undefined
    for (const { hash, principal } of known) if (timingSafeEqual(hash, digest)) found = principal
    if (found === undefined)
      throw new HttpProblem(401, 'wrong_token', 'this server does not know the token')
    return found
  }
}

function checked({ sha256, ...principal }: ServerToken) {
  const { name, usdPerDay, usdPerRun, requestsPerMinute, runsAtOnce } = principal
  if (!NAME.test(name)) {
    throw unusable(
      `${JSON.stringify(name)} cannot name a token; use up to 64 lower-case letters, digits, - and _`,
    )
  }
  // Agents let this name do more, such as speak as any customer.
  if (name === LOCAL.name) {
    throw unusable(`${name} is everybody at a server without tokens; name the token otherwise`)
  }
  if (!HASH.test(sha256)) {
    throw unusable(`the token ${name} needs sha256: the 64 hexadecimal digits of its hash`)
  }
  const amounts = { usdPerDay, usdPerRun, requestsPerMinute, runsAtOnce }
  for (const [key, amount] of Object.entries(amounts)) {
    if (amount !== undefined && !(amount >= 0)) {
      throw unusable(`${key} of the token ${name} is ${amount}; give a number from 0 on`)
    }
  }
  return { hash: Buffer.from(sha256, 'hex'), principal }
}

function bearerIn(header: string | null): string | undefined {
  if (header === null || header.length > LONGEST_TOKEN + BEARER) return undefined
  return /^Bearer +([\w.~+/=-]+) *$/i.exec(header)?.[1]
}
const BEARER = 'Bearer '.length

const unusable = (message: string): EchelonError => new EchelonError('INVALID_CONFIG', message)
