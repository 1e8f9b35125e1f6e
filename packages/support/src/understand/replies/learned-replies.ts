import type { LabeledText } from 'echelon/internal/classify'
import type { ReplyExample, ReplyKind } from './kinds.ts'
import { plainReply } from './plain-reply.ts'
import { saidAndAsked } from './said-and-asked.ts'

/** Messages that are no reply, by what they are where something is open. */
export interface NoReplies {
  /** Messages of each intent, and what asks for nothing. */
  readonly others: readonly (readonly string[])[]
  readonly questions: readonly string[]
}

/** Messages of each of these that replies are told from. */
const MOST_OF_OTHERS = 60

/**
 * The examples by which replies to something open are told apart, and told from other messages. A question beside a yes
 * or a no is one by itself.
 */
export function rowsOfReplies(
  replies: readonly ReplyExample[],
  { others, questions }: NoReplies,
): readonly LabeledText[] {
  if (replies.length === 0) return []
  const rows = replies.flatMap(({ kind, about, text }) => {
    const row = (said: string, label: ReplyKind): readonly LabeledText[] =>
      said === '' ? [] : [{ text: plainReply(said, about), label }]
    if (kind !== 'yes+ask' && kind !== 'no+ask') return row(text, kind)
    const { said, asked } = saidAndAsked(text)
    return [...row(said, kind === 'yes+ask' ? 'yes' : 'no'), ...row(asked, 'ask')]
  })
  const known = new Set(rows.map(({ text }) => text))
  const more = [
    ...others.flatMap(some).map((text) => ({ text: plainReply(text, ''), label: 'other' })),
    ...some(questions).map((text) => ({ text: plainReply(text, ''), label: 'ask' })),
  ]
  return [...rows, ...more.filter(({ text }) => !known.has(text))]
}

/** Some of many texts, evenly. */
function some(texts: readonly string[]): readonly string[] {
  const every = Math.max(1, Math.floor(texts.length / MOST_OF_OTHERS))
  return texts.filter((_, index) => index % every === 0).slice(0, MOST_OF_OTHERS)
}
