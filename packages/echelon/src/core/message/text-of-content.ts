import type { AssistantContent } from './thread.ts'

/** Joins its text parts. */
export function textOf(content: AssistantContent): string {
  let text = ''
  for (const part of content) if (part.type === 'text') text += part.text
  return text
}

/** Replaces the text parts by one text, at the place of the first. */
export function withText(content: AssistantContent, text: string): AssistantContent {
  const first = content.findIndex(({ type }) => type === 'text')
  if (first === -1) return text === '' ? content : withNewText(content, text)
  return content.flatMap((part, index): AssistantContent => {
    if (part.type !== 'text') return [part]
    return index === first ? [{ ...part, text }] : []
  })
}

/** After the reasoning, before the calls. */
function withNewText(content: AssistantContent, text: string): AssistantContent {
  const called = content.findIndex(({ type }) => type === 'tool-call')
  return content.toSpliced(called === -1 ? content.length : called, 0, { type: 'text', text })
}
