import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { EchelonError } from 'echelon/runtime'
import { authFile, connectMcp, type McpAuth, type McpConnection } from '@echelon/mcp'
import { standardTools } from '@echelon/tools'
import { type Tool } from 'echelon'
import { clean } from '../terminal/clean.ts'
import { notAllowed, standingOf } from './allowed.ts'
import { ownFolder } from './own-folder.ts'
import { type ReadyServer, readyServer } from './ready-server.ts'
import { readServers, type WrittenServer } from './servers-file.ts'
import { STARTED_AS } from '../started-as.ts'
import type { Io } from '../io.ts'

/** Shows the sign-in page; without it, signing in is not offered. */
export type Authorize = NonNullable<McpAuth['authorize']>

/** Connected servers, until disposed. */
export interface ConnectedServers extends AsyncDisposable {
  readonly tools: readonly Tool[]
}

export const NO_SERVERS: ConnectedServers = {
  tools: [],
  [Symbol.asyncDispose]: () => Promise.resolve(),
}

/** Receives lines about servers. */
export interface Told {
  /** Normal progress. */
  note(line: string): void
  /** Problems. */
  complain(line: string): void
}

/**
 * Connects in parallel to the servers of a project that the user has allowed. A server that is down is
 * reported and left out.
 */
export async function connectServers(
  io: Pick<Io, 'env'>,
  path: string,
  told: Told,
): Promise<ConnectedServers> {
  const { servers, problems } = readServers(path)
  for (const problem of problems) told.complain(problem)
  const wanted = Object.entries(servers).flatMap((entry) => {
    const ready = allowedNow(io, path, entry, told)
    return ready === undefined ? [] : [ready]
  })
  if (wanted.length > 0) {
    told.note(`connecting to ${wanted.map(({ name }) => clean(name)).join(', ')} …`)
  }
  const connections = await Promise.all(wanted.map((server) => tryToConnect(io, server, told)))
  const connected = connections.filter((connection) => connection !== undefined)
  return {
    tools: withUniqueNames(await standardTools(), connected, told),
    async [Symbol.asyncDispose]() {
      await Promise.all(connected.map((connection) => connection.close()))
    },
  }
}

/** The server, filled in, if it may run; otherwise reports why not. */
function allowedNow(
  io: Pick<Io, 'env'>,
  path: string,
  [name, written]: readonly [string, WrittenServer],
  told: Told,
): ReadyServer | undefined {
  try {
    requireUsable(path, name, written)
    const server = readyServer(io, path, name, written)
    const standing = standingOf(io, path, server)
    if (standing === 'allowed') return server
    told.complain(`${notAllowed(path, name, standing)}, and is left out`)
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    told.complain(`${error.message}; its tools are left out`)
  }
  return undefined
}

/** Tool names must be unique: the first tool keeps its name, others are left out and reported. */
function withUniqueNames(
  own: readonly Tool[],
  servers: readonly McpConnection[],
  told: Told,
): readonly Tool[] {
  const taken = new Set(own.map(({ name }) => name))
  return servers.flatMap((server) =>
    server.tools.filter(({ name }) => {
      if (!taken.has(name)) return taken.add(name)
      told.complain(`${name} of ${server.name} is left out: another tool has that name`)
      return false
    }),
  )
}

async function tryToConnect(
  io: Pick<Io, 'env'>,
  server: ReadyServer,
  told: Told,
): Promise<McpConnection | undefined> {
  const { name } = server
  try {
    const connection = await connectServer(io, server, { told })
    told.note(`${clean(name)}: ${count(connection.tools.length)}`)
    return connection
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    const hint = / sign in/.test(error.message)
      ? `; sign in with ${STARTED_AS} tools test ${name}`
      : ''
    told.complain(`${error.message}${hint}; its tools are left out`)
    return undefined
  }
}

/** Connects to one server that may run. @throws EchelonError with what is wrong */
export async function connectServer(
  io: Pick<Io, 'env'>,
  server: ReadyServer,
  { told, authorize }: { readonly told: Told; readonly authorize?: Authorize },
): Promise<McpConnection> {
  const { name, trust } = server
  const store = authFile(join(ownFolder(io), 'mcp-tokens.json'))
  const auth: McpAuth = { store, ...(authorize !== undefined && { authorize }) }
  let isFirst = true
  let isTold = false
  return connectMcp(server.connectable(auth), {
    // Long enough for npx to fetch a package first.
    connectTimeoutMs: 60_000,
    ...(trust !== undefined && { trust }),
    onState(state, why) {
      if (isFirst || state === 'closed') isFirst = false
      else if (state === 'connected') told.note(`${name} is connected again`)
      else if (state === 'reconnecting') told.complain(`${name} was lost (${why}); reconnecting …`)
      else told.complain(`${name} is down (${why})`)
    },
    onTools() {
      // Reported once, however often the server says so.
      if (!isTold) told.complain(`${name} changed its tools; start a new chat to use them`)
      isTold = true
    },
  })
}

/**
 * Checks the working folder first, because the system reports a missing folder as a missing program.
 * @throws EchelonError INVALID_CONFIG
 */
export function requireUsable(path: string, name: string, server: WrittenServer): void {
  if ('url' in server) return
  const folder = resolve(dirname(path), server.cwd ?? '.')
  if (isFolder(folder)) return
  throw new EchelonError(
    'INVALID_CONFIG',
    `the MCP server ${name} has the working folder ${folder}, which does not exist; create it, or name another`,
  )
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

export const count = (tools: number): string => `${tools} tool${tools === 1 ? '' : 's'}`
