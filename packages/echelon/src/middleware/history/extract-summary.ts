import { isJsonArray, isJsonObject, type Json } from '../../core/value/json.ts'
import type { Message } from '../../core/message/thread.ts'
import { utf8Bytes } from '../../core/value/utf8.ts'
import { cutTo, saidIn } from './message-text.ts'

/** Maximum characters of a message's first sentence. */
const LONGEST_SENTENCE = 160
/** Maximum values of one tool call or result. */
const MOST_VALUES = 40
const LONGEST_VALUE = 64
/** The share for facts, which cannot be recovered; of the messages the latest matter most. */
const SHARE_OF_FACTS = 0.6

/**
 * Summarizes without a model: every id, figure and parameter from messages and tool calls, and the first
 * sentence of each message. When it grows too long, the oldest parts go first. It is built from the
 * previous summary and the new messages, so it can be extended.
 * @param bytes maximum size of the summary as JSON
 */
export function extractSummary(
  previous: string,
  messages: readonly Message[],
  bytes: number,
): string {
  const facts = factsLine(previous, messages, Math.floor(bytes * SHARE_OF_FACTS))
  const lines = [...parsed(previous).lines, ...messages.flatMap(lineOf)]
  const left = bytes - jsonBytes(facts) - FRAME
  return cutTo(bytes, [facts, ...latest(lines, left, FRAME)].filter((one) => one !== '').join('\n'))
}

/** Every id, figure and parameter of messages, on one line that can be added to any summary. */
export function factsLine(previous: string, messages: readonly Message[], bytes: number): string {
  const all = [...parsed(previous).facts, ...messages.flatMap(factsOf)]
  const named = new Set(all.flatMap((fact) => /=(.*)$/.exec(fact)?.[1] ?? []))
  const facts = all.filter((fact) => !named.has(fact))
  const firm = latest(facts.filter(isFirm), bytes - FACTS.length - FRAME, SEPARATOR.length)
  const left = bytes - FACTS.length - FRAME - jsonBytes(firm.join(SEPARATOR))
  const loose = latest(
    facts.filter((fact) => !isFirm(fact)),
    left,
    SEPARATOR.length,
  )
  const kept = [...loose, ...firm]
  return kept.length === 0 ? '' : FACTS + kept.join(SEPARATOR)
}

/** An id, or a figure with a label: kept longer than other facts when space is short. */
const isFirm = (fact: string): boolean => /\d/.test(fact) && /\p{L}/u.test(fact)

/** Quotes and a line break, as JSON escapes them. */
const FRAME = 2

const FACTS = 'Facts: '
const SEPARATOR = '; '

function parsed(summary: string): { facts: readonly string[]; lines: readonly string[] } {
  const all = summary.split('\n').filter((line) => line !== '')
  const facts = all.filter((line) => line.startsWith(FACTS))
  return {
    facts: facts.flatMap((line) => line.slice(FACTS.length).split(SEPARATOR)),
    lines: all.filter((line) => !line.startsWith(FACTS)),
  }
}

/** Each fact once, at its last occurrence; as many of the latest as fit. */
function latest(items: readonly string[], bytes: number, between: number): readonly string[] {
  const kept: string[] = []
  let left = bytes
  for (const item of items.toReversed()) {
    if (kept.includes(item)) continue
    left -= jsonBytes(item) + between
    if (left < 0) break
    kept.unshift(item)
  }
  return kept
}

const jsonBytes = (text: string): number => utf8Bytes(JSON.stringify(text)) - 2

function lineOf(message: Message): readonly string[] {
  const { who, text } = saidIn(message)
  const [sentence = ''] = /^[^.!?\n]*[.!?]?/.exec(withoutTags(text)) ?? []
  const brief = sentence.trim().slice(0, LONGEST_SENTENCE)
  return brief === '' || who === 'system' ? [] : [`${who}: ${brief}`]
}

/** The frame that an agent puts around untrusted text. */
const withoutTags = (text: string): string => text.replaceAll(/<\/?\w{1,40}>/g, ' ').trim()

function factsOf(message: Message): readonly string[] {
  const { text, data } = saidIn(message)
  return [
    ...wordsWithFigures(text),
    ...data.flatMap(({ value }) => valuesIn(value).slice(0, MOST_VALUES)),
  ]
}

const wordsWithFigures = (text: string): readonly string[] =>
  text
    .split(/[\s<>()"';|]+/)
    .map((word) => word.replaceAll(/^[.,:!?*`]+|[.,:!?*`]+$/g, ''))
    .filter((word) => word.length <= LONGEST_VALUE && /\d/.test(word) && !/^\d{1,2}$/.test(word))

/** `order_id=O-12345` for each value, at any depth. */
function valuesIn(value: Json, name = ''): readonly string[] {
  if (isJsonArray(value)) return value.flatMap((item) => valuesIn(item, name))
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, one]) => valuesIn(one, key))
  if (value === null || value === '') return []
  const text = String(value).replaceAll(/[;\n]/g, ' ')
  return text.length > LONGEST_VALUE ? [] : [name === '' ? text : `${name}=${text}`]
}
