import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import type { ErrorCode } from 'echelon/runtime'
import { createRedactor } from 'echelon/internal/redaction'
import { EchelonError } from 'echelon/internal/value'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { refuseEmpty, withExample } from './missing-argument.ts'
import { RECORDS_FOLDER, STORE_FILE } from './default-places.ts'
import { nodeRemark } from './node-remark.ts'
import type { Io, Output } from './io.ts'
import { holdWall, releaseWall, wallOption } from './wall.ts'
import { guardOutput } from './terminal/visible.ts'
import type { GlobalOptions } from './configuration.ts'
import { quoted, STARTED_AS } from './started-as.ts'
import { inOwnWords } from './conversation/own-words.ts'

/** Runs the command line and returns the exit status. An error is a sentence on stderr, sometimes with a command to type. */
export async function runProgram(args: readonly string[], io: Io): Promise<number> {
  guardOutput([io.stdout, io.stderr])
  const remark = nodeRemark({
    version: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    execPath: process.execPath,
  })
  if (remark !== undefined) io.stderr.write(`echelon: ${remark}\n`)
  let status: ExitStatus = EXIT.success
  const program = new Command('echelon')
    .description(
      'Runs a task on the cheapest model whose answer can be verified, and escalates to a bigger one only when the check fails.',
    )
    .version(versionOf(), '--version', 'print the version')
    .option(
      '--config <file>',
      'configuration file; default: config.yaml in this folder, if it exists',
    )
    .option(
      '--database <address>',
      'PostgreSQL database for runs and conversations, instead of a file; default: ECHELON_DATABASE',
    )
    .addOption(wallOption())
    .hook('preAction', (given, called) => {
      refuseEmpty(called)
      return holdWall(given.opts())
    })
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => widthIn(io.stdout),
      getErrHelpWidth: () => widthIn(io.stderr),
      outputError: (text, write) => write(redact(text.replace(/^error: /, 'echelon: '))),
    })
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)
  const finish = (ended: ExitStatus): void => {
    status = ended
  }
  for (const command of await commandsFor(args, io, finish)) {
    program.addCommand(withSettings(command, program))
  }
  io.stdout.on('error', (error) => leaveOnClosedPipe(io, error))
  io.stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EIO') io.ending.loseTerminal()
  })
  try {
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    status = report(io, error, program.opts<GlobalOptions>())
  } finally {
    await releaseWall(program.opts())
  }
  // A stored run that waits for an answer exits as waiting, whatever ended the process.
  return status === EXIT.waiting ? status : (io.ending.status ?? status)
}

/** Applies the exit and output settings of the program to subcommands at every level. */
function withSettings(command: Command, program: Command): Command {
  for (const part of command.commands) withSettings(part, program)
  return withExample(command.copyInheritedSettings(program))
}

type Finish = (status: ExitStatus) => void

/** Commands in the order of the help, loaded by name so that one command does not load the others. */
export const COMMANDS: Readonly<Record<string, (io: Io, finish: Finish) => Promise<Command>>> = {
  decide: async (io, finish) => (await import('./commands/decide.ts')).decideCommand(io, finish),
  chat: async (io, finish) => (await import('./commands/chat.ts')).chatCommand(io, finish),
  support: async (io, finish) => (await import('./commands/support.ts')).supportCommand(io, finish),
  assist: async (io, finish) => (await import('./commands/assist.ts')).assistCommand(io, finish),
  serve: async (io, finish) => (await import('./commands/serve.ts')).serveCommand(io, finish),
  worker: async (io, finish) => (await import('./commands/worker.ts')).workerCommand(io, finish),
  mcp: async (io, finish) => (await import('./commands/mcp.ts')).mcpCommand(io, finish),
  intent: async (io, finish) => (await import('./commands/intent.ts')).intentCommand(io, finish),
  memory: async (io, finish) => (await import('./commands/memory.ts')).memoryCommand(io, finish),
  eval: async (io, finish) => (await import('./commands/eval.ts')).evalCommand(io, finish),
  tune: async (io, finish) => (await import('./commands/tune.ts')).tuneCommand(io, finish),
  runs: async (io, finish) => (await import('./commands/runs.ts')).runsCommand(io, finish),
  replay: async (io, finish) => (await import('./commands/replay.ts')).replayCommand(io, finish),
  config: async (io, finish) => (await import('./commands/config.ts')).configCommand(io, finish),
  tools: async (io, finish) => (await import('./commands/tools.ts')).toolsCommand(io, finish),
  skills: async (io, finish) => (await import('./commands/skills.ts')).skillsCommand(io, finish),
  knowledge: async (io, finish) =>
    (await import('./commands/knowledge.ts')).knowledgeCommand(io, finish),
  providers: async (io) => (await import('./commands/providers.ts')).providersCommand(io),
  costs: async (io, finish) => (await import('./commands/costs.ts')).costsCommand(io, finish),
  audit: async (io, finish) => (await import('./commands/audit.ts')).auditCommand(io, finish),
  backup: async (io, finish) => (await import('./commands/backup.ts')).backupCommand(io, finish),
  state: async (io, finish) => (await import('./commands/state.ts')).stateCommand(io, finish),
}

