import { EchelonError } from 'echelon/runtime'
import { inOwnWords } from './own-words.ts'

/** What is typed to steer a conversation instead of being said in it. */
export interface TypedCommand<Talk> {
  readonly takes?: string
  readonly does: string
  /** @returns what to say; nothing to end the conversation */
  run(talk: Talk, rest: string): Promise<string | undefined> | string | undefined
}

export type TypedCommands<Talk> = Readonly<Record<string, TypedCommand<Talk>>>

/** Who says what became of a command. */
interface Teller {
  say(text: string): void
  complain(text: string): void
}

/** `/name`, alone or before a space; a path such as /etc/hosts is no command. */
const FORM = /^\/(?<name>[a-z]+)(?:\s+(?<rest>[^]*))?$/i

export const isCommand = (line: string): boolean => FORM.test(line)

/** Whether somebody ends a conversation as they would a shell. */
export const isLeaving = (said: string): boolean => /^(?:exit|quit)$/i.test(said)

/** Does what a line orders. What is wrong with it is said, and all stays as it was. */
export async function runTyped<Talk>(
  line: string,
  commands: TypedCommands<Talk>,
  talk: Talk,
  { face, redact }: { readonly face: Teller; readonly redact: (text: string) => string },
): Promise<'on' | 'end'> {
  const { name = '', rest = '' } = FORM.exec(line)?.groups ?? {}
  const key = name.toLowerCase() === 'quit' ? 'exit' : name.toLowerCase()
  const command = Object.hasOwn(commands, key) ? commands[key] : undefined
  if (command === undefined) {
    face.complain(`there is no command /${name}; /help lists those there are`)
    return 'on'
  }
  try {
    const said = await command.run(talk, rest.trim())
    if (said === undefined) return 'end'
    face.say(said)
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    face.complain(redact(inOwnWords(error.message)))
  }
  return 'on'
}

export const namesOf = <Talk>(commands: TypedCommands<Talk>): readonly string[] =>
  Object.keys(commands).map((name) => `/${name}`)

/** The list of them, for `/help`. */
export function helpOf<Talk>(commands: TypedCommands<Talk>): string {
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
