import { type Command, Option } from 'commander'
import { MODES, UNCHECKED } from 'echelon/decide'
import { commaList, positive } from '../option-values.ts'
import { withOtel } from '../otel.ts'
import { RECORDS_FOLDER } from '../default-places.ts'

/** The options of every command that runs cases: models, limits, tapes and records. */
export const withModelOptions = (command: Command): Command =>
  withRecords(withOtel(command))
    .addOption(
      new Option(
        '--mode <mode>',
        'how long the small model is tried; default hrm_small_then_escalate',
      ).choices(MODES),
    )
    .addOption(
      new Option(
        '--unchecked <what>',
        "a question whose answer can't be checked: return the small model's answer, ask bigger models too, or ask none; default answer",
      ).choices(UNCHECKED),
    )
    .option('--small <model>', 'the model to begin with, as provider/model')
    .option('--big <model>', 'the model to promote to, as provider/model')
    .option('--ladder <models>', 'several models, cheapest first, with commas', commaList)
    .option(
      '--base-url <url>',
      'server of the models that are named; key of openai-compatible: ECHELON_API_KEY',
    )
    .option('--record-models <file>', 'record every call of a model to a new file')
    .option('--replay-models <file>', 'answer from such a file, without key or network')
    .option('--max-seconds <number>', 'time of a run; default 60', positive)
    .option(
      '--max-call-seconds <number>',
      'time of one answer of a model; default 15, and 45 for a bigger model, which may think',
      positive,
    )
    .option('--max-cost <dollars>', 'US dollars of a run; no limit by default', positive)

/** The options of every command that leaves records. */
export const withRecords = (command: Command): Command =>
  command
    .option('--records <folder>', `where records of runs are kept; default ${RECORDS_FOLDER}`)
    .option('--no-records', 'keep no records')
    .option('--cost-alert <dollars>', 'say when the runs of a day took more', positive)
