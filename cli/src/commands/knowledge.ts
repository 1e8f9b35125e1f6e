import { basename, resolve } from 'node:path'
import { Command } from 'commander'
import type { Added, FoundChunk, KnowledgeSource } from '@echelon/knowledge'
import pc from 'picocolors'
import { cancelOnInterrupt } from '../run/cancel-on-interrupt.ts'
import { clean, cut } from '../terminal/clean.ts'
import type { GlobalOptions } from '../configuration.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { addBar, NO_BAR } from '../knowledge/add-progress.ts'
import {
  fillingKnowledge,
  KNOWLEDGE_FILE,
  knowledgeAt,
  type OpenedKnowledge,
} from '../knowledge/open-knowledge.ts'
import { atLeastOne } from '../option-values.ts'
import { STARTED_AS } from '../started-as.ts'
import { type Io, printLine } from '../io.ts'
import { counted } from '../terminal/counted.ts'

interface KnowledgeOptions extends GlobalOptions {
  readonly db: string
  readonly json?: true
}

const AFTERWORD = `
Documents are .md, .pdf, .docx, .html, .csv and .txt. A chat in this folder looks things up in ${KNOWLEDGE_FILE}; in another file with: ${STARTED_AS} chat --knowledge FILE, and in a database with: ${STARTED_AS} chat --knowledge database`

const ADD_AFTERWORD = `
Unchanged documents are not read again; documents whose files are gone are removed.
In folders, the types listed in ${STARTED_AS} knowledge --help are read; links, hidden files and node_modules are skipped.

Exit status: 0 all were read, 1 one could not be read or the command was interrupted, 2 bad usage.`

type Finish = (status: ExitStatus) => void

/** `echelon knowledge add|list|search|remove`: documents that agents look things up in. */
export function knowledgeCommand(io: Io, finish: Finish): Command {
  return new Command('knowledge')
    .description('add, list, search and remove the documents that agents look things up in')
    .addHelpText('after', AFTERWORD)
    .addCommand(addCommand(io, finish))
    .addCommand(listCommand(io))
    .addCommand(searchCommand(io, finish))
    .addCommand(removeCommand(io, finish))
}

const withDb = (command: Command): Command =>
  command
    .option(
      '--db <place>',
      'a knowledge file, an address (postgres://…), or the word database for that of ECHELON_DATABASE',
      KNOWLEDGE_FILE,
    )
    .option('--json', 'print the result as JSON')

function addCommand(io: Io, finish: Finish): Command {
  return withDb(new Command('add'))
    .description('add documents, or update them')
    .argument('<paths...>', 'files, or folders with everything in them')
    .option(
      '--embedder <model>',
      'sentence (default, English), hashed (fast, any language), or a model as provider/model',
    )
    .addHelpText('after', ADD_AFTERWORD)
    .action(async (paths: readonly string[], _: unknown, called: Command) => {
      const options = called.optsWithGlobals<KnowledgeOptions & { readonly embedder?: string }>()
      await fillingKnowledge(io, options.db, options, (opened) => add(paths, opened, options.json))
    })

  async function add(
    paths: readonly string[],
    { base }: OpenedKnowledge,
    json: true | undefined,
  ): Promise<void> {
    const bar = json === true ? NO_BAR : addBar(io)
    const { signal, release } = cancelOnInterrupt(io, (text) => io.stderr.write(`${text}\n`))
    try {
      let isWhole = true
      for (const path of paths) {
        const added = await base.add(resolve(path), { signal, onProgress: bar.show })
        bar.stop()
        if (json === true) printJson(io, { path, ...added })
        else printAdded(io, added)
        isWhole &&= added.failed.length === 0
      }
      finish(isWhole ? EXIT.success : EXIT.unverified)
    } catch (error) {
      if (!signal.aborted) throw error
      io.stderr.write('interrupted; documents added so far are kept, and the next add continues\n')
      finish(EXIT.unverified)
    } finally {
      bar.stop()
      release()
    }
  }
}

function printAdded(io: Io, { added, unchanged, removed, failed }: Added): void {
  for (const source of added) printLine(io, `${pc.green('✓')} ${clean(source)}`)
  for (const source of removed) printLine(io, `${pc.dim('-')} ${clean(source)} (its file is gone)`)
  for (const failure of failed) printLine(io, `${pc.red('✗')} ${clean(whereItFailed(failure))}`)
  const counts = [`${added.length} added`, `${unchanged.length} unchanged`]
  if (removed.length > 0) counts.push(`${removed.length} removed`)
  if (failed.length > 0) counts.push(`${failed.length} not read`)
  printLine(io, counts.join(', '))
}

