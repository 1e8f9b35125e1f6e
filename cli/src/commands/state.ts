import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { createAgent, createDecider, EchelonError } from 'echelon'
import type { Config } from 'echelon/config'
import { cascade } from 'echelon/middleware'
import { all } from 'echelon/verify'
import { skills } from '@echelon/knowledge/skills'
import { builtInMiddleware, examineCheckpoint, type StateHolder } from 'echelon/runtime'
import { createSupportAgent } from '@echelon/support'
import { isPostgresAddress } from '@echelon/store/internal/address'
import { clean } from '../terminal/clean.ts'
import { configFor, type GlobalOptions } from '../configuration.ts'
import { STORE_FILE } from '../default-places.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { several } from '../option-values.ts'
import { fileExists } from '../file-exists.ts'
import { KNOWLEDGE_FILE } from '../knowledge/open-knowledge.ts'
import { copyCommand } from '../state/copy-command.ts'
import { holderOf } from '../state/load-agent.ts'
import { agentsOfServer } from '../state/agents-of-server.ts'
import { agentsOfWorkers, agentsWithoutStore } from '../state/agents-of-workers.ts'
import {
  describeKnowledge,
  examineKnowledgeFile,
  isWholeKnowledge,
} from '../state/examine-knowledge.ts'
import {
  describeCheckpoint,
  describeCheckpoints,
  describeSummary,
  summaryOf,
} from '../state/show-checkpoints.ts'
import { storeFileThere } from '../store/keep-store.ts'
import { STARTED_AS } from '../started-as.ts'
import { type Io, printLine } from '../io.ts'

interface DoctorOptions extends GlobalOptions {
  readonly agent?: readonly string[]
  readonly json?: true
}

/** `echelon state`: checks stored runs and conversations against the current code. */
export function stateCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  const doctor = new Command('doctor')
    .description('check what would happen if stored states were loaded now; writes nothing')
    .argument(
      '[file]',
      `a store or knowledge file, or the address of a database (default: ${STORE_FILE}, and ${KNOWLEDGE_FILE} if it exists), an exported journal (JSON lines or an array), or a saved chat session`,
    )
    .option(
      '--agent <module>',
      'module with an agent of your own, or a list of middleware; repeatable',
      several,
    )
    .option('--json', 'print the report as JSON')
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DoctorOptions>()
      finish(await (file === undefined ? examineDefaults(io, options) : examine(io, file, options)))
    })
  return new Command('state')
    .description('check whether stored states still load with the current code, and copy stores')
    .addCommand(doctor)
    .addCommand(copyCommand(io, finish))
}

const HELP = `
A stored run that ${STARTED_AS} decide or chat started is checked against the agent it was started with;
no model is loaded and no server is connected. Other runs are checked against the configured decision
agent, the agents of ${STARTED_AS} chat and serve, the support agent with its own intents, and the middleware that
comes with Echelon. With --agent, runs and conversations of that agent's name are checked against it.
The default export of the module is an agent, { definition, middlewares }, a list of middleware, or what
${STARTED_AS} worker takes. The module is loaded, so name only one that you trust. For a database the agents of
the folder agents/ are loaded too, as by a worker; ECHELON_DATABASE names it if there is no argument.

Exit status: 0 all would load, 1 something would not load or is damaged, 2 bad usage.`

/** Examines the default store and knowledge file. */
async function examineDefaults(io: Io, options: DoctorOptions): Promise<ExitStatus> {
  const file = storeFileThere({}, await configFor(io, options))
  if (file !== undefined && isPostgresAddress(file)) return examineDatabaseRuns(io, file, options)
  const known = fileExists(KNOWLEDGE_FILE) ? KNOWLEDGE_FILE : undefined
  if (file !== undefined) return examineStore(io, file, options, known)
  if (known !== undefined) return examineKnown(io, known, options)
  throw new EchelonError(
    'INVALID_INPUT',
    'nothing is stored yet; name a store, an exported journal or a session',
  )
}

async function examine(io: Io, file: string, options: DoctorOptions): Promise<ExitStatus> {
  if (isPostgresAddress(file)) return examineDatabaseRuns(io, file, options)
  const { isDatabaseFile, isKnowledgeFile } = await import('@echelon/store')
  if (isDatabaseFile(file) && isKnowledgeFile(file)) return examineKnown(io, file, options)
  const isNamedSo = file.endsWith('.db') && existsSync(file)
  if (isNamedSo || isDatabaseFile(file)) return examineStore(io, file, options)
  // The schemas take longer to load than most commands take to run.
  const { readCheckpoints } = await import('../state/read-checkpoints.ts')
  const checkpoints = readCheckpoints(file)
  const holders = await holdersFor(io, options)
  const examined = checkpoints.map((checkpoint) => examineCheckpoint(checkpoint, holders))
  if (options.json) {
    const report = { file, summary: summaryOf(examined), checkpoints: examined }
    io.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  } else printLine(io, describeCheckpoints(examined))
  return examined.every(({ loads }) => loads) ? EXIT.success : EXIT.unverified
}

