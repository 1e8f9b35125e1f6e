import { Command } from 'commander'
import { createAgent, createDecider } from 'echelon'
import { builtInLayers, examineCheckpoint, type StateHolder } from 'echelon/runtime'
import { configFor, type GlobalOptions } from '../configuration.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { loadHolder } from '../state/load-holder.ts'
import { describeCheckpoints, summaryOf } from '../state/show-checkpoints.ts'

interface DoctorOptions extends GlobalOptions {
  readonly agent?: string
  readonly json?: true
}

/** `echelon state`: what is stored of runs and conversations, against the code as it is now. */
export function stateCommand(finish: (status: ExitStatus) => void): Command {
  const doctor = new Command('doctor')
    .description('say what would happen to stored states if they were loaded now; writes nothing')
    .argument('<file>', 'an exported journal (JSON lines or an array), or the session of a chat')
    .option('--agent <module>', 'the file of an agent, or of a list of middleware, of your own')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', HELP)
    .action(async (file: string, _: unknown, command: Command) => {
      finish(await examine(file, command.optsWithGlobals<DoctorOptions>()))
    })
  return new Command('state')
    .description('whether stored states still load into the code as it is now')
    .addCommand(doctor)
}

const HELP = `
Without --agent: the decision agent, as it is configured, the agent of echelon chat,
and the middleware that comes with Echelon. A module of your own exports an agent, { definition, layers }
or a list of middleware by default; it is loaded, so name only one that you trust.

Exit status: 0 all would load, 1 something is refused, 2 bad usage.`

async function examine(file: string, options: DoctorOptions): Promise<ExitStatus> {
  // Schemas take longer to load than most commands to run.
  const { readCheckpoints } = await import('../state/read-checkpoints.ts')
  const checkpoints = readCheckpoints(file)
  const own = options.agent === undefined ? [] : [await loadHolder(options.agent)]
  const holders = [...own, ...(await builtIn(options))]
  const examined = checkpoints.map((checkpoint) => examineCheckpoint(checkpoint, holders))
  if (options.json) {
    const report = { file, summary: summaryOf(examined), checkpoints: examined }
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  } else console.log(describeCheckpoints(examined))
  return examined.every(({ loads }) => loads) ? EXIT.success : EXIT.unverified
}

/** What comes with Echelon: the decision agent, and the one of `echelon chat`. */
async function builtIn(options: GlobalOptions): Promise<readonly StateHolder[]> {
  const decider = await createDecider({ config: await configFor(options) })
  const layers = await builtInLayers()
  return [
    { definition: (started) => decider.definitionFor(started), layers },
    createAgent({ permissions: {} }),
  ]
}
