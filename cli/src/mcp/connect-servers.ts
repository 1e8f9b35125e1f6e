import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { EchelonError } from 'echelon'
import {
  authFile,
  connectMcp,
  type McpAuth,
  type McpConnection,
  standardTools,
  type Tool,
} from 'echelon/tools'
import { clean } from '../clean.ts'
import { isAllowed } from './allowed.ts'
import { filledIn, variablesFor } from './filled-in.ts'
import { ownFolder } from './own-folder.ts'
import { readServers, type WrittenServer } from './servers-file.ts'
import { STARTED_AS } from '../started-as.ts'

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
export async function connectServers(path: string, told: Told): Promise<ConnectedServers> {
  const { servers, problems } = readServers(path)
  for (const problem of problems) told.complain(problem)
  const wanted = Object.entries(servers).filter(([name, server]) => {
    if (isAllowed(path, name, server)) return true
    told.complain(`${notAllowed(path, name)}, and is left out`)
    return false
  })
  if (wanted.length > 0) {
    told.note(`connecting to ${wanted.map(([name]) => clean(name)).join(', ')} …`)
  }
  const connections = await Promise.all(
    wanted.map(([name, server]) => tryToConnect(path, name, server, told)),
  )
  const connected = connections.filter((connection) => connection !== undefined)
  return {
    tools: apart(await standardTools(), connected, told),
    async [Symbol.asyncDispose]() {
      await Promise.all(connected.map((connection) => connection.close()))
    },
  }
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
  path: string,
  name: string,
  server: WrittenServer,
  told: Told,
): Promise<McpConnection | undefined> {
  try {
    const connection = await connectServer(path, { name, server, told })
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

/** What is needed to connect to one server. */
export interface Wanted {
  readonly name: string
  readonly server: WrittenServer
  readonly told: Told
  readonly authorize?: Authorize
}

/** Connects to one server. @throws EchelonError with what is wrong */
export async function connectServer(path: string, wanted: Wanted): Promise<McpConnection> {
  const { name, server: written, told, authorize } = wanted
  const server = inFolder(path, written)
  requireFolder(name, server)
  const store = authFile(join(ownFolder(), 'mcp-tokens.json'))
  const auth: McpAuth = { store, ...(authorize !== undefined && { authorize }) }
  let isFirst = true
  let isTold = false
  return connectMcp(filledIn(name, server, variablesFor(path), auth), {
    // Also long enough for npx to fetch a package first.
    connectTimeoutMs: 60_000,
    ...(server.trust !== undefined && { trust: server.trust }),
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

/** A program runs in the folder of its file, wherever it is started from: what was allowed is that one. */
function inFolder(path: string, server: WrittenServer): WrittenServer {
  if ('url' in server) return server
  return { ...server, cwd: resolve(dirname(path), server.cwd ?? '.') }
}

/**
 * Without its folder a program cannot be started, and the program is blamed for it.
 * @throws EchelonError INVALID_CONFIG
 */
function requireFolder(name: string, server: WrittenServer): void {
  if ('url' in server || server.cwd === undefined) return
  if (isFolder(server.cwd)) return
  throw new EchelonError(
    'INVALID_CONFIG',
    `the MCP server ${name} is to run in ${server.cwd}, which is no folder; make it, or name another`,
  )
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Checks a server before it is written down. @throws EchelonError INVALID_CONFIG without its folder */
export const requireUsable = (path: string, name: string, server: WrittenServer): void =>
  requireFolder(name, inFolder(path, server))

/** Why a server is not run, with what to do. */
export const notAllowed = (path: string, name: string): string =>
  `the MCP server ${clean(name)} of ${path} was not added by you (${STARTED_AS} tools allow ${clean(name)} does it)`

export const count = (tools: number): string => `${tools} tool${tools === 1 ? '' : 's'}`
