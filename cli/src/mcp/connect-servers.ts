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

/** How signing in is shown; without it nobody is asked to. */
export type Authorize = NonNullable<McpAuth['authorize']>

/** Servers that are connected, until they are disposed of. */
export interface ConnectedServers extends AsyncDisposable {
  readonly tools: readonly Tool[]
}

export const NO_SERVERS: ConnectedServers = {
  tools: [],
  [Symbol.asyncDispose]: () => Promise.resolve(),
}

/** What is told of servers, in lines. */
export interface Told {
  /** What is as it should be. */
  note(line: string): void
  /** What is not. */
  complain(line: string): void
}

/**
 * Connects to the servers of a project that its user has allowed, all at the same time. One that is
 * down is told, and left out.
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
    tools: apart(await standardTools(), connected, told),
    async [Symbol.asyncDispose]() {
      await Promise.all(connected.map((connection) => connection.close()))
    },
  }
}

/** A server that may run, filled in; of any other it is told why it does not. */
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

/** Two tools of one name are none that can be called: the first keeps it, and the other is told. */
function apart(
  own: readonly Tool[],
  servers: readonly McpConnection[],
  told: Told,
): readonly Tool[] {
  const taken = new Set(own.map(({ name }) => name))
  return servers.flatMap((server) =>
    server.tools.filter(({ name }) => {
      if (!taken.has(name)) return taken.add(name)
      told.complain(`${name} of ${server.name} is left out: there is another tool of that name`)
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
      ? `; ${STARTED_AS} tools test ${name} does that`
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
    // Also long enough for npx to fetch a package first.
    connectTimeoutMs: 60_000,
    ...(trust !== undefined && { trust }),
    onState(state, why) {
      if (isFirst || state === 'closed') isFirst = false
      else if (state === 'connected') told.note(`${name} is connected again`)
      else if (state === 'reconnecting') told.complain(`${name} was lost (${why}); reconnecting …`)
      else told.complain(`${name} is down (${why})`)
    },
    onTools() {
      // Once is enough for whoever reads it, however often the server says so.
      if (!isTold) told.complain(`${name} has other tools now; begin the chat anew to have them`)
      isTold = true
    },
  })
}

/**
 * Without its folder a program cannot be started, and the program is blamed for it.
 * @throws EchelonError INVALID_CONFIG
 */
export function requireUsable(path: string, name: string, server: WrittenServer): void {
  if ('url' in server) return
  const folder = resolve(dirname(path), server.cwd ?? '.')
  if (isFolder(folder)) return
  throw new EchelonError(
    'INVALID_CONFIG',
    `the MCP server ${name} is to run in ${folder}, which is no folder; make it, or name another`,
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
