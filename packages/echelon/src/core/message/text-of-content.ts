import type { AssistantContent } from './thread.ts'

/** What its text parts say together. */
export function textOf(content: AssistantContent): string {
  let text = ''
  for (const part of content) if (part.type === 'text') text += part.text
  return text
}

/** The content saying this: one text in the place of the first, since the others are part of it. */
export function withText(content: AssistantContent, text: string): AssistantContent {
  const first = content.findIndex(({ type }) => type === 'text')
  if (first === -1) return text === '' ? content : withNewText(content, text)
  return content.flatMap((part, index): AssistantContent => {
    if (part.type !== 'text') return [part]
    return index === first ? [{ ...part, text }] : []
  })
}

/** After what was thought, before what is called. */
function withNewText(content: AssistantContent, text: string): AssistantContent {
  const called = content.findIndex(({ type }) => type === 'tool-call')
  return content.toSpliced(called === -1 ? content.length : called, 0, { type: 'text', text })
}
