import { type Command, Option } from 'commander'
import { MODES, UNCHECKED } from 'echelon/decide'
import { commaList, positive, share } from '../option-values.ts'
import { withOtel } from '../otel.ts'
import { RECORDS_FOLDER } from '../default-places.ts'

/** The options of every command that runs cases: models, limits, tapes and records. */
export const withModelOptions = (command: Command): Command =>
  withRecords(withOtel(command))
    .addOption(
      new Option(
        '--mode <mode>',
        'full loop on the small model, or one round (fallback_only); default: hrm_small_then_escalate',
      ).choices(MODES),
    )
    .addOption(
      new Option(
        '--unchecked <what>',
        "if the answer can't be checked: return the small model's answer, escalate to bigger models, or ask no model; default: answer",
      ).choices(UNCHECKED),
    )
    .option('--small <model>', 'model that starts the task, as provider/model')
    .option('--big <model>', 'model to escalate to, as provider/model')
    .option('--ladder <models>', 'several models, cheapest first, comma-separated', commaList)
    .option(
      '--gate <file>',
      'fitted score (gate.json of tune) for answers to questions that no verifier reads',
    )
    .option('--accept <score>', 'score from which the gate accepts an answer; default: 0.8', share)
    .option(
      '--opinions <models>',
      'models that the gate asks for second opinions, in the order of tune --opinions, comma-separated',
      commaList,
    )
    .option(
      '--base-url <url>',
      'server of the named models; openai-compatible reads its key from ECHELON_API_KEY',
    )
    .option('--record-models <file>', 'record every model call to a new file')
    .option('--replay-models <file>', 'answer from a --record-models file, without key or network')
    .option('--max-seconds <number>', 'time limit of a run; default: 60', positive)
    .option(
      '--max-call-seconds <number>',
      'time limit of one model answer; default: 15, or 45 for a bigger model, which may reason',
      positive,
    )
    .option('--max-cost <dollars>', 'cost limit of a run in US dollars; default: none', positive)

/** The options of every command that writes records. */
export const withRecords = (command: Command): Command =>
  command
    .option('--records <folder>', `folder for records of runs; default: ${RECORDS_FOLDER}`)
    .option('--no-records', 'do not write records')
    .option('--cost-alert <dollars>', 'warn when the runs of one day cost more than this', positive)
