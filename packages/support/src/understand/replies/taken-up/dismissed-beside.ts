import type { Asked } from '../asked.ts'
import { CHOICE, subjectsIn } from '../plain-reply.ts'

/** What is not wanted any more, and is none of the things that can be open. */
const BESIDE =
  /\b(?:invoice|receipt|bill|tracking(?: number)?|gift ?wrap(?:ping)?|(?:other )?questions?|voucher|discount|code|gift)\b/iu

const DISMISSES =
  /^(?:(?:and|but|also|so|then|just|please|ok|okay|oh|you can|you may|let'?s)\s+)*(?:forget|never ?mind|skip|ignore|drop|disregard|scratch|no need for|don'?t (?:worry|bother|mind)|leave)(?: about| with)? (?:the|that|this|my|a|an|any|all (?:of )?the)\s+(.{3,40})$/iu

/**
 * "Yes, cancel. And forget about the address": a reply without what it dismisses besides, where that is another thing
 * than what is open.
 */
export function withoutDismissed(text: string, { about }: Asked): string {
  const parts = text.split(PARTS).filter((part) => /\p{L}/u.test(part))
  const from = parts.findIndex((part) => isDismissed(part, about))
  const isEnd = parts.slice(from).every((part) => isDismissed(part, about))
  return from > 0 && isEnd ? parts.slice(0, from).join(' ') : text
}

/** Sentences, and what is added with words that dismiss. */
const PARTS =
  /(?<=[.!?;,])\s+|\s+(?=(?:and|but|also)\s+(?:(?:you can|you may|please|just)\s+)*(?:forget|never ?mind|skip|ignore|drop|disregard|scratch|no need|don'?t)\b)/iu

function isDismissed(piece: string, about: string): boolean {
  const [, thing] = DISMISSES.exec(piece.replace(/^\W+|[\s.,;!]+$/gu, '')) ?? []
  if (thing === undefined || about === CHOICE) return false
  const subjects = subjectsIn(thing)
  return subjects.length > 0 ? !subjects.includes(about) : BESIDE.test(thing)
}
