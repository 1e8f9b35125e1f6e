import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { EchelonError } from 'echelon/runtime'
import { readGivenTextSync } from 'echelon/config'
import { isSecret, loadsCode } from './secret-value.ts'
import { shownAddress } from './shown-address.ts'
import type { WrittenServer } from './servers-file.ts'
import type { Io } from '../io.ts'

type Values = Readonly<Record<string, string | undefined>>
type Words = Readonly<Record<string, string>>

/** A text as used, and as it may be shown. */
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
  /** Absolute, so that the program runs in the same folder wherever the command is started. */
  readonly cwd: string
}

/** An address with its variables filled in. */
export interface FilledAddress {
  readonly url: Filled
  readonly headers: FilledWords
}

/**
 * Fills in the variables of a server. Commands, arguments and addresses are filled from the environment
 * only: a pulled project must not change what runs or which server is called. `.env` next to the file
 * fills only variables and headers.
 * @throws EchelonError INVALID_CONFIG for a variable that is not set
 */
export function filledIn(
  io: Pick<Io, 'env'>,
  path: string,
  name: string,
  server: WrittenServer,
): FilledProgram | FilledAddress {
  const own: Values = io.env
  const project = dotenv(join(dirname(path), '.env'))
  const fromOwn = (variable: string): string => {
    const value = own[variable] || undefined
    if (value !== undefined) return value
    throw project[variable]
      ? notForProject(name, variable)
      : notSet(name, variable, 'the environment')
  }
  const fromEither = (variable: string): string => {
    const value = own[variable] || project[variable] || undefined
    if (value !== undefined) return value
    throw notSet(name, variable, 'the environment or in .env')
  }
  const plain = (text: string): Filled => filled('', text, fromOwn)
  const each = (words: Words = {}): FilledWords =>
    Object.fromEntries(
      Object.entries(words).map(([key, text]) => [key, filled(key, text, fromEither)]),
    )
  // A header filled from `.env` counts as secret.
  const header = (key: string, text: string): Filled => {
    const { text: value, shown } = filled(key, text, fromEither)
    const isFromFile = [...text.matchAll(VARIABLE)].some(([, one = '']) => !own[one])
    return { text: value, shown: isFromFile ? '[redacted]' : shown }
  }
  if ('url' in server) {
    const headers = Object.entries(server.headers ?? {}).map(
      ([key, text]) => [key, header(key, text)] as const,
    )
    return { url: address(server.url, fromOwn), headers: Object.fromEntries(headers) }
  }
  const { command, args = [], env, cwd } = server
  return {
    command: plain(command),
    args: args.map(plain),
    env: each(env),
    cwd: resolve(dirname(path), cwd ?? '.'),
  }
}

/** Larger than any file written by hand. */
const MOST_BYTES = 1024 * 1024

function dotenv(path: string): Values {
  try {
    return parseEnv(readGivenTextSync(path, MOST_BYTES))
  } catch {
    return {}
  }
}

const VARIABLE = /\$\{(\w+)\}/g

/** @param name name of the variable or header */
function filled(name: string, written: string, valueOf: (variable: string) => string): Filled {
  const text = written.replaceAll(VARIABLE, (_, variable: string) => valueOf(variable))
  const masked = written.replaceAll(VARIABLE, (_, variable: string) => {
    const value = valueOf(variable)
    return isSecret(variable, value) ? `[${variable}, redacted]` : value
  })
  if (loadsCode(name)) return { text, shown: text }
  return { text, shown: isSecret(name, masked) ? '[redacted]' : masked }
}

function address(written: string, valueOf: (variable: string) => string): Filled {
  const text = written.replaceAll(VARIABLE, (_, variable: string) => valueOf(variable))
  const masked = written.replaceAll(VARIABLE, (_, variable: string) => {
    const value = valueOf(variable)
    return isSecret(variable, value) && shownAddress(value) === value ? '[redacted]' : value
  })
  return { text, shown: shownAddress(masked) }
}

const notSet = (name: string, variable: string, place: string): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `the MCP server ${name} needs ${variable}, which is not set; set it in ${place}`,
  )

const notForProject = (name: string, variable: string): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `the MCP server ${name} uses ${variable} in its command or address, which the .env of a project may not set; set it in the environment`,
  )
