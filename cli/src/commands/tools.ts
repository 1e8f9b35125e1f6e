import { Command, Option } from 'commander'
import { EchelonError } from 'echelon'
import { standardTools } from 'echelon/tools'
import pc from 'picocolors'
import { clean } from '../clean.ts'
import type { GlobalOptions } from '../configuration.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { allow, isAllowed } from '../mcp/allowed.ts'
import { connectServer, count, notAllowed, requireUsable } from '../mcp/connect-servers.ts'
import {
  changeServer,
  readServers,
  serversPath,
  TRUST,
  type ServersFile,
  type WrittenServer,
} from '../mcp/servers-file.ts'
import { type AddOptions, looksSecret, writtenServer } from '../mcp/written-server.ts'
import { STARTED_AS } from '../started-as.ts'

const AFTERWORD = `
Examples:
  ${STARTED_AS} tools add mcp files -- npx -y @modelcontextprotocol/server-filesystem .
  ${STARTED_AS} tools add mcp github --url https://api.example.com/mcp --header 'Authorization: Bearer \${GITHUB_TOKEN}'
  ${STARTED_AS} tools test files

Servers stand in .mcp.json beside the configuration, where other programs find them too. A secret is
never written there: '\${NAME}' stands for a variable of the environment or of .env. ${STARTED_AS} chat has
the tools of the servers that you added or allowed; what a tool does not declare to be read-only asks.`

/** `echelon tools`: what an agent can call, and where more of it comes from. */
export function toolsCommand(finish: (status: ExitStatus) => void): Command {
  const tools = new Command('tools')
    .description('list the tools that there are; add MCP servers that have more')
    .option('--json', 'print them as JSON, with the schema of their arguments')
    .addHelpText('after', AFTERWORD)
    .action((_: unknown, called: Command) => list(called))
  tools.addCommand(
    new Command('list')
      .description('list the built-in tools and the MCP servers')
      .option('--json', 'print the built-in tools as JSON, with the schema of their arguments')
      .action((_: unknown, called: Command) => list(called)),
  )
  tools.addCommand(addCommand())
  tools.addCommand(
    new Command('remove')
      .description('take an MCP server out')
      .argument('<name>', 'what it is called')
      .action((name: string, _: unknown, called: Command) =>
        remove(name, called.optsWithGlobals()),
      ),
  )
  tools.addCommand(
    new Command('allow')
      .description('let an MCP server run that somebody else wrote down')
      .argument('<name>', 'what it is called')
      .action((name: string, _: unknown, called: Command) =>
        allowServer(name, called.optsWithGlobals()),
      ),
  )
  tools.addCommand(
    new Command('test')
      .description('connect to an MCP server, sign in if it wants that, and list its tools')
      .argument('<name>', 'what it is called')
      .action(async (name: string, _: unknown, called: Command) =>
        finish(await testServer(name, called.optsWithGlobals())),
      ),
  )
  return tools
}

function addCommand(): Command {
  const collect = (value: string, before: readonly string[] = []): readonly string[] => [
    ...before,
    value,
  ]
  return new Command('add').description('add a source of tools').addCommand(
    new Command('mcp')
      .description('add an MCP server: a program after --, or an address')
      .argument('<name>', 'what its tools are called after: files makes files_read')
      .argument('[command...]', 'the program and its arguments, after --')
      .option('--url <url>', 'a server that speaks streamable HTTP')
      .option('--env <variable>', 'NAME hands a variable on, NAME=value sets one', collect)
      .option('--header <header>', '"Name: value", sent with each request', collect)
      .option('--cwd <folder>', 'where the program runs')
      .addOption(
        new Option('--trust <what>', 'what of its own word is believed; default reads').choices(
          TRUST,
        ),
      )
      .action((name: string, words: readonly string[], _: unknown, called: Command) =>
        add(name, words, called.optsWithGlobals()),
      ),
  )
}

