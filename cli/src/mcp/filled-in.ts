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
  // A header that is filled from `.env` is one that its owner did not want to be seen.
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
    `the MCP server ${name} needs ${variable} for what it runs or where it is, and .env of a project does not decide that; set it in the environment`,
  )
