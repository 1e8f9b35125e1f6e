import { isJsonObject, type Json } from 'echelon/runtime'

/** Longer questions are cut in lists. */
const LONGEST = 2000

/**
 * Returns the user's question from a run's stored input: a task, the last message of a conversation, or a turn of
 * the support agent or the assistant. `null` for an agent that keeps it elsewhere.
 */
export function askedIn(input: Json): string | null {
  const text = textIn(input)
  if (text === undefined || text.length <= LONGEST) return text ?? null
  return `${text.slice(0, LONGEST)}…`
}

function textIn(input: Json | undefined): string | undefined {
  if (typeof input === 'string') return input
  if (!isJsonObject(input)) return undefined
  const { input: task, text, interaction, messages } = input
  if (typeof task === 'string') return task
  if (typeof text === 'string') return text
  return isJsonObject(interaction) ? textIn(interaction) : lastSaid(messages)
}

function lastSaid(messages: Json | undefined): string | undefined {
  if (!Array.isArray(messages)) return undefined
  const last = messages.findLast(
    (message: Json) => isJsonObject(message) && message['role'] === 'user',
  )
  const content: Json | undefined = isJsonObject(last) ? last['content'] : undefined
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  const texts = content.map((part: Json) => (isJsonObject(part) ? textIn(part) : undefined))
  return texts.filter((part) => part !== undefined).join('\n')
}
