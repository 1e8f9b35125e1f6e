import { Command } from 'commander'
import { EXIT } from '../../exit-status.ts'
import { type Io, printLine } from '../../io.ts'
import { atLeastOne } from '../../option-values.ts'
import { standAsText, standIn } from '../../replay/show-stand.ts'
import { describeEvents, describeRun, historyOf, keptRun, runAsJson } from '../../runs/show-run.ts'
import { type Act, runIn, type StoreOptions, usage } from './run-command.ts'
import { counted } from '../../terminal/counted.ts'

interface ShowOptions extends StoreOptions {
  readonly step?: number
  readonly json?: true
  readonly events?: true
}

/** `echelon runs show`. */
export const showRun = (io: Io, act: Act): Command =>
  act<ShowOptions>(
    new Command('show')
      .description('show a run step by step: messages, tool calls, time and cost')
      .argument('<run>')
      .option('--step <n>', 'show the state after this step', atLeastOne)
      .option('--events', 'show the events of the run')
      .option('--json', 'print it as JSON'),
    async (there, [said], { step, json, events }, hideKeys) => {
      const { store, run } = await runIn(there, said)
      if (events) {
        const kept = hideKeys(await store.events.read(run.id))
        printLine(io, json ? JSON.stringify(kept, null, 2) : describeEvents(io, kept))
        return EXIT.success
      }
      const kept = await keptRun(io, run, { entries: await store.runs.read(run.id), hideKeys })
      if (step === undefined) {
        printLine(io, json ? JSON.stringify(runAsJson(kept), null, 2) : describeRun(io, kept))
        return EXIT.success
      }
      const at = kept.steps.find(({ n }) => n === step)
      if (at === undefined) {
        const count = kept.steps.filter(({ n }) => n !== undefined).length
        throw usage(`the run has ${counted(count, 'step')}, not a step ${step}`)
      }
      const history = await historyOf(kept, store.sessions)
      const { definition } = kept
      const stand = hideKeys(standIn(kept.entries, at.seq, { definition, history }))
      printLine(io, json ? JSON.stringify({ step, ...stand }, null, 2) : standAsText(at, stand))
      return EXIT.success
    },
  )
