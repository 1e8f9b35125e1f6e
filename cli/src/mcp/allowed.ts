import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ownFolder } from './own-folder.ts'
import { readServers, type WrittenServer } from './servers-file.ts'

const allowedPath = (): string => join(ownFolder(), 'mcp-allowed.json')

/**
 * Whether the user of this machine has allowed this server, word for word as it is written down. A
 * project that is cloned brings its servers along, and a server is a program that runs.
 */
export const isAllowed = (path: string, name: string, server: WrittenServer): boolean =>
  read()[keyOf(path, name)] === digestOf(server)

/**
 * The names of those servers of a project that the user of this machine has allowed.
 * @throws EchelonError INVALID_CONFIG for a file that is none of servers
 */
export const allowedServers = (path: string): readonly string[] =>
  Object.entries(readServers(path).servers).flatMap(([name, server]) =>
    isAllowed(path, name, server) ? [name] : [],
  )

/** Allows a server as it is written down now, or with `null` no longer. */
export function allow(path: string, name: string, server: WrittenServer | null): void {
  const { [keyOf(path, name)]: _, ...others } = read()
  const allowed = server === null ? others : { ...others, [keyOf(path, name)]: digestOf(server) }
  const file = allowedPath()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(allowed, null, 2)}\n`, { mode: 0o600 })
}

const keyOf = (path: string, name: string): string => `${resolve(path)}#${name}`

const digestOf = (server: WrittenServer): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(server)))
    .digest('hex')

/** The same server is the same text, however its entry is laid out. */
function inOrder(server: WrittenServer): unknown {
  if ('url' in server) return ['http', server.url, sorted(server.headers), server.trust ?? null]
  const { command, args = [], env, cwd = null, trust = null } = server
  return ['program', command, args, sorted(env), cwd, trust]
}

const sorted = (words: Readonly<Record<string, string>> = {}): unknown =>
  Object.entries(words).toSorted(([one], [other]) => (one < other ? -1 : 1))

/** What cannot be read allows nothing. */
function read(): Readonly<Record<string, string>> {
  try {
    const content: unknown = JSON.parse(readFileSync(allowedPath(), 'utf8'))
    return isDigests(content) ? content : {}
  } catch {
    return {}
  }
}

const isDigests = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((digest) => typeof digest === 'string')
