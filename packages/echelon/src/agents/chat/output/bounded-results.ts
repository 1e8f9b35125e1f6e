import { EchelonError } from '../../../core/value/error.ts'
import { guardedSchema } from '../../../core/schema/guarded-schema.ts'
import { isRecord, type Json } from '../../../core/value/json.ts'
import { textPiece } from '../../../core/message/text-piece.ts'
import { type Message, Thread } from '../../../core/message/thread.ts'
import { defineTool, type Tool, type ToolOutcome } from '../../../core/tool/tool.ts'
import { outputText, trimmedOutput } from '../../../core/message/trimmed-output.ts'
import { originsIn } from '../../../core/message/untrusted-text.ts'

/** The tool that reads a shortened result; offered only if there is one. */
export const RESULT_READ = 'result_read'

const DEFAULT_RESULT_CHARS = 50_000
const LEAST_RESULT_CHARS = 200

/** Characters of one piece. */
const MOST_OF_PIECE = 20_000

type ToolMessage = Extract<Message, { role: 'tool' }>
type Part = ToolMessage['content'][number]
type Result = Extract<Part, { type: 'tool-result' }>

/** The origin of a tool's results, if they are untrusted. */
export type OriginOf = (tool: string) => string | undefined

/** A conversation as it is sent to the model. */
interface Sent {
  readonly messages: Thread
  readonly isCut: boolean
}

/**
 * Limits how many characters of each tool result a model is sent. The conversation keeps the whole
 * result, and the model reads the rest with `result_read`.
 */
export class BoundedResults {
  readonly #most: number
  /** By stored message: the same object is sent in every call. */
  readonly #seen = new WeakMap<
    ToolMessage,
    { readonly first: number; readonly sent: ToolMessage }
  >()
  readonly #originOf: OriginOf

  /**
   * @param originOf needed because `result_read` returns pieces of other tools' results
   * @throws EchelonError INVALID_CONFIG for an invalid limit
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
    // Created for the first shortened result: most conversations have none.
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

  /** The answer to a permitted `result_read` call. */
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
    const rest = next === undefined ? 'its end' : `go on from ${next}`
    // As text, which may contain frames.
    return {
      type: 'ok',
      value: `[result ${result} of ${whole.length} characters, from ${from}; ${rest}]\n${text}`,
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
      // Pieces that were read are not shortened again.
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

/** Extends the conversation as sent, which before the first shortened result is the conversation itself. */
const cutAs = (
  cut: Thread | undefined,
  before: readonly Message[],
  added: readonly Message[],
): Thread => cut?.add(...added) ?? Thread.of([...before, ...added])

/** Whether a result fits for certain; most do, which is known without serializing them. */
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

/** Maximum JSON characters of one character, and of a value that is not text. */
const LONGEST_ESCAPE = 6
const LONGEST_NUMBER = 28

/** The minimum left of a number of characters after a value as JSON; negative if it may not fit. */
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
  /** Numbered from 1, in the order of the conversation. */
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

/** Returns its input: the agent has the conversation and answers the call. */
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

/** @throws EchelonError INVALID_CONFIG unless it is a whole number from 200 on */
export function resultChars(value: number): number {
  if (Number.isInteger(value) && value >= LEAST_RESULT_CHARS) return value
  throw new EchelonError(
    'INVALID_CONFIG',
    `maxResultChars is ${value}; give a whole number from ${LEAST_RESULT_CHARS} on`,
  )
}
