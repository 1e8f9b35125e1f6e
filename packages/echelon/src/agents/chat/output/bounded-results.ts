import { EchelonError } from '../../../core/value/error.ts'
import { guardedSchema } from '../../../core/schema/guarded-schema.ts'
import { isRecord, type Json } from '../../../core/value/json.ts'
import { textPiece } from '../../../core/message/text-piece.ts'
import { type Message, Thread } from '../../../core/message/thread.ts'
import { defineTool, type Tool, type ToolOutcome } from '../../../core/tool/tool.ts'
import { outputText, trimmedOutput } from '../../../core/message/trimmed-output.ts'
import { originsIn } from '../../../core/message/untrusted-text.ts'

/** The tool that reads a result which was cut; it is offered only where one was. */
export const RESULT_READ = 'result_read'

const DEFAULT_RESULT_CHARS = 50_000
const LEAST_RESULT_CHARS = 200

/** Characters of one piece. */
const MOST_OF_PIECE = 20_000

type ToolMessage = Extract<Message, { role: 'tool' }>
type Part = ToolMessage['content'][number]
type Result = Extract<Part, { type: 'tool-result' }>

/** Where what a tool gives comes from, if from outside. */
export type OriginOf = (tool: string) => string | undefined

/** A conversation as the model is sent it. */
interface Sent {
  readonly messages: Thread
  readonly isCut: boolean
}

/**
 * Keeps what a model is sent of one tool result within a number of characters. The conversation keeps
 * the result whole, and the model reads the rest by `result_read`.
 */
export class BoundedResults {
  readonly #most: number
  /** By the message as it is kept: what is sent stays the same object from call to call. */
  readonly #seen = new WeakMap<
    ToolMessage,
    { readonly first: number; readonly sent: ToolMessage }
  >()
  readonly #originOf: OriginOf

  /**
   * @param originOf a piece is given by another tool than the one whose words it holds
   * @throws EchelonError INVALID_CONFIG for a limit that is none
   */
  constructor(most: number = DEFAULT_RESULT_CHARS, originOf: OriginOf = () => undefined) {
    this.#most = resultChars(most)
    this.#originOf = originOf
  }

  sent(thread: Thread): Sent {
    const known = thread.sentBy(this)
    const all = thread.toArray()
    const start = known?.length ?? 0
    let results = known?.results ?? 0
    // Made at the first one that is cut: most conversations hold none.
    let added = known?.messages === undefined ? undefined : all.slice(start)
    for (let index = start; index < all.length; index++) {
      const message = all[index]
      if (message?.role !== 'tool') continue
      const bounded = this.#bounded(message, results)
      results += message.content.filter(isResult).length
      if (bounded === message) continue
      added ??= all.slice(start)
      added[index - start] = bounded
    }
    const messages =
      added === undefined ? undefined : cutAs(known?.messages, all.slice(0, start), added)
    thread.keepSent({ by: this, length: all.length, messages, results })
    return messages === undefined ? { messages: thread, isCut: false } : { messages, isCut: true }
  }