async function list(called: Command): Promise<void> {
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
    process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`)
    return
  }
  for (const { name, description } of tools) console.log(`${pc.bold(name)}\n  ${description}`)
  listServers(readServers(serversPath(global)))
}

function listServers({ path, servers, problems }: ServersFile): void {
  for (const [name, server] of Object.entries(servers)) {
    const left = isAllowed(path, name, server)
      ? ''
      : pc.yellow(` (left out: ${LEFT} ${clean(name)})`)
    console.log(`${pc.bold(`${clean(name)}_…`)}${left}\n  the MCP server ${shown(server)}`)
  }
  for (const problem of problems) process.stderr.write(`echelon: ${clean(problem)}\n`)
}

const LEFT = `not added by you; ${STARTED_AS} tools allow`

/** All that somebody allows with a server, on one line: what it is handed decides what it does too. */
function shown(server: WrittenServer): string {
  const { trust } = server
  const believed = trust === undefined ? [] : [`trust ${trust}`]
  if ('url' in server) {
    const headers = each(server.headers, ': ')
    return clean([server.url, ...headers, ...believed].join('; '))
  }
  const { command, args = [], env, cwd } = server
  const words = [command, ...args].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : quote(word),
  )
  const folder = cwd === undefined ? [] : [`in ${cwd}`]
  const variables = each(env, '=')
  return clean([words.join(' '), ...folder, ...variables, ...believed].join('; '))
}

const each = (words: Readonly<Record<string, string>> = {}, between: string): readonly string[] =>
  Object.entries(words).map(
    ([name, value]) => `${name}${between}${looksSecret(name, value) ? '[redacted]' : value}`,
  )

const quote = (word: string): string => JSON.stringify(word)

function add(name: string, words: readonly string[], options: AddOptions & GlobalOptions): void {
  const path = serversPath(options)
  if (!/^[a-zA-Z][a-zA-Z0-9_-]{0,31}$/.test(name)) {
    throw unusable(`a server cannot be called ${name}; use letters, digits, _ and -, at most 32`)
  }
  if (Object.hasOwn(readServers(path).servers, name)) {
    throw unusable(
      `there is a server ${name} already; ${STARTED_AS} tools remove ${name} takes it out`,
    )
  }
  const server = writtenServer(words, options)
  requireUsable(path, name, server)
  changeServer(path, name, server)
  allow(path, name, server)
  console.log(
    `added to ${path}; ${STARTED_AS} tools test ${name} tries it, ${STARTED_AS} chat has its tools`,
  )
}

function remove(name: string, global: GlobalOptions): void {
  const path = serversPath(global)
  serverOf(path, name)
  changeServer(path, name, null)
  allow(path, name, null)
  console.log(`taken out of ${path}`)
}

function allowServer(name: string, global: GlobalOptions): void {
  const path = serversPath(global)
  const server = serverOf(path, name)
  allow(path, name, server)
  console.log(`${name} may run from now on, as it is written down: ${shown(server)}`)
}

async function testServer(name: string, global: GlobalOptions): Promise<ExitStatus> {
  const path = serversPath(global)
  const server = serverOf(path, name)
  if (!isAllowed(path, name, server)) throw unusable(notAllowed(path, name))
  const say = (line: string): void => void process.stderr.write(`${clean(line)}\n`)
  say(`connecting to ${name} …`)
  const authorize = (page: URL): void =>
    say(`${name} wants you to sign in; open this page in a browser on this machine:\n${page.href}`)
  try {
    const told = { note: say, complain: say }
    await using connection = await connectServer(path, { name, server, told, authorize })
    for (const { name, needsApproval, description } of connection.tools) {
      const asks = needsApproval ? pc.yellow(' (asks before it runs)') : ''
      console.log(`${pc.bold(name)}${asks}\n  ${clean(description.split('\n')[0] ?? '')}`)
    }
    for (const left of connection.left) say(`${left} is left out: its schema cannot be used`)
    say(`${name} is there, with ${count(connection.tools.length)}`)
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
