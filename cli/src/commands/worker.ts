import { Command } from 'commander'
import { EchelonError } from 'echelon/runtime'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { atLeastOne, wholeNumber } from '../option-values.ts'
import { openWorker, type OpenWorkerOptions } from '../serve/open-worker.ts'
import { releaseIn } from '../serve/release.ts'
import { untilStopped } from '../serve/until-stopped.ts'
import { type Io, printLine } from '../io.ts'

const AFTERWORD = `
It performs the runs that servers with the same --database are given. Start as many as you like, with the
same configuration and agents. A worker keeps its name when it is restarted, and by it takes up the runs
that it left; if it does not come back, the others do.

Workers of a release perform the runs that servers of the same --release ordered. When a release has no worker
any more, the others take those of its runs that their agents can load.

Exit status: 0 when it was stopped, 2 bad usage or configuration, 143 when SIGTERM ended it.`

interface WorkerCommandOptions extends Omit<OpenWorkerOptions, 'database'> {
  readonly database?: string
  readonly host?: string
  readonly port?: number
}

/** `echelon worker [AGENT...]`: performs runs of servers on the same database. */
export function workerCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('worker')
    .description('perform the runs of servers on the same database')
    .argument('[agents...]', 'files with agents of your own')
    .option('--database <url>', 'PostgreSQL database; default: ECHELON_DATABASE')
    .option(
      '--name <name>',
      'its name, the same after each restart; default: ECHELON_WORKER, or else the host with a number',
    )
    .option(
      '--release <name>',
      'release of its agents, if releases share the database; default: ECHELON_RELEASE, or else none',
    )
    .option('--at-once <number>', 'runs that it works on at the same time', atLeastOne)
    .option('--port <number>', 'port for /readyz and /metrics; default: none', wholeNumber)
    .option('--host <address>', 'address for that port; default: 127.0.0.1')
    .option('--token-file <file>', 'file with a token of an operator, for /metrics')
    .addHelpText('after', AFTERWORD)
    .action(async (files: readonly string[], _: unknown, called: Command) => {
      finish(await work(io, files, called.optsWithGlobals<WorkerCommandOptions>()))
    })
}

async function work(
  io: Io,
  files: readonly string[],
  options: WorkerCommandOptions,
): Promise<ExitStatus> {
  const { port, host = '127.0.0.1' } = options
  const name = options.name ?? io.env['ECHELON_WORKER']
  const release = releaseIn(io, options)
  const { worker, server, stop } = await openWorker(io, files, {
    ...options,
    database: databaseOf(io, options),
    ...(name !== undefined && name !== '' && { name }),
    ...(release !== undefined && { release }),
  })
  const told = (url: string | undefined): void => {
    const status = url === undefined ? '' : `; its state is at ${url}/readyz`
    printLine(io, `The worker ${worker.name} performs runs${status}`)
  }
  let isStopped = false
  const stopOnce = async (): Promise<void> => {
    if (!isStopped) await stop()
    isStopped = true
  }
  try {
    const url = port === undefined ? undefined : await server.listen({ host, port })
    await untilStopped(io, { stop: stopOnce, told: () => told(url) })
    return EXIT.success
  } finally {
    await stopOnce()
  }
}

function databaseOf(io: Io, { database }: WorkerCommandOptions): string {
  const url = database ?? io.env['ECHELON_DATABASE'] ?? ''
  if (url !== '') return url
  throw new EchelonError(
    'INVALID_INPUT',
    'a worker needs the database of its server; add --database postgres://…, or set ECHELON_DATABASE',
  )
}
