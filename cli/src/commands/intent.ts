import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { EchelonError } from 'echelon/runtime'
import { memoryFolder } from '@echelon/assist'
import pc from 'picocolors'
import { describeIntent } from '../assist/describe.ts'
import { changedIntent, FIELDS } from '../assist/changed-intent.ts'
import { editIntent } from '../assist/edit-intent.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { STARTED_AS } from '../started-as.ts'
import { type Io, printLine } from '../io.ts'

interface Where {
  readonly memory: string
}

interface SetOptions extends Where {
  readonly add?: true
  readonly remove?: true
}

const AFTERWORD = `
The fields: ${FIELDS.join(', ')}. An intent has fewer than 50 lines.
Runs never change it. Use this command, or edit the file.

Exit status: 0, or 2 when the intent would be invalid; then nothing is changed.`

/** `echelon intent`: shows and changes what the assistant works toward. */
export function intentCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  const show = withMemory(new Command('show'))
    .description('show the intent')
    .option('--json', 'print it as JSON')
    // An unknown subcommand arrives here as an argument, because `show` is the default.
    .argument('[word]')
    .usage('[options]')
    .action(async (word: string | undefined, options: Where & { readonly json?: true }) => {
      if (word !== undefined) {
        throw new EchelonError(
          'INVALID_INPUT',
          `intent has no command ${word}; use show, edit or set`,
        )
      }
      await showIntent(io, options)
    })
  const edit = withMemory(new Command('edit'))
    .description('edit a copy in $VISUAL or $EDITOR; it replaces the intent if it is valid')
    .action(async ({ memory }: Where) => {
      printLine(io, await editIntent(io, memoryFolder(memory)))
      finish(EXIT.success)
    })
  const set = withMemory(new Command('set'))
    .description('change one field')
    .argument('<field>', FIELDS.join(', '))
    .argument('<values...>', 'the new text, or list items')
    .option('--add', 'add to the list')
    .option('--remove', 'remove from the list')
    .action(async (field: string, values: readonly string[], options: SetOptions) => {
      const memory = memoryFolder(options.memory)
      const ifText = await memory.intentText()
      const changed = changedIntent(await memory.intent(), { ...options, field, values })
      await memory.setIntent(changed, { ifText })
      printLine(io, `${describeIntent(changed)}\n${pc.dim(`kept in ${memory.intentFile}`)}`)
    })
  return new Command('intent')
    .description('show or change what the assistant works toward; it overrides plans and answers')
    .addCommand(show, { isDefault: true })
    .addCommand(edit)
    .addCommand(set)
    .addHelpText('after', AFTERWORD)
}

const withMemory = (command: Command): Command =>
  command.option('--memory <folder>', 'folder of intent.json', 'memory')

async function showIntent(
  io: Io,
  { memory, json }: Where & { readonly json?: true },
): Promise<void> {
  const folder = memoryFolder(memory)
  const intent = await folder.intent()
  if (json) {
    io.stdout.write(`${JSON.stringify(intent, null, 2)}\n`)
    return
  }
  const where = existsSync(folder.intentFile)
    ? folder.intentFile
    : `the default intent of Echelon; ${STARTED_AS} intent edit changes it`
  printLine(io, `${describeIntent(intent)}\n${pc.dim(where)}`)
}