  /** The answer to a call of `result_read` that was let through. */
  read(thread: Thread, asked: Json): ToolOutcome {
    const results = thread
      .toArray()
      .flatMap((message) => (message.role === 'tool' ? message.content : []))
    const all = results.filter(isResult)
    if (!isAsked(asked)) return wrong('give the number of a result, and where to go on')
    const { result, from = 0 } = asked
    const found = all[result - 1]
    if (found === undefined) return wrong(`there are ${all.length} results; give one of them`)
    const whole = outputText(found.output)
    const origins = [...originsIn(whole), this.#originOf(found.toolName) ?? []].flat()
    const { text, next } = textPiece(whole, { from, most: MOST_OF_PIECE }, origins)
    const goesOn = next === undefined ? 'its end' : `go on from ${next}`
    // As text, in which frames are looked for.
    return {
      type: 'ok',
      value: `[result ${result} of ${whole.length} characters, from ${from}; ${goesOn}]\n${text}`,
    }
  }

  #bounded(message: ToolMessage, first: number): ToolMessage {
    if (message.content.every((part) => isSurelyShort(part, this.#most))) return message
    const seen = this.#seen.get(message)
    if (seen?.first === first) return seen.sent
    let number = first
    const content = message.content.map((part): Part => {
      if (!isResult(part)) return part
      number++
      // What was read in pieces is not cut again.
      if (part.toolName === RESULT_READ) return part
      const output = trimmedOutput(part.output, this.#to(number))
      return output === part.output ? part : { ...part, output }
    })
    const isSame = content.every((part, index) => part === message.content[index])
    const sent = isSame ? message : { ...message, content }
    this.#seen.set(message, { first, sent })
    return sent
  }

  #to(number: number): Parameters<typeof trimmedOutput>[1] {
    const head = Math.floor(this.#most * 0.8)
    const note = (gone: number): string =>
      `${gone} characters are left out here; ${RESULT_READ} gives them: {"result":${number},"from":${head}}`
    return { head, tail: this.#most - head, slack: 0, note }
  }
}

/** The cut conversation goes on; before the first cut it was the conversation itself. */
const cutAs = (
  cut: Thread | undefined,
  before: readonly Message[],
  added: readonly Message[],
): Thread => cut?.add(...added) ?? Thread.of([...before, ...added])

/** Most results are, which is told without writing them down. */
function isSurelyShort(part: Part, most: number): boolean {
  if (!isResult(part)) return true
  const { output } = part
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value.length <= most
    case 'json':
    case 'error-json':
      return roomLeft(output.value, most) >= 0
    case 'content':
      return false
    case 'execution-denied':
      return true
  }
}

/** Characters that JSON takes for one character, at most, and for what is no text. */
const LONGEST_ESCAPE = 6
const LONGEST_NUMBER = 28

/** What is left of a number of characters, at least, after a value as JSON; negative where it may not fit. */
function roomLeft(value: unknown, room: number): number {
  if (typeof value === 'string') return room - LONGEST_ESCAPE * value.length - 3
  if (typeof value !== 'object' || value === null) return room - LONGEST_NUMBER
  let left = room - 3
  const isList = Array.isArray(value)
  for (const [name, item] of Object.entries(value)) {
    if (left < 0) return left
    left = roomLeft(item, isList ? left : left - LONGEST_ESCAPE * name.length - 4)
  }
  return left
}

const isResult = (part: Part): part is Result => part.type === 'tool-result'

interface Asked {
  /** From 1, in the order of the conversation. */
  readonly result: number
  readonly from?: number
}

const isAsked = (value: unknown): value is Asked =>
  isRecord(value) &&
  isCount(value['result'], 1) &&
  (value['from'] === undefined || isCount(value['from'], 0))

const isCount = (value: unknown, least: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= least

const wrong = (message: string): ToolOutcome => ({ type: 'error', code: 'INVALID_ARGS', message })

/** It hands on what it was asked: the agent knows the conversation, and answers. */
export const resultReadTool: Tool = defineTool<Asked>({
  name: RESULT_READ,
  description:
    'Reads the rest of a tool result that is shown shortened: a piece from a place on. The note in the result says its number and where to begin; the answer says where the next piece begins.',
  input: guardedSchema(
    {
      type: 'object',
      properties: {
        result: { type: 'integer', minimum: 1, description: 'number of the result, from its note' },
        from: { type: 'integer', minimum: 0, description: 'character to begin at' },
      },
      required: ['result'],
      additionalProperties: false,
    },
    isAsked,
    'expected an object with the number of a result, and from where',
  ),
  run: ({ result, from }) => ({ result, ...(from !== undefined && { from }) }),
})

/** @throws EchelonError INVALID_CONFIG for what is no whole number from 200 on */
export function resultChars(value: number): number {
  if (Number.isInteger(value) && value >= LEAST_RESULT_CHARS) return value
  throw new EchelonError(
    'INVALID_CONFIG',
    `maxResultChars is ${value}; give a whole number from ${LEAST_RESULT_CHARS} on`,
  )
}