/** The commands named anywhere in the arguments, or all of them for help and suggestions. */
async function commandsFor(args: readonly string[], io: Io, finish: Finish): Promise<Command[]> {
  if (args[0] === '--version') return []
  const named = Object.keys(COMMANDS).filter((name) => args.includes(name))
  const isHelp = args[0] === 'help' || named.length === 0
  const loaded = Object.entries(COMMANDS).filter(([name]) => isHelp || named.includes(name))
  return await Promise.all(loaded.map(([, load]) => load(io, finish)))
}

/** The version in the manifest of this package. */
function versionOf(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return known ? String(manifest.version) : 'unknown'
}

const EXAMPLES = `
Examples:
  ${STARTED_AS} decide "What is 15 * 23?"
  ${STARTED_AS} decide "A shirt costs $40 and is 25% off; what do three cost?"
  ${STARTED_AS} decide "Show me last 30 days closing price for AAPL"
  ${STARTED_AS} decide "What is 7 * 6?" --small ollama/llama3.2
  ${STARTED_AS} chat
  ${STARTED_AS} chat "How many days until Christmas?" --model openai/gpt-5-nano
  ${STARTED_AS} support "Where's my order O-12345?"
  ${STARTED_AS} assist "Should I take the job in Berlin?"
  ${STARTED_AS} serve
  ${STARTED_AS} runs list
  ${STARTED_AS} knowledge add docs

Exit status of decide: 0 verified, 1 not verified, 2 bad usage or configuration,
4 supported by its evidence, which is not a proof.
For other commands, see their --help.
Records of actions and costs are kept in ${RECORDS_FOLDER};
see ${STARTED_AS} costs and ${STARTED_AS} audit.
Runs and conversations, with their full text, are kept in
${STORE_FILE}; see ${STARTED_AS} runs.`

/** Help wraps at the width of the terminal, or at 80 columns elsewhere. */
const widthIn = ({ isTTY, columns = HELP_WIDTH }: Output): number => (isTTY ? columns : HELP_WIDTH)

const HELP_WIDTH = 80

/** Usage errors quote arguments, which may hold secrets, and stderr is often kept. */
const redact = createRedactor()

function report(io: Io, error: unknown, { config }: GlobalOptions): ExitStatus {
  // Commander has already written what was wrong with the usage; help and version are not errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage
  if (error instanceof EchelonError) {
    const all = error.details['problems']
    const file = config === undefined ? '' : ` --config ${quoted(config)}`
    const hint =
      Array.isArray(all) && all.length > 1 ? `; ${STARTED_AS}${file} config --check lists them` : ''
    io.stderr.write(`echelon: ${redact(inOwnWords(error.message))}${hint}\n`)
    return OF_STORE.has(error.code) ? EXIT.unverified : EXIT.usage
  }
  throw error
}

/** Errors of the store, which are not bad usage. */
const OF_STORE: ReadonlySet<ErrorCode> = new Set(['STORE_DAMAGED', 'JOURNAL_FAILED'])

/** A reader that closes the pipe early, as `head` does, is not a failure. */
function leaveOnClosedPipe(io: Io, error: NodeJS.ErrnoException): void {
  if (error.code === 'EIO') return io.ending.loseTerminal()
  if (error.code === 'EPIPE') return io.exit()
  io.stderr.write(`echelon: the output cannot be written (${error.message})\n`)
  io.exit(EXIT.usage)
}
