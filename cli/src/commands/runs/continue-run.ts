import { Command } from 'commander'
import { EchelonError } from 'echelon/runtime'
import { EXIT, type ExitStatus } from '../../exit-status.ts'
import type { Io } from '../../io.ts'
import { atLeastOne, commaList } from '../../option-values.ts'
import { forkKept, type KeptForkOptions } from '../../runs/fork-kept.ts'
import { goOn, type GoOnOptions, ownRun } from '../../runs/go-on.ts'
import { readAnswer, requestOf } from '../../runs/read-answer.ts'
import { STARTED_AS } from '../../started-as.ts'
import {
  type Act,
  assertOpen,
  isBusy,
  runIn,
  short,
  type StoreOptions,
  usage,
  withRepeatedOptions,
} from './run-command.ts'

type ResumeOptions = StoreOptions & GoOnOptions

/** `echelon runs resume`. */
export const resumeRun = (io: Io, act: Act): Command =>
  act<ResumeOptions>(
    withRepeatedOptions(new Command('resume'))
      .description('resume a run in this terminal, in the folder where it was started')
      .argument('<run>'),
    async (there, [said], options) => {
      const { store, run } = await runIn(there, said)
      assertOpen(run)
      if (run.status === 'running') {
        throw usage(
          `a process is already working on the run ${short(run)}; you can answer or cancel it from here`,
        )
      }
      return goOn(io, ownRun(run), store, options)
    },
  )

interface AnswerOptions extends ResumeOptions {
  readonly request?: string
  readonly later?: true
}

/** `echelon runs answer`. */
export const answerRun = (io: Io, act: Act): Command =>
  act<AnswerOptions>(
    withRepeatedOptions(new Command('answer'))
      .description('answer what a run waits for, and resume it here')
      .argument('<run>')
      .argument('<reply...>', 'once, always, no (or deny) or never; yes or no; a text; or JSON')
      .option('--request <id>', 'id of the request, if there are several')
      .option(
        '--later',
        'only store the answer; resume, a host or the terminal that asked continues the run',
      ),
    async (there, [said, ...words], options) => {
      const { store, run } = await runIn(there, said)
      assertOpen(run)
      const request = requestOf(run, options.request)
      const reply = readAnswer(request, words.join(' '))
      // Checked before the answer is stored: can this process resume the run?
      const own = options.later === true ? undefined : ownRun(run)
      // Throws if the journal is damaged: such a run could not be resumed, so it takes no answer.
      await store.runs.read(run.id)
      await store.runs.reply(run.id, request.id, reply)
      const resume = `${STARTED_AS} runs resume ${short(run)}`
      if (own === undefined) return tell(io, `answered; ${resume} continues it`)
      try {
        return await goOn(io, own, store, options)
      } catch (error) {
        if (isBusy(error)) return tell(io, 'answered; the process that works on it continues')
        if (error instanceof EchelonError)
          tell(io, `the answer is stored, but resuming failed; try ${resume} later:`)
        throw error
      }
    },
  )

function tell(io: Io, sentence: string): ExitStatus {
  io.stderr.write(`${sentence}\n`)
  return EXIT.success
}

/** `echelon runs fork`. */
export const forkRun = (io: Io, act: Act): Command =>
  act<StoreOptions & KeptForkOptions>(
    withRepeatedOptions(new Command('fork'))
      .description('start a new run from a step of this one')
      .argument('<run>')
      .requiredOption('--at <n>', 'first step to run again, numbered as in show', atLeastOne)
      .option('--act <names>', 'tools that may act in the fork, comma-separated', commaList)
      .option('--small <model>', 'for a decide run: model that starts the task, as provider/model')
      .option('--big <model>', 'for a decide run: model to escalate to')
      .option('--model <model>', 'for a chat: model that answers'),
    async (there, [said], options) => {
      const { store, run } = await runIn(there, said)
      return forkKept(io, ownRun(run), store, options)
    },
  )
