import { Command, Option } from 'commander'
import { EchelonError } from 'echelon/runtime'
import { standardTools } from '@echelon/tools'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'
import type { GlobalOptions } from '../configuration.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { allow, disallow, notAllowed, standingOf } from '../mcp/allowed.ts'
import { connectServer, count, requireUsable } from '../mcp/connect-servers.ts'
import { type ReadyServer, readyServer } from '../mcp/ready-server.ts'
import {
  changeServer,
  readServers,
  serversPath,
  TRUST,
  type ServersFile,
  type WrittenServer,
} from '../mcp/servers-file.ts'
import { type AddOptions, writtenServer } from '../mcp/written-server.ts'
import { STARTED_AS } from '../started-as.ts'
import { type Io, printLine } from '../io.ts'

const AFTERWORD = `
Examples:
  ${STARTED_AS} tools add mcp files -- npx -y @modelcontextprotocol/server-filesystem .
  ${STARTED_AS} tools add mcp github --url https://api.example.com/mcp --header 'Authorization: Bearer \${GITHUB_TOKEN}'
  ${STARTED_AS} tools test files

Servers are listed in .mcp.json next to the configuration, which other programs read too. Secrets are
never written there: '\${NAME}' refers to a variable of the environment or of .env. ${STARTED_AS} chat has
the tools of servers that you added or allowed; tools not declared read-only need approval.`

/** `echelon tools`: lists tools, and manages the MCP servers that add more. */
export function toolsCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  const tools = new Command('tools')
    .description('list the available tools; add MCP servers for more')
    .option('--json', 'print them as JSON, with the schema of their arguments')
    .addHelpText('after', AFTERWORD)
    .action((_: unknown, called: Command) => list(io, called))
  tools.addCommand(
    new Command('list')
      .description('list the built-in tools and the MCP servers')
      .option('--json', 'print the built-in tools as JSON, with the schema of their arguments')
      .action((_: unknown, called: Command) => list(io, called)),
  )
  tools.addCommand(addCommand(io))
  tools.addCommand(
    new Command('remove')
      .description('remove an MCP server')
      .argument('<name>', 'name of the server')
      .action((name: string, _: unknown, called: Command) =>
        remove(io, name, called.optsWithGlobals()),
      ),
  )
  tools.addCommand(
    new Command('allow')
      .description('allow an MCP server that someone else added to .mcp.json')
      .argument('<name>', 'name of the server')
      .action((name: string, _: unknown, called: Command) =>
        allowServer(io, name, called.optsWithGlobals()),
      ),
  )
  tools.addCommand(
    new Command('test')
      .description('connect to an MCP server, sign in if needed, and list its tools')
      .argument('<name>', 'name of the server')
      .action(async (name: string, _: unknown, called: Command) =>
        finish(await testServer(io, name, called.optsWithGlobals())),
      ),
  )
  return tools
}

function addCommand(io: Io): Command {
  const collect = (value: string, before: readonly string[] = []): readonly string[] => [
    ...before,
    value,
  ]
  return new Command('add').description('add a source of tools').addCommand(
    new Command('mcp')
      .description('add an MCP server: a program after --, or an address')
      .argument('<name>', 'prefix of its tool names: files gives files_read')
      .argument('[command...]', 'the program and its arguments, after --')
      .option('--url <url>', 'address of a streamable HTTP server')
      .option('--env <variable>', 'NAME passes a variable on, NAME=value sets one', collect)
      .option('--header <header>', '"Name: value", sent with each request', collect)
      .option('--cwd <folder>', 'working folder of the program')
      .addOption(
        new Option(
          '--trust <what>',
          'which tool annotations of the server to trust; default: reads',
        ).choices(TRUST),
      )
      .action((name: string, words: readonly string[], _: unknown, called: Command) =>
        add(io, name, words, called.optsWithGlobals()),
      ),
  )
}

async function list(io: Io, called: Command): Promise<void> {
  const { json, ...global } = called.optsWithGlobals<GlobalOptions & { json?: true }>()
  const tools = await standardTools()
  if (json) {
    const shown = tools.map(({ name, description, jsonSchema, timeoutMs, does }) => ({
      name,
      description,
      does,
      timeout_ms: timeoutMs,
      args: jsonSchema,
    }))
    io.stdout.write(`${JSON.stringify(shown, null, 2)}\n`)
    return
  }
  for (const { name, description } of tools) printLine(io, `${pc.bold(name)}\n  ${description}`)
  listServers(io, readServers(serversPath(global)))
}

function listServers(io: Io, { path, servers, problems }: ServersFile): void {
  for (const [name, server] of Object.entries(servers)) {
    const { left, shown } = listed(io, path, name, server)
    const mark = left === '' ? '' : pc.yellow(` (left out: ${left})`)
    printLine(io, `${pc.bold(`${clean(name)}_…`)}${mark}\n  the MCP server ${shown}`)
  }
  for (const problem of problems) io.stderr.write(`echelon: ${clean(problem)}\n`)
}

