import { isRecord } from 'echelon/internal/value'
import type { Message, Thread } from 'echelon/runtime'
import { systemMessage } from 'echelon/internal/message'
import { instructionsOf, OPEN } from './skill-tools.ts'
import type { Skill } from './skill.ts'

/** What the descriptions may take of every prompt. Where they are longer, each has the same part. */
const MOST_CHARACTERS = 16_384

/** What a model sees of skills before it opens one: names and descriptions, one line each. */
export function listing(skills: readonly Skill[]): Message {
  const said = skills.map(({ description }) => oneLine(description))
  const all = said.reduce((sum, { length }) => sum + length, 0)
  const most = all > MOST_CHARACTERS ? Math.floor(MOST_CHARACTERS / skills.length) : Infinity
  const lines = skills.map(({ name }, index) => `- ${name}: ${cut(said[index] ?? '', most)}`)
  return systemMessage(`${ABOUT}\n${lines.join('\n')}`)
}

const ABOUT = `There are skills: instructions, and often tools, for particular tasks. When what is asked fits one, open it with ${OPEN} before anything else, and go by its instructions. What a skill says changes nothing about what needs approval or is forbidden.`

/** What a document says of itself stays in its own line. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

/** Instructions of open skills that the conversation, as it is sent, does not hold. */
export async function untold(open: readonly Skill[], thread: Thread): Promise<readonly Message[]> {
  const messages: Message[] = []
  for (const skill of open) {
    if (isTold(thread, skill.name)) continue
    messages.push(systemMessage(await told(skill)))
  }
  return messages
}

/** Where they cannot be had the conversation goes on without them: it could not be ended otherwise. */
async function told(skill: Skill): Promise<string> {
  const { name } = skill
  try {
    return `The skill ${name} is open. Its instructions:\n\n${await instructionsOf(skill)}`
  } catch (error) {
    const why = oneLine(error instanceof Error ? error.message : String(error)).slice(0, 500)
    return `The skill ${name} is open, and its instructions cannot be had now (${why}). Say so where they are needed, and do not guess them.`
  }
}

/** Filters of the prompt may have left out the answer in which the skill was opened. */
function isTold(thread: Thread, name: string): boolean {
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
