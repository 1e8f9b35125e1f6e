import type { Thread } from 'echelon/runtime'

/** A long message is searched by its beginning. */
const MAX_QUERY = 4000

/** The text of the user's last message. */
export function lastUserText(thread: Thread): string {
  for (let index = thread.length - 1; index >= 0; index--) {
    const message = thread.at(index)
    if (message?.role !== 'user') continue
    const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    return texts.join('\n').slice(0, MAX_QUERY).toWellFormed().trim()
  }
  return ''
}
