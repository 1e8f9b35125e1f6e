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

/** Whether the user of this machine has allowed a server. */
export type Standing =
  /** Allowed, and unchanged since. */
  | 'allowed'
  | 'never'
  /** The entry, its files or the values filled in have changed. */
  | 'changed'
  /** Allowed by an earlier version, which checked only the entry. */
  | 'earlier'

/** Prefix of digests that cover filled-in values; older digests, of entries only, have none. */
const FORM = 'filled-in:'

/**
 * Whether the user of this machine has allowed this server as it would run now. A cloned project may
 * come with servers, and a server is a program that runs.
 */
export function standingOf(io: Pick<Io, 'env'>, path: string, server: ReadyServer): Standing {
  const kept = read(io)[keyOf(path, server.name)]
  if (kept === undefined) return 'never'
  if (!kept.startsWith(FORM)) return 'earlier'
  return kept === `${FORM}${server.digest}` ? 'allowed' : 'changed'
}

/** Why a server does not run, and what to do. */
export function notAllowed(path: string, name: string, standing: Standing): string {
  const shown = clean(name)
  const why = {
    never: `of ${path} was not added by you`,
    changed: `of ${path} has changed since you allowed it: its entry, a value in it or a file that it runs`,
    earlier: `of ${path} was allowed by an earlier version, which did not check the values filled in`,
    allowed: `of ${path} is allowed`,
  }[standing]
  const again = standing === 'never' ? '' : `review it with ${STARTED_AS} tools list; `
  return `the MCP server ${shown} ${why} (${again}${STARTED_AS} tools allow ${shown} allows it)`
}

/**
 * Names of the servers of a project that the user of this machine has allowed.
 * @throws EchelonError INVALID_CONFIG if the file is not a list of servers
 */
export const allowedServers = (io: Pick<Io, 'env'>, path: string): readonly string[] =>
  Object.entries(readServers(path).servers).flatMap(([name, server]) => {
    try {
      return standingOf(io, path, readyServer(io, path, name, server)) === 'allowed' ? [name] : []
    } catch (error) {
      // A server with a missing variable does not run.
      if (error instanceof EchelonError) return []
      throw error
    }
  })

/** Allows a server as it would run now. */
export const allow = (io: Pick<Io, 'env'>, path: string, server: ReadyServer): void =>
  write(io, { ...read(io), [keyOf(path, server.name)]: `${FORM}${server.digest}` })

/** Revokes the permission of a server. */
export function disallow(io: Pick<Io, 'env'>, path: string, name: string): void {
  const { [keyOf(path, name)]: _, ...others } = read(io)
  write(io, others)
}

function write(io: Pick<Io, 'env'>, allowed: Readonly<Record<string, string>>): void {
  const file = allowedPath(io)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Replaced atomically: a truncated file would lose all earlier permissions.
    replaceFile(file, `${JSON.stringify(allowed, null, 2)}\n`, 0o600)
  } catch (cause) {
    throw notWritten(file, cause)
  }
}

const keyOf = (path: string, name: string): string => `${resolve(path)}#${name}`

const MOST_BYTES = 16 * 1024 * 1024

/** An unreadable file allows nothing. */
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
