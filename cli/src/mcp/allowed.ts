import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { EchelonError } from 'echelon/runtime'
import { readGivenTextSync } from 'echelon/config'
import { clean } from '../terminal/clean.ts'
import { ownFolder } from './own-folder.ts'
import { type ReadyServer, readyServer } from './ready-server.ts'
import { replaceFile } from '../replace-file.ts'
import { notWritten, readServers } from './servers-file.ts'
import { STARTED_AS } from '../started-as.ts'
import type { Io } from '../io.ts'

const allowedPath = (io: Pick<Io, 'env'>): string => join(ownFolder(io), 'mcp-allowed.json')

/** How a server stands to what the user of this machine has allowed. */
export type Standing =
  /** As it was allowed. */
  | 'allowed'
  | 'never'
  /** Something of it, of its files or of what fills it in is another. */
  | 'changed'
  /** By a version that looked at the entry alone. */
  | 'earlier'

/** Before each digest of what is filled in; those of entries alone have nothing. */
const FORM = 'filled-in:'

/**
 * Whether the user of this machine has allowed this server as it would run now. A project that is
 * cloned brings its servers along, and a server is a program that runs.
 */
export function standingOf(io: Pick<Io, 'env'>, path: string, server: ReadyServer): Standing {
  const kept = read(io)[keyOf(path, server.name)]
  if (kept === undefined) return 'never'
  if (!kept.startsWith(FORM)) return 'earlier'
  return kept === `${FORM}${server.digest}` ? 'allowed' : 'changed'
}

/** Why a server is not run, with what to do. */
export function notAllowed(path: string, name: string, standing: Standing): string {
  const shown = clean(name)
  const why = {
    never: `of ${path} was not added by you`,
    changed: `of ${path} is not what you allowed: its entry, a value in it or a file that it runs has changed`,
    earlier: `of ${path} was allowed by an earlier version, which did not look at the values filled in`,
    allowed: `of ${path} is allowed`,
  }[standing]
  const again = standing === 'never' ? '' : `look at it with ${STARTED_AS} tools list, and `
  return `the MCP server ${shown} ${why} (${again}${STARTED_AS} tools allow ${shown} does it)`
}

/**
 * The names of those servers of a project that the user of this machine has allowed.
 * @throws EchelonError INVALID_CONFIG for a file that is none of servers
 */
export const allowedServers = (io: Pick<Io, 'env'>, path: string): readonly string[] =>
  Object.entries(readServers(path).servers).flatMap(([name, server]) => {
    try {
      return standingOf(io, path, readyServer(io, path, name, server)) === 'allowed' ? [name] : []
    } catch (error) {
      // One that cannot be filled in does not run.
      if (error instanceof EchelonError) return []
      throw error
    }
  })

/** Allows a server as it would run now. */
export const allow = (io: Pick<Io, 'env'>, path: string, server: ReadyServer): void =>
  write(io, { ...read(io), [keyOf(path, server.name)]: `${FORM}${server.digest}` })

/** Allows a server no longer. */
export function disallow(io: Pick<Io, 'env'>, path: string, name: string): void {
  const { [keyOf(path, name)]: _, ...others } = read(io)
  write(io, others)
}

function write(io: Pick<Io, 'env'>, allowed: Readonly<Record<string, string>>): void {
  const file = allowedPath(io)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // In one go: a file that is cut off would allow nothing of what was allowed before.
    replaceFile(file, `${JSON.stringify(allowed, null, 2)}\n`, 0o600)
  } catch (cause) {
    throw notWritten(file, cause)
  }
}

const keyOf = (path: string, name: string): string => `${resolve(path)}#${name}`

const MOST_BYTES = 16 * 1024 * 1024

/** What cannot be read allows nothing. */
function read(io: Pick<Io, 'env'>): Readonly<Record<string, string>> {
  try {
    const content: unknown = JSON.parse(readGivenTextSync(allowedPath(io), MOST_BYTES))
    return isDigests(content) ? content : {}
  } catch {
    return {}
  }
}

const isDigests = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((digest) => typeof digest === 'string')
