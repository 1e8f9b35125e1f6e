import { isRecord } from '../value/json.ts'
import type { Message } from './thread.ts'

type UserMessage = Extract<Message, { role: 'user' }>
type UserPart = UserMessage['content'][number]

/** The owner of the mark, as the model interface names options. Providers do not read it. */
const OWN = 'echelon'

/**
 * Data that a program adds to a prompt, such as retrieved documents or notes, one part each. It goes
 * after the conversation (`tail`): a prompt that begins with it could not be cached, and text from
 * outside would come before the instructions. It is a user message, since some providers accept system
 * messages only at the beginning.
 */
export const backgroundMessage = (texts: readonly string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({
    type: 'text',
    text,
    providerOptions: { [OWN]: { background: true } },
  })),
})

/** Whether a part of a message was added by `backgroundMessage` rather than written by the user. */
export function isBackground({ providerOptions }: Pick<UserPart, 'providerOptions'>): boolean {
  const own: unknown = providerOptions?.[OWN]
  return isRecord(own) && own['background'] === true
}

/**
 * Joins a user message at the end of a conversation with background that follows it: some servers
 * refuse two user messages in a row.
 */
export function joined(messages: readonly Message[], tail: readonly Message[]): readonly Message[] {
  const [last, first] = [messages.at(-1), tail[0]]
  if (last?.role !== 'user' || first?.role !== 'user' || !first.content.every(isBackground)) {
    return [...messages, ...tail]
  }
  const whole: Message = { ...last, content: [...last.content, ...first.content] }
  return joined([...messages.slice(0, -1), whole], tail.slice(1))
}
