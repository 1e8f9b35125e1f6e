import type { Message } from '../../core/message/thread.ts'

/** Returns whether a message refers to a file without its bytes, so that its tokens are unknown. */
export function hasAbsentFile({ content }: Message): boolean {
  return typeof content !== 'string' && content.some(isAbsent)
}

type Part = Exclude<Message['content'], string>[number]

function isAbsent(part: Part): boolean {
  if (part.type === 'file' || part.type === 'reasoning-file') return isElsewhere(part.data.type)
  if (part.type !== 'tool-result' || part.output.type !== 'content') return false
  return part.output.value.some((one) => one.type === 'file' && isElsewhere(one.data.type))
}

const isElsewhere = (type: 'data' | 'text' | 'url' | 'reference'): boolean =>
  type === 'url' || type === 'reference'
