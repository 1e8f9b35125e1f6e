import { digestText } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { isRecord } from 'echelon/internal/value'
import type { Message } from 'echelon/runtime'
import type { TurnFacts } from '../report.ts'
import { readable } from '../sense/readable.ts'
import { spoken } from '../sense/repetition.ts'

/** What a turn leaves at its answer, for the turns after it. No provider reads it. */
export interface TurnMarks {
  readonly approach: string
  readonly altitude: string
  /** Of the situation that the plan was made for. */
  readonly kind: string
  /** Digest of the intent that it was made under. */
  readonly intent: string
}

/** Whose options the marks are, in the model interface's words. */
const OWN = 'echelon'

export const markedAnswer = (text: string, marks: TurnMarks): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  providerOptions: { [OWN]: { ...marks } },
})

export function marksOf(message: Message | undefined): TurnMarks | null {
  const marks: unknown = message?.providerOptions?.[OWN]
  if (!isRecord(marks)) return null
  const { approach, altitude, kind, intent } = marks
  return typeof approach === 'string' &&
    typeof altitude === 'string' &&
    typeof kind === 'string' &&
    typeof intent === 'string'
    ? { approach, altitude, kind, intent }
    : null
}

export const textOf = ({ content }: Message): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** Facts of the last so many turns: what a planner may know of a conversation. */
const MOST_TURNS = 12

/** Earlier turns of a conversation as facts: none of their words is in them. */
export function factsOf(conversation: readonly Message[]): readonly TurnFacts[] {
  const facts: TurnFacts[] = []
  let userWords = 0
  for (const message of conversation) {
    const text = textOf(message)
    if (message.role === 'user') userWords += wordCount(text)
    if (message.role !== 'assistant') continue
    const { approach = '', altitude = '' } = marksOf(message) ?? {}
    facts.push({
      turn: facts.length + 1,
      user_words: userWords,
      answer_words: wordCount(text),
      asked: text.includes('?'),
      approach,
      altitude,
      sentences: sentenceDigests(text),
    })
    userWords = 0
  }
  return facts.slice(-MOST_TURNS)
}

const wordCount = (text: string): number => text.match(/[\p{L}\p{N}'’]+/gu)?.length ?? 0

/** Digests of the sentences of a text, as repetition is looked for. */
export const sentenceDigests = (text: string): readonly number[] =>
  spoken(readable(text)).map(digestText)

export const digestOf = (value: Json): string => digestText(JSON.stringify(value)).toString(36)