/** A server as it would run, and why it is left out, if it is. */
function listed(
  io: Io,
  path: string,
  name: string,
  server: WrittenServer,
): { readonly left: string; readonly shown: string } {
  try {
    const ready = readyServer(io, path, name, server)
    const standing = standingOf(io, path, ready)
    const left = standing === 'allowed' ? '' : `${LEFT[standing]} ${clean(name)}`
    return { left, shown: withUnbound(ready) }
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    return { left: clean(error.message), shown: 'is shown once that is fixed' }
  }
}

const LEFT = {
  never: `not added by you; ${STARTED_AS} tools allow`,
  changed: `changed since you allowed it; ${STARTED_AS} tools allow`,
  earlier: `allowed by an earlier version, which did not check the values filled in; ${STARTED_AS} tools allow`,
}

/** Everything that is allowed with a server, including its settings, which affect what it does. */
const withUnbound = ({ shown, unbound }: ReadyServer): string =>
  unbound === '' ? shown : `${shown}\n  ${pc.dim(unbound)}`

function add(
  io: Io,
  name: string,
  words: readonly string[],
  options: AddOptions & GlobalOptions,
): void {
  const path = serversPath(options)
  if (!/^[a-zA-Z][a-zA-Z0-9_-]{0,31}$/.test(name)) {
    throw unusable(`${name} is not a valid server name; use letters, digits, _ and -, at most 32`)
  }
  if (Object.hasOwn(readServers(path).servers, name)) {
    throw unusable(
      `there is already a server ${name}; remove it with ${STARTED_AS} tools remove ${name}`,
    )
  }
  const server = writtenServer(words, options)
  requireUsable(path, name, server)
  changeServer(path, name, server)
  const missing = allowNow(io, path, name, server)
  if (missing !== undefined) {
    printLine(
      io,
      `added to ${path}, but not allowed yet: ${missing}; then run ${STARTED_AS} tools allow ${name}`,
    )
    return
  }
  printLine(
    io,
    `added to ${path}; test it with ${STARTED_AS} tools test ${name}; ${STARTED_AS} chat has its tools`,
  )
}

/** Allows the server if its variables are set. @returns the problem otherwise */
function allowNow(io: Io, path: string, name: string, server: WrittenServer): string | undefined {
  try {
    allow(io, path, readyServer(io, path, name, server))
    return undefined
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    disallow(io, path, name)
    return error.message
  }
}

function remove(io: Io, name: string, global: GlobalOptions): void {
  const path = serversPath(global)
  serverOf(path, name)
  changeServer(path, name, null)
  disallow(io, path, name)
  printLine(io, `removed from ${path}`)
}

function allowServer(io: Io, name: string, global: GlobalOptions): void {
  const path = serversPath(global)
  const ready = readyServer(io, path, name, serverOf(path, name))
  allow(io, path, ready)
  printLine(io, `${clean(name)} is allowed as it is now: ${withUnbound(ready)}`)
}

async function testServer(io: Io, name: string, global: GlobalOptions): Promise<ExitStatus> {
  const path = serversPath(global)
  const server = serverOf(path, name)
  requireUsable(path, name, server)
  const ready = readyServer(io, path, name, server)
  const standing = standingOf(io, path, ready)
  if (standing !== 'allowed') throw unusable(notAllowed(path, name, standing))
  const say = (line: string): void => void io.stderr.write(`${clean(line)}\n`)
  say(`connecting to ${name} …`)
  const authorize = (page: URL): void =>
    say(`${name} wants you to sign in; open this page in a browser on this machine:\n${page.href}`)
  try {
    const told = { note: say, complain: say }
    await using connection = await connectServer(io, ready, { told, authorize })
    for (const { name, needsApproval, description } of connection.tools) {
      const asks = needsApproval ? pc.yellow(' (asks before it runs)') : ''
      printLine(io, `${pc.bold(name)}${asks}\n  ${clean(description.split('\n')[0] ?? '')}`)
    }
    for (const left of connection.left) say(`${left} is left out: its schema cannot be used`)
    say(`${name} is connected, with ${count(connection.tools.length)}`)
    return EXIT.success
  } catch (error) {
    if (!(error instanceof EchelonError) || error.code !== 'SERVER_UNREACHABLE') throw error
    say(`echelon: ${error.message}`)
    return EXIT.unverified
  }
}

function serverOf(path: string, name: string): WrittenServer {
  const { servers } = readServers(path)
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined
  if (server !== undefined) return server
  const known = Object.keys(servers).join(', ')
  throw unusable(
    `${path} has no server ${name}; ${known === '' ? 'it has none' : `it has ${known}`}`,
  )
}

const unusable = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
