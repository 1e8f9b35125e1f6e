import { randomUUID } from 'node:crypto'
import { Command } from 'commander'
import { EchelonError } from 'echelon/runtime'
import type { Fact, UserFacts } from '@echelon/knowledge'
import { describeFact, factsAt, hasFacts } from '../memory/facts.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { type Io, printLine } from '../io.ts'
import { STARTED_AS } from '../started-as.ts'

interface Where {
  readonly memory: string
  readonly json?: true
}

const AFTERWORD = `
${STARTED_AS} assist --remember learns facts from what you say, and ${STARTED_AS} assist uses them.
Each has the sentence that it comes from.

Exit status: 0, 1 when search found nothing, 2 bad usage.`

/** `echelon memory`: shows and changes what is remembered about the user. */
export function memoryCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('memory')
    .description('show and change what is remembered about you')
    .addCommand(listCommand(io), { isDefault: true })
    .addCommand(searchCommand(io, finish))
    .addCommand(addCommand(io))
    .addCommand(changeCommand(io))
    .addCommand(forgetCommand(io))
    .addHelpText('after', AFTERWORD)
}

const withFolder = (command: Command): Command =>
  command
    .option('--memory <folder>', 'folder of the facts', 'memory')
    .option('--json', 'print the result as JSON')

const listCommand = (io: Io): Command =>
  withFolder(new Command('list'))
    .description('list all facts')
    // An unknown subcommand arrives here as an argument, because `list` is the default.
    .argument('[word]')
    .usage('[options]')
    .action(async (word: string | undefined, options: Where) => {
      if (word !== undefined) {
        throw usage(`memory has no command ${word}; use list, search, add, change or forget`)
      }
      const facts = await inFacts(options, (all) => all.all())
      print(io, facts ?? [], options, `nothing is remembered in ${options.memory}`)
    })

const searchCommand = (io: Io, finish: (status: ExitStatus) => void): Command =>
  withFolder(new Command('search'))
    .description('find facts by meaning and words')
    .argument('<words...>', 'a question, or words')
    .action(async (words: readonly string[], options: Where) => {
      const found = (await inFacts(options, (all) => all.search(words.join(' ')))) ?? []
      print(io, found, options, 'nothing found')
      finish(found.length > 0 ? EXIT.success : EXIT.unverified)
    })

const addCommand = (io: Io): Command =>
  withFolder(new Command('add'))
    .description('add a fact, or replace the one about the same thing')
    .argument('<about>', 'what it is about, such as home')
    .argument('<fact...>', 'the fact, as a sentence')
    .action(async (about: string, words: readonly string[], options: Where) => {
      await using opened = await factsAt(options.memory)
      print(io, [await opened.facts.add(about, words.join(' '), randomUUID())], options, '')
    })

const changeCommand = (io: Io): Command =>
  withFolder(new Command('change'))
    .description('change a fact')
    .argument('<id>', 'its id, such as n12')
    .argument('<fact...>', 'the fact, as a sentence')
    .action(async (id: string, words: readonly string[], options: Where) => {
      const key = randomUUID()
      const changed = await inFacts(options, (all) => all.change(id, words.join(' '), key))
      if (changed === undefined) throw nothingThere(options)
      print(io, [changed], options, '')
    })

const forgetCommand = (io: Io): Command =>
  withFolder(new Command('forget'))
    .description('forget facts')
    .argument('[ids...]', 'their ids')
    .option('--all', 'forget everything')
    .action(async (ids: readonly string[], options: Where & { readonly all?: true }) => {
      if ((ids.length === 0) === (options.all === undefined)) {
        throw usage('name the facts to forget by their ids, or all of them with --all')
      }
      const count = await inFacts(options, async (facts) => {
        if (options.all) return await facts.forgetAll()
        for (const id of ids) await facts.forget(id, randomUUID())
        return ids.length
      })
      if (count === undefined) throw nothingThere(options)
      printLine(io, options.json ? JSON.stringify({ forgotten: count }) : `${count} forgotten`)
    })

/** @returns undefined if the file of facts does not exist; reading never creates it */
async function inFacts<Value>(
  { memory }: Where,
  use: (facts: UserFacts) => Promise<Value>,
): Promise<Value | undefined> {
  if (!hasFacts(memory)) return undefined
  await using opened = await factsAt(memory)
  return await use(opened.facts)
}

function print(io: Io, facts: readonly Fact[], { json }: Where, nothing: string): void {
  if (json) io.stdout.write(`${JSON.stringify({ facts }, null, 2)}\n`)
  else if (facts.length === 0) printLine(io, nothing)
  else for (const fact of facts) printLine(io, describeFact(fact))
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)

const nothingThere = ({ memory }: Where): EchelonError =>
  usage(`nothing is remembered in ${memory}; name another folder with --memory`)
