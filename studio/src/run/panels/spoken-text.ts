import type { Json } from 'echelon/client'
import { isObject } from '../story/fields.ts'

/** The text of a message; for other parts, such as a tool call, their JSON. */
export function spokenText(content: Json): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2)
  return content
    .map((part: Json) =>
      isObject(part) && typeof part['text'] === 'string'
        ? part['text']
        : JSON.stringify(part, null, 2),
    )
    .join('\n')
}
