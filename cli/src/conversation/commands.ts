import type { Display, Ended } from './display.ts'

/** A line that steers the conversation instead of being said in it, such as `/cost`. */
export type Command<Context> = {
  readonly takes?: string
  readonly does: string
} & (
  | { /** @returns what to show */ run(context: Context, rest: string): Promise<string> | string }
  | { /** A command that is a turn. */ turn(context: Context, rest: string): Promise<Ended> }
  | { /** Ends the conversation. */ readonly ends: true }
)

/** Commands by name, without the slash. */
export type Commands<Context> = Readonly<Record<string, Command<Context>>>

/** `/name`, alone or before a space; a path such as /etc/hosts is not a command. */
const FORM = /^\/(?<name>[a-z]+)(?:\s+(?<rest>[^]*))?$/i

export const isCommand = (line: string): boolean => FORM.test(line)

/** Whether the line ends a conversation as it would end a shell. */
export const isLeaving = (said: string): boolean => /^(?:exit|quit)$/i.test(said)

/** Adds the commands of every conversation. */
export function withCommonCommands<Context>(own: Commands<Context>): Commands<Context> {
  const all: Commands<Context> = {
    ...own,
    help: { does: 'list the commands', run: () => helpOf(all) },
    exit: { does: 'end; /quit and Ctrl-D do too', ends: true },
  }
  return all
}

/** @returns the command that the line names; undefined if it names none of these */
export function commandIn<Context>(
  line: string,
  commands: Commands<Context>,
): Command<Context> | undefined {
  const name = FORM.exec(line)?.groups?.['name']?.toLowerCase() ?? ''
  const key = name === 'quit' ? 'exit' : name
  return Object.hasOwn(commands, key) ? commands[key] : undefined
}

/**
 * Runs the command of a line.
 * @returns how it ended if it is a turn, `end` if it ends the conversation, else `on`
 */
export async function runCommand<Context>(
  line: string,
  commands: Commands<Context>,
  context: Context,
  display: Pick<Display, 'say' | 'complain'>,
): Promise<Ended | 'on' | 'end'> {
  const command = commandIn(line, commands)
  const { name, rest = '' } = FORM.exec(line)?.groups ?? {}
  if (command === undefined) {
    display.complain(`there is no command /${name}; /help lists the commands`)
    return 'on'
  }
  if ('ends' in command) return 'end'
  if ('turn' in command) return await command.turn(context, rest.trim())
  display.say(await command.run(context, rest.trim()))
  return 'on'
}

export const namesOf = <Context>(commands: Commands<Context>): readonly string[] =>
  Object.keys(commands).map((name) => `/${name}`)

function helpOf<Context>(commands: Commands<Context>): string {
  const rows = Object.entries(commands).map(([name, { takes, does }]) => ({
    usage: takes === undefined ? `/${name}` : `/${name} ${takes}`,
    does,
  }))
  const width = Math.max(...rows.map(({ usage }) => usage.length))
  const lines = rows.map(({ usage, does }) => `${usage.padEnd(width)}  ${does}`)
  const keys =
    'Ctrl-C cancels an answer under way and leaves a question waiting; at the prompt, twice ends the chat.'
  return [...lines, `${keys} exit and quit do as well.`].join('\n')
}
