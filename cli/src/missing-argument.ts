import type { Command } from 'commander'
import { STARTED_AS } from './started-as.ts'

/** Required arguments of each command, with an example. */
const NEEDS: Readonly<Record<string, readonly [what: string, example: string]>> = {
  decide: ['a task', 'decide "What is 15 * 23?"'],
  eval: ['a data set', 'eval datasets/decide.json'],
  tune: ['a file of traces', 'tune traces.jsonl'],
  replay: ['a recording', 'replay run.jsonl'],
  backup: ['a file for the copy', 'backup echelon-backup.db'],
  'intent set': ['a field and its text', 'intent set north_stars family_first --add'],
  'memory search': ['words to look for', 'memory search "where do I live"'],
  'memory add': ['what it is about and the fact', 'memory add seat by the window'],
  'memory change': ['a fact and its new text', 'memory change n1 on the aisle'],
  'knowledge add': ['files or folders', 'knowledge add docs'],
  'knowledge search': ['words to look for', 'knowledge search "opening hours"'],
  'knowledge remove': ['documents or a folder', 'knowledge remove docs/old.md'],
  'state copy': ['a store and an empty one', 'state copy .echelon/echelon.db copy.db'],
  'runs show': ['a run', 'runs show last'],
  'runs resume': ['a run', 'runs resume last'],
  'runs answer': ['a run and a reply', 'runs answer last once'],
  'runs cancel': ['a run', 'runs cancel last'],
  'runs fork': ['a run and the step to leave it at', 'runs fork last --at 2'],
  'tools test': ['the name of a server', 'tools test files'],
  'tools allow': ['the name of a server', 'tools allow files'],
  'tools remove': ['the name of a server', 'tools remove files'],
  'tools add mcp': [
    'a name and a program or an address',
    'tools add mcp files -- npx -y @modelcontextprotocol/server-filesystem .',
  ],
}

/** Makes the error for a missing argument say what is needed, with an example to type. */
export function withExample(command: Command): Command {
  const outer = command.configureOutput()
  return command.configureOutput({
    outputError(text, write) {
      const need = IS_MISSING.test(text) ? needOf(command) : undefined
      outer.outputError?.(need === undefined ? text : `error: ${need}\n`, write)
    },
  })
}

const IS_MISSING = /^error: (?:missing required argument|required option .* not specified)/

/**
 * Refuses an empty first argument, as an unset shell variable leaves one.
 * @throws CommanderError as for a missing argument
 */
export function refuseEmpty(command: Command): void {
  const [first] = command.registeredArguments
  const [given] = command.args
  if (first?.required !== true || given === undefined || given.trim() !== '') return
  command.error(`error: missing required argument '${first.name()}'`)
}

/** Describes the arguments that a command needs, with an example; undefined if it needs none. */
export function needOf(command: Command): string | undefined {
  const path = pathOf(command)
  const needs = NEEDS[path]
  return needs && `${path} needs ${needs[0]}, such as\n  ${STARTED_AS} ${needs[1]}`
}

const pathOf = (command: Command): string => {
  const above = command.parent
  return above?.parent ? `${pathOf(above)} ${command.name()}` : command.name()
}