/** With the full path of the document, since two folders may hold files of the same name. */
function whereItFailed({ source, message }: Added['failed'][number]): string {
  const name = basename(source)
  return message.startsWith(name)
    ? `${source}${message.slice(name.length)}`
    : `${source}: ${message}`
}

function listCommand(io: Io): Command {
  return withDb(new Command('list'))
    .description('list the documents')
    .action(async (_: unknown, called: Command) => {
      const options = called.optsWithGlobals<KnowledgeOptions>()
      await using opened = await knowledgeAt(io, options.db, options)
      const sources = await opened.base.list()
      if (options.json === true) return printJson(io, { sources })
      for (const source of sources) printLine(io, sourceLine(source))
      if (sources.length === 0) printLine(io, 'it has no documents')
    })
}

const sourceLine = ({ id, title, chunks, damaged }: KnowledgeSource): string =>
  `${pc.bold(clean(id))}  ${clean(title)} ${
    damaged ? pc.red('damaged: add it again') : pc.dim(`(${counted(chunks, 'piece')})`)
  }`

function searchCommand(io: Io, finish: Finish): Command {
  return withDb(new Command('search'))
    .description('find the passages nearest to a text')
    .argument('<words...>', 'a question, or words')
    .option('--limit <number>', 'maximum number of passages; default: 5', atLeastOne)
    .option('--below <path>', 'only in documents below this path')
    .addHelpText(
      'after',
      '\nThe nearest passages are shown at any distance; a chat gets only those that are near enough.\n\nExit status: 0 when something was found, 1 when nothing was, 2 bad usage.',
    )
    .action(async (words: readonly string[], _: unknown, called: Command) => {
      const options = called.optsWithGlobals<
        KnowledgeOptions & { readonly limit?: number; readonly below?: string }
      >()
      await using opened = await knowledgeAt(io, options.db, options)
      const { limit, below } = options
      const found = await opened.base.search(words.join(' '), {
        ...(limit !== undefined && { limit }),
        ...(below !== undefined && { below: resolve(below) }),
      })
      if (options.json === true) printJson(io, { found })
      else for (const [nth, chunk] of found.entries()) printFound(io, chunk, nth + 1)
      if (found.length === 0 && options.json !== true) printLine(io, 'nothing found')
      finish(found.length > 0 ? EXIT.success : EXIT.unverified)
    })
}

const SHOWN_CHARACTERS = 300

function printFound(
  io: Io,
  { source, page, headings, text, similarity }: FoundChunk,
  number: number,
): void {
  const at = page === null ? '' : `, page ${page}`
  const near = similarity === undefined ? '' : pc.dim(` (similarity ${similarity.toFixed(2)})`)
  printLine(io, `[${number}] ${pc.bold(clean(source))}${at}${near}`)
  if (headings.length > 0) printLine(io, pc.dim(`    ${clean(headings.join(' › '))}`))
  printLine(io, `    ${cut(clean(text), SHOWN_CHARACTERS)}`)
}

function removeCommand(io: Io, finish: Finish): Command {
  return withDb(new Command('remove'))
    .description('remove documents; their own files stay')
    .argument('<paths...>', 'documents, or folders of them')
    .addHelpText('after', '\nExit status: 0 all were found, 1 one was not, 2 bad usage.')
    .action(async (paths: readonly string[], _: unknown, called: Command) => {
      const options = called.optsWithGlobals<KnowledgeOptions>()
      await using opened = await knowledgeAt(io, options.db, options)
      let isWhole = true
      for (const path of paths) {
        const removed = await opened.base.remove(resolve(path))
        isWhole &&= removed.length > 0
        if (options.json === true) printJson(io, { path, removed })
        else if (removed.length === 0) printLine(io, `${clean(path)} is not among the documents`)
        else for (const source of removed) printLine(io, `${pc.dim('-')} ${clean(source)}`)
      }
      finish(isWhole ? EXIT.success : EXIT.unverified)
    })
}

const printJson = (io: Io, value: object): void => {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}
