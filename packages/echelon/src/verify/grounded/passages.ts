import { isJsonArray, isJsonObject, type Json } from '../../core/value/json.ts'
import type { Attempt } from '../answer.ts'
import { partsOf, rootOf } from '../words.ts'

/** A short piece of a source. */
export interface Passage {
  readonly text: string
  /** The roots of all its words. */
  readonly roots: ReadonlySet<string>
  /** True for two sentences in a row, each of which is also a passage of its own. */
  readonly isPair: boolean
}

const MOST_PASSAGES = 4_000
const LONGEST_SOURCE = 200_000

/**
 * Cuts the sources into passages: each sentence of a source, two in a row, and each record of the tools'
 * results with the fields around it.
 */
export function passagesOf({ task, made }: Attempt): readonly Passage[] {
  const pieces = made.flatMap(({ outcome }) =>
    outcome.type === 'ok' ? piecesOf(outcome.value) : [],
  )
  const records = pieces.filter(({ isProse }) => !isProse).map(({ text }) => text)
  const texts = [
    ...(task.sources ?? []).map(({ text }) => text),
    ...pieces.filter(({ isProse }) => isProse).map(({ text }) => text),
  ].map(sentencesIn)
  const one = [...records, ...texts.flat()].map((text) => passageOf(text, false))
  const two = texts.flatMap(pairs).map((text) => passageOf(text, true))
  return [...one.slice(0, MOST_PASSAGES), ...two.slice(0, MOST_PASSAGES)]
}

const passageOf = (text: string, isPair: boolean): Passage => ({
  text,
  roots: new Set(partsOf(text).map(rootOf)),
  isPair,
})

/** The sentences of a text; a line break ends one. */
export function sentencesIn(text: string): readonly string[] {
  return text
    .slice(0, LONGEST_SOURCE)
    .split('\n')
    .flatMap((line) => line.split(SENTENCE_END))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Not after a single letter, as in "J. S. Bach", nor after common abbreviations. */
const SENTENCE_END = /(?<=[.!?]["')\]]?)(?<!\b(?:\p{L}|Mr|Mrs|Ms|Dr|St|vs|No|etc|e\.g|i\.e)\.)\s+/u

const pairs = (sentences: readonly string[]): readonly string[] =>
  sentences.slice(1).map((sentence, before) => `${sentences[before] ?? ''} ${sentence}`)

interface Piece {
  readonly text: string
  /** True for a long field, which has sentences. */
  readonly isProse: boolean
}

/** The objects of a value, as `name: value` with the fields of the objects that hold them, and its long fields. */
function piecesOf(value: Json, around = '', depth = 0): readonly Piece[] {
  if (depth > MOST_LEVELS) return []
  if (isJsonArray(value)) return value.flatMap((item) => piecesOf(item, around, depth + 1))
  if (!isJsonObject(value)) {
    const text = String(value)
    const isProse = text.length > LONG_FIELD
    return [{ text: isProse ? text : `${around} ${text}`.trim(), isProse }]
  }
  const fields = Object.entries(value)
  const others = fields.filter(([, field]) => !isShort(field))
  const written = fields.flatMap(([name, field]) =>
    isShort(field) ? [`${name}: ${String(field)}`] : [],
  )
  const text = [around, ...written].join(', ').slice(0, LONGEST_RECORD)
  return [
    { text, isProse: false },
    ...others.flatMap(([name, field]) => piecesOf(field, `${text}, ${name}`, depth + 1)),
  ]
}

const isShort = (field: Json): field is string | number | boolean | null =>
  (typeof field !== 'object' || field === null) && String(field).length <= LONG_FIELD

const MOST_LEVELS = 16
/** A field that is longer is a text of its own. */
const LONG_FIELD = 300
const LONGEST_RECORD = 4_000
