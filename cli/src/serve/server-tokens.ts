import { readGivenTextSync, type Config } from 'echelon/config'
import { EchelonError } from 'echelon/runtime'
import { hashToken, type ServerToken } from '@echelon/server'

type TokenSettings = Config['server']['tokens'][number]

const SHORTEST = 16
const MOST_BYTES = 4096

/** The tokens of the configuration, of a file, and of the environment, whose users are operators. */
export function serverTokens(
  { tokens }: Config['server'],
  { file, variable }: { readonly file: string | undefined; readonly variable: string | undefined },
): readonly ServerToken[] {
  return [
    ...tokens.map(tokenOf),
    ...(file === undefined ? [] : [operator('file', tokenIn(file), `the token file ${file}`)]),
    ...(variable === undefined || variable === ''
      ? []
      : [operator('environment', variable, 'ECHELON_SERVER_TOKEN')]),
  ]
}

function operator(name: string, token: string, where: string): ServerToken {
  if (token.length >= SHORTEST) return { name, sha256: hashToken(token), isOperator: true }
  throw new EchelonError(
    'INVALID_CONFIG',
    `${where} holds fewer than ${SHORTEST} characters; echelon serve --new-token prints a safe one`,
  )
}

function tokenIn(file: string): string {
  try {
    return readGivenTextSync(file, MOST_BYTES).trim()
  } catch (cause) {
    throw new EchelonError('INVALID_INPUT', `the token file ${file} cannot be read`, { cause })
  }
}

const tokenOf = (token: TokenSettings): ServerToken => ({
  name: token.name,
  sha256: token.sha256,
  ...(token.agents && { agents: token.agents }),
  ...(token.usd_per_day !== undefined && { usdPerDay: token.usd_per_day }),
  ...(token.usd_per_run !== undefined && { usdPerRun: token.usd_per_run }),
  ...(token.requests_per_minute !== undefined && { requestsPerMinute: token.requests_per_minute }),
  ...(token.runs_at_once !== undefined && { runsAtOnce: token.runs_at_once }),
  ...(token.operator !== undefined && { isOperator: token.operator }),
})
