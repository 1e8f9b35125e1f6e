import { Command } from 'commander'
import { EchelonError } from 'echelon/runtime'
import { type AgentServer, hashToken, newToken } from '@echelon/server'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { wholeNumber } from '../option-values.ts'
import { openServer, type OpenServerOptions } from '../serve/open-server.ts'
import { untilStopped } from '../serve/until-stopped.ts'
import { type Io, printLine } from '../io.ts'

const AFTERWORD = `
Agents of your own are files in the folder agents/, or named as arguments. Their default export is an agent,
or a function of ({ store, config }) that returns one.

Without a token the server listens on this machine only, and everybody here is its operator.

Exit status: 0 when it was stopped, 2 bad usage or configuration, 143 when SIGTERM ended it.`

interface ServeOptions extends OpenServerOptions {
  readonly host?: string
  readonly port?: number
  readonly newToken?: string
}

/** `echelon serve [AGENT...]`: all agents under one address. */
export function serveCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('serve')
    .description('serve all agents under one address')
    .argument('[agents...]', 'files with agents of your own')
    .option('--host <address>', 'address to listen on; default: 127.0.0.1')
    .option('--port <number>', 'port to listen on; default: 3000; 0 takes a free one', wholeNumber)
    .option('--token-file <file>', 'file with a token of an operator')
    .option('--new-token <name>', 'print a new token and its line for config.yaml, then exit')
    .option('--store <file>', 'file for runs and conversations; default: .echelon/echelon.db')
    .option(
      '--database <url>',
      'PostgreSQL database, instead of a file: workers perform the runs (echelon worker); default: ECHELON_DATABASE',
    )
    .option(
      '--release <name>',
      'release of its agents, if releases share the database; default: ECHELON_RELEASE, or else none',
    )
    .addHelpText('after', AFTERWORD)
    .action(async (files: readonly string[], _: unknown, called: Command) => {
      const options = called.optsWithGlobals<ServeOptions>()
      if (options.newToken !== undefined) return finish(printToken(io, options.newToken))
      finish(await serve(io, files, options))
    })
}

function printToken(io: Io, name: string): ExitStatus {
  if (!/^[a-z0-9_-]{1,64}$/.test(name) || name === 'local') {
    throw usage('name a token with up to 64 lower-case letters, digits, - and _, and not local')
  }
  const token = newToken()
  printLine(io, token)
  io.stderr.write(`It is shown only now. Add it to config.yaml:

server:
  tokens:
    - { name: ${name}, sha256: ${hashToken(token)} }
`)
  return EXIT.success
}

async function serve(io: Io, files: readonly string[], options: ServeOptions): Promise<ExitStatus> {
  const { server, settings, hasStudio, close } = await openServer(io, files, options)
  try {
    const url = await server.listen({
      host: options.host ?? settings.host,
      port: options.port ?? settings.port,
    })
    await untilStopped(io, {
      stop: () => server.stop(),
      told: () => announce(io, url, { server, hasStudio }),
    })
    return EXIT.success
  } finally {
    await close()
  }
}

function announce(
  io: Io,
  url: string,
  { server, hasStudio }: { readonly server: AgentServer; readonly hasStudio: boolean },
): void {
  const names = server.hub.agentsOf({ name: 'local' }).map(({ name }) => name)
  if (hasStudio) printLine(io, `Studio: ${url}/`)
  printLine(io, `Echelon is at ${url}; its API is shown at ${url}/docs`)
  printLine(io, `It serves ${names.join(', ')}`)
  printLine(io, 'Ctrl-C stops it; runs in progress continue at the next start')
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
