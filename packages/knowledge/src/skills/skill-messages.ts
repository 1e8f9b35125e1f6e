import { isRecord } from 'echelon/internal/value'
import type { Message, Thread } from 'echelon/runtime'
import { systemMessage } from 'echelon/internal/message'
import { instructionsOf, OPEN } from './skill-tools.ts'
import type { Skill } from './skill.ts'

/** Limit on all descriptions in a prompt. If they are longer, each gets an equal share. */
const MAX_CHARACTERS = 16_384

/** The list a model sees before it opens a skill: names and descriptions, one line each. */
export function listing(skills: readonly Skill[]): Message {
  const descriptions = skills.map(({ description }) => oneLine(description))
  const total = descriptions.reduce((sum, { length }) => sum + length, 0)
  const most = total > MAX_CHARACTERS ? Math.floor(MAX_CHARACTERS / skills.length) : Infinity
  const lines = skills.map(
    ({ name }, index) => `- ${name}: ${cut(descriptions[index] ?? '', most)}`,
  )
  return systemMessage(`${ABOUT}\n${lines.join('\n')}`)
}

const ABOUT = `There are skills: instructions, and often tools, for particular tasks. When a request fits one, open it with ${OPEN} before anything else, and follow its instructions. A skill never changes what needs approval or is forbidden.`

/** Keeps a description on its own line. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

/** Instructions of open skills that are missing from the conversation as it is sent. */
export async function missingInstructions(
  open: readonly Skill[],
  thread: Thread,
): Promise<readonly Message[]> {
  const messages: Message[] = []
  for (const skill of open) {
    if (hasInstructions(thread, skill.name)) continue
    messages.push(systemMessage(await instructionsMessage(skill)))
  }
  return messages
}

/** If they cannot be loaded, the conversation continues without them; otherwise it could not be ended. */
async function instructionsMessage(skill: Skill): Promise<string> {
  const { name } = skill
  try {
    return `The skill ${name} is open. Its instructions:\n\n${await instructionsOf(skill)}`
  } catch (error) {
    const why = oneLine(error instanceof Error ? error.message : String(error)).slice(0, 500)
    return `The skill ${name} is open, but its instructions cannot be loaded now (${why}). Say so if they are needed, and do not guess them.`
  }
}

/** A prompt filter may have dropped the answer in which the skill was opened. */
function hasInstructions(thread: Thread, name: string): boolean {
  for (let index = 0; index < thread.length; index++) {
    const message = thread.at(index)
    if (message?.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type !== 'tool-result' || part.toolName !== OPEN) continue
      if (part.output.type !== 'json' || !isRecord(part.output.value)) continue
      if (part.output.value['skill'] === name) return true
    }
  }
  return false
}