async function examineDatabaseRuns(
  io: Io,
  database: string,
  options: DoctorOptions,
): Promise<ExitStatus> {
  const [{ AgentsOfRuns }, { examineDatabase }] = await Promise.all([
    import('../state/agents-of-runs.ts'),
    import('../state/examine-database.ts'),
  ])
  const config = await configFor(io, options)
  const report = await examineDatabase(database, async (store) => {
    const own = await agentsOfWorkers(options.agent ?? [], { store, config })
    return new AgentsOfRuns(io, own, await builtIn(config), options)
  })
  if (options.json) io.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else {
    for (const checkpoint of report.checkpoints) printLine(io, describeCheckpoint(checkpoint))
    if (report.omitted > 0) printLine(io, `and ${report.omitted} more with changes or problems`)
    if (report.remark !== undefined) printLine(io, clean(report.remark))
    printLine(io, describeSummary(report.summary))
  }
  const { would_load: loaded, checkpoints } = report.summary
  return loaded === checkpoints ? EXIT.success : EXIT.unverified
}

async function examineKnown(io: Io, file: string, { json }: DoctorOptions): Promise<ExitStatus> {
  const report = await examineKnowledgeFile(file)
  if (json) io.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else printLine(io, describeKnowledge(report))
  return isWholeKnowledge(report) ? EXIT.success : EXIT.unverified
}

/**
 * Examines a store file. A damaged file is a finding, not bad usage.
 * @param known knowledge file to report on as well
 */
async function examineStore(
  io: Io,
  file: string,
  options: DoctorOptions,
  known?: string,
): Promise<ExitStatus> {
  const [{ AgentsOfRuns }, { examineFile }, { describeFile }] = await Promise.all([
    import('../state/agents-of-runs.ts'),
    import('../state/examine-file.ts'),
    import('../state/show-file.ts'),
  ])
  const config = await configFor(io, options)
  const own = await agentsWithoutStore(options.agent ?? [], config)
  const agents = new AgentsOfRuns(io, own, await builtIn(config), options)
  try {
    const report = await examineFile(file, agents)
    const knowledge = known === undefined ? undefined : await examineKnowledgeFile(known)
    if (options.json) {
      const all = { file, ...report, ...(knowledge !== undefined && { knowledge }) }
      io.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
    } else {
      printLine(io, describeFile(file, report))
      if (knowledge !== undefined) printLine(io, describeKnowledge(knowledge))
    }
    const { store, summary } = report
    const { damage, damagedRows } = store
    const isKnowledgeWhole = knowledge === undefined || isWholeKnowledge(knowledge)
    const isWhole = damage.length === 0 && damagedRows.length === 0 && isKnowledgeWhole
    const isWell = isWhole && summary.would_load === summary.checkpoints
    return isWell ? EXIT.success : EXIT.unverified
  } catch (error) {
    if (!(error instanceof EchelonError) || error.code !== 'STORE_UNUSABLE') throw error
    if (options.json) printLine(io, JSON.stringify({ file, problem: error.message }, null, 2))
    io.stderr.write(`echelon: ${clean(error.message)}\n`)
    return EXIT.unverified
  }
}

async function holdersFor(io: Io, options: DoctorOptions): Promise<readonly StateHolder[]> {
  const config = await configFor(io, options)
  const own = await agentsWithoutStore(options.agent ?? [], config)
  return [...own.map(holderOf), ...(await builtIn(config))]
}

/**
 * Agents that come with Echelon: decision, chat, cascade and support. What the cascade keeps in its state does not
 * depend on its models, so any will do.
 */
async function builtIn(config: Config): Promise<readonly StateHolder[]> {
  const decider = await createDecider({ config })
  const cascading = cascade(['a', 'b'], { verify: all([]), accept: 1 })
  const middlewares = [...(await builtInMiddleware()), skills([])]
  return [
    { definition: (started) => decider.definitionFor(started), middlewares },
    ...(await agentsOfServer(config)),
    createAgent({ permissions: {} }),
    createAgent({ name: 'cascade', permissions: {}, use: [cascading] }),
    await (await createSupportAgent()).holder(),
  ]
}
