import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { EchelonError } from 'echelon'
import { readGivenTextSync } from 'echelon/config'
import { isSecret, loadsCode } from './secret-value.ts'
import type { WrittenServer } from './servers-file.ts'

type Values = Readonly<Record<string, string | undefined>>
type Words = Readonly<Record<string, string>>

/** A text as it is used, and as it may be shown. */
export interface Filled {
  readonly text: string
  readonly shown: string
}

type FilledWords = Readonly<Record<string, Filled>>

/** A program with its variables filled in. */
export interface FilledProgram {
  readonly command: Filled
  readonly args: readonly Filled[]
  readonly env: FilledWords
  /** Absolute: what was allowed runs in the folder of its file, wherever the command is started. */
  readonly cwd: string
}

/** An address with its variables filled in. */
export interface FilledAddress {
  readonly url: Filled
  readonly headers: FilledWords
}

/**
 * A server with its variables filled in. Commands, arguments and addresses are filled from the
 * environment alone: a project that is pulled must not change what runs, or who is spoken to.
 * `.env` beside the file fills variables and headers of a server only.
 * @throws EchelonError INVALID_CONFIG for a variable that is not set
 */
export function filledIn(
  path: string,
  name: string,
  server: WrittenServer,
): FilledProgram | FilledAddress {
  const own: Values = process.env
  const project = dotenv(join(dirname(path), '.env'))
  const fromOwn = (variable: string): string => {
    const value = own[variable] || undefined
    if (value !== undefined) return value
    throw project[variable] ? notForProject(name, variable) : notSet(name, variable)
  }
  const fromEither = (variable: string): string => {
    const value = own[variable] || project[variable] || undefined
    if (value !== undefined) return value
    throw notSet(name, variable)
  }
  const plain = (text: string): Filled => filled('', text, fromOwn)
  const each = (words: Words = {}): FilledWords =>
    Object.fromEntries(
      Object.entries(words).map(([key, text]) => [key, filled(key, text, fromEither)]),
    )
  if ('url' in server) return { url: plain(server.url), headers: each(server.headers) }
  const { command, args = [], env, cwd } = server
  return {
    command: plain(command),
    args: args.map(plain),
    env: each(env),
    cwd: resolve(dirname(path), cwd ?? '.'),
  }
}

/** Nobody writes so much by hand. */
const MOST_BYTES = 1024 * 1024

function dotenv(path: string): Values {
  try {
    return parseEnv(readGivenTextSync(path, MOST_BYTES))
  } catch {
    return {}
  }
}

const VARIABLE = /\$\{(\w+)\}/g

/** @param name of the variable or header that it is the value of */
function filled(name: string, written: string, valueOf: (variable: string) => string): Filled {
  const text = written.replaceAll(VARIABLE, (_, variable: string) => valueOf(variable))
  const masked = written.replaceAll(VARIABLE, (_, variable: string) => {
    const value = valueOf(variable)
    return isSecret(variable, value) ? `[${variable}, redacted]` : value
  })
  if (loadsCode(name)) return { text, shown: text }
  return { text, shown: isSecret(name, masked) ? '[redacted]' : masked }
}

const notSet = (name: string, variable: string): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `the MCP server ${name} needs ${variable}, which is not set; set it in the environment or in .env`,
  )

const notForProject = (name: string, variable: string): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `the MCP server ${name} needs ${variable} for what it runs or where it is, and .env of a project does not decide that; set it in the environment`,
  )
