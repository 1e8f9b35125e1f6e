import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { createAgent, createDecider, EchelonError } from 'echelon'
import { skills } from '@echelon/knowledge/skills'
import { builtInLayers, examineCheckpoint, type StateHolder } from 'echelon/runtime'
import { createSupportAgent } from '@echelon/support'
import { clean } from '../terminal/clean.ts'
import { configFor, type GlobalOptions } from '../configuration.ts'
import { STORE_FILE } from '../default-places.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { isThere } from '../is-there.ts'
import { KNOWLEDGE_FILE } from '../knowledge/open-knowledge.ts'
import { loadHolder } from '../state/load-holder.ts'
import {
  describeKnowledge,
  examineKnowledgeFile,
  isWholeKnowledge,
} from '../state/examine-knowledge.ts'
import { describeCheckpoints, summaryOf } from '../state/show-checkpoints.ts'
import { storeFileThere } from '../store/keep-store.ts'
import { STARTED_AS } from '../started-as.ts'
import { type Io, printLine } from '../io.ts'

interface DoctorOptions extends GlobalOptions {
  readonly agent?: string
  readonly json?: true
}

/** `echelon state`: what is stored of runs and conversations, against the code as it is now. */
export function stateCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  const doctor = new Command('doctor')
    .description('check what would happen if stored states were loaded now; writes nothing')
    .argument(
      '[file]',
      `a file that --store kept or a file of knowledge (default ${STORE_FILE}, and ${KNOWLEDGE_FILE} where it is there), an exported journal (JSON lines or an array), or the session of a chat`,
    )
    .option('--agent <module>', 'module that exports your agent or list of middleware')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DoctorOptions>()
      finish(await (file === undefined ? examineUsual(io, options) : examine(io, file, options)))
    })
  return new Command('state')
    .description('check whether stored states still load with the current code')
    .addCommand(doctor)
}

const HELP = `
A run of a store that ${STARTED_AS} decide or chat began is tried against the agent that it was begun with;
no model is loaded and no server connected. Of others, without --agent: the decision agent, as it is
configured, the agent of ${STARTED_AS} chat, the support agent with its own intents, and the middleware
that comes with Echelon. With --agent, runs
and conversations of that agent's name are tried against it. A module of your own exports an agent, { definition, layers }
or a list of middleware by default; it is loaded, so name only one that you trust.

Exit status: 0 all would load, 1 something would not load or is damaged, 2 bad usage.`

/** The store, and the knowledge of this folder. */
async function examineUsual(io: Io, options: DoctorOptions): Promise<ExitStatus> {
  const file = storeFileThere({}, await configFor(io, options))
  const known = isThere(KNOWLEDGE_FILE) ? KNOWLEDGE_FILE : undefined
  if (file !== undefined) return examineStore(io, file, options, known)
  if (known !== undefined) return examineKnown(io, known, options)
  throw new EchelonError(
    'INVALID_INPUT',
    'nothing is kept yet; name a store, an exported journal or a session',
  )
}

async function examine(io: Io, file: string, options: DoctorOptions): Promise<ExitStatus> {
  const { isDatabaseFile, isKnowledgeFile } = await import('@echelon/store')
  if (isDatabaseFile(file) && isKnowledgeFile(file)) return examineKnown(io, file, options)
  const isNamedSo = file.endsWith('.db') && existsSync(file)
  if (isNamedSo || isDatabaseFile(file)) return examineStore(io, file, options)
  // Schemas take longer to load than most commands to run.
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

async function examineKnown(io: Io, file: string, { json }: DoctorOptions): Promise<ExitStatus> {
  const report = await examineKnowledgeFile(file)
  if (json) io.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else printLine(io, describeKnowledge(report))
  return isWholeKnowledge(report) ? EXIT.success : EXIT.unverified
}

/**
 * A file of the store; what is wrong with the file itself is an answer, and no bad usage.
 * @param known the file of knowledge that is told of too
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
  const agents = new AgentsOfRuns(io, await named(options), await builtIn(io, options), options)
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
  return [...(await named(options)), ...(await builtIn(io, options))]
}

const named = async ({ agent }: DoctorOptions): Promise<readonly StateHolder[]> =>
  agent === undefined ? [] : [await loadHolder(agent)]

/** What comes with Echelon: the decision agent, the one of `echelon chat`, and the support agent. */
async function builtIn(io: Io, options: GlobalOptions): Promise<readonly StateHolder[]> {
  const decider = await createDecider({ config: await configFor(io, options) })
  const layers = [...(await builtInLayers()), skills([])]
  return [
    { definition: (started) => decider.definitionFor(started), layers },
    createAgent({ permissions: {} }),
    await (await createSupportAgent()).holder(),
  ]
}
