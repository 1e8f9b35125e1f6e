import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { EchelonError } from 'echelon'
import type { McpAuth, McpServer } from 'echelon/tools'
import type { WrittenServer } from './servers-file.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The variables that a file of servers may name: those of the process, and of `.env` beside it. */
export function variablesFor(path: string): Variables {
  return { ...dotenv(join(dirname(path), '.env')), ...process.env }
}

function dotenv(path: string): Variables {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * A server with its variables filled in.
 * @param auth how to sign in, where that is safe
 * @throws EchelonError INVALID_CONFIG for a variable that is not set
 */
export function filledIn(
  name: string,
  server: WrittenServer,
  variables: Variables,
  auth: McpAuth,
): McpServer {
  const fill = (text: string): string => filled(name, text, variables)
  if ('url' in server) {
    const url = fill(server.url)
    const { headers } = server
    return {
      name,
      url,
      ...(headers !== undefined && { headers: each(headers, fill) }),
      ...(isPrivate(url) && { auth }),
    }
  }
  const { command, args = [], env, cwd } = server
  return {
    name,
    command: fill(command),
    args: args.map(fill),
    ...(env !== undefined && { env: each(env, fill) }),
    ...(cwd !== undefined && { cwd }),
  }
}

const each = (
  words: Readonly<Record<string, string>>,
  change: (word: string) => string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(words).map(([name, word]) => [name, change(word)]))

const filled = (name: string, text: string, variables: Variables): string =>
  text.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
    const value = variables[variable]
    if (value !== undefined && value !== '') return value
    throw new EchelonError(
      'INVALID_CONFIG',
      `the MCP server ${name} needs ${variable}, which is not set; set it in the environment or in .env`,
    )
  })

/** Tokens are sent only where nobody else can read them. */
const isPrivate = (url: string): boolean =>
  /^https:|^http:\/\/(localhost|127(\.\d+){3}|\[::1\])([:/]|$)/.test(url)
