import { digestText, isRecord } from 'echelon/internal/value'
import type { Json, Message } from 'echelon/runtime'
import type { TurnFacts } from '../report.ts'
import { readable } from '../sense/readable.ts'
import { spoken } from '../sense/repetition.ts'

/** Metadata that a turn leaves on its answer for later turns. Providers do not read it. */
export interface TurnMarks {
  readonly approach: string
  readonly altitude: string
  /** The kind of situation that the plan was made for. */
  readonly kind: string
  /** Digest of the intent that it was made under. */
  readonly intent: string
}

/** The owner of the marks, as the model interface names options. */
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

/** Turns whose facts a planner may know. */
const MOST_TURNS = 12

/** Earlier turns as facts, without their words. */
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

/** Digests of a text's sentences, to detect repetition. */
export const sentenceDigests = (text: string): readonly number[] =>
  spoken(readable(text)).map(digestText)

export const digestOf = (value: Json): string => digestText(JSON.stringify(value)).toString(36)
