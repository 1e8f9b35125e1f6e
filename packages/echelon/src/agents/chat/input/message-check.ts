import { EchelonError } from '../../../core/value/error.ts'
import { isJson, isRecord } from '../../../core/value/json.ts'
import type { Message } from '../../../core/message/thread.ts'
import { withAddresses } from './file-addresses.ts'

type Fields = Readonly<Record<string, unknown>>

/** The position of the checked messages. */
export interface CheckedPlace {
  /** The number of messages before them, added to the index in errors. Default 0. */
  readonly after?: number
  /** Ids of calls that may lack a result at the end. Default none. */
  readonly open?: readonly string[]
}

/**
 * Checks that a conversation can continue with messages of unknown origin, such as a caller's or a
 * stored session's: known roles and parts, nothing empty, and exactly one result for every call before
 * the next speaker. Only the given messages are checked, not earlier ones.
 * @throws EchelonError INVALID_INPUT with the index of the first invalid message
 */
export function checkMessages(
  messages: readonly unknown[],
  { after = 0, open = [] }: CheckedPlace = {},
): readonly Message[] {
  const order = new MessageOrder(after)
  const checked = messages.map((given, place) => order.take(given, after + place))
  order.end(after + messages.length - 1, open)
  return checked
}

/**
 * Parses one message of unknown origin; file addresses become `URL`.
 * @throws EchelonError INVALID_INPUT with its index for an invalid role or part
 */
export function checkMessage(given: unknown, index: number): Message {
  const message = withAddresses(given)
  const refuse = (problem: string): never => {
    throw refused(index, problem)
  }
  return isMessage(message, refuse) ? message : refuse('is not a message')
}

/** Whether it is a message with known parts that are not empty; `tell` receives the problem. */
export function isMessage(value: unknown, tell: (problem: string) => unknown): value is Message {
  const problem = messageProblem(value)
  if (problem !== undefined) tell(problem)
  return problem === undefined
}

const refused = (index: number, problem: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `message ${index} ${problem}`, { details: { index } })

/** Checks messages in order: which calls await a result, and who may speak next. */
export class MessageOrder {
  #open = new Map<string, string>()
  #answered = new Set<string>()
  #spoken: boolean

  /** @param after number of messages before the first */
  constructor(after: number) {
    this.#spoken = after > 0
  }

  /** Checks the next message. @throws EchelonError INVALID_INPUT with its index */
  take(given: unknown, index: number): Message {
    if (isPlainMessage(given) && this.takePlain()) return given
    const message = checkMessage(given, index)
    const problem = this.#problemOf(message)
    if (problem !== undefined) throw refused(index, problem)
    return message
  }

  /** Accepts a checked message of one text; false while calls await results. */
  takePlain(): boolean {
    if (this.#open.size > 0) return false
    this.#spoken = true
    if (this.#answered.size > 0) this.#answered.clear()
    return true
  }

  /**
   * Checks the end of the messages.
   * @param index of the last message
   * @param allowed calls that may lack a result
   * @throws EchelonError INVALID_INPUT for another call without a result
   */
  end(index: number, allowed: readonly string[] = []): void {
    const left = [...this.#open.keys()].filter((id) => !allowed.includes(id))
    if (left.length === 0) return
    throw refused(
      index,
      `leaves the calls ${left.join(', ')} without a result; add a tool message that answers them`,
    )
  }

  #problemOf(message: Message): string | undefined {
    if (message.role === 'tool') return this.#answer(message)
    if (this.#open.size > 0) {
      return `comes before the results of the calls ${[...this.#open.keys()].join(', ')}; put their tool message first`
    }
    if (message.role === 'system') {
      return this.#spoken
        ? 'is a system message in the midst; put it at the beginning, or give it as instructions'
        : undefined
    }
    this.#spoken = true
    this.#answered.clear()
    return message.role === 'assistant' ? this.#ask(message) : undefined
  }

  #ask({ content }: Extract<Message, { role: 'assistant' }>): string | undefined {
    for (const part of content) {
      if (part.type !== 'tool-call' || part.providerExecuted === true) continue
      if (this.#open.has(part.toolCallId)) return `has two calls ${part.toolCallId}; rename one`
      this.#open.set(part.toolCallId, part.toolName)
    }
    return undefined
  }

  #answer({ content }: Extract<Message, { role: 'tool' }>): string | undefined {
    for (const part of content) {
      if (part.type !== 'tool-result') continue
      const { toolCallId: id, toolName: tool } = part
      if (this.#answered.has(id))
        return `answers the call ${id} a second time; leave one result out`
      const asked = this.#open.get(id)
      if (asked === undefined) return `answers a call ${id} that was not made; leave the result out`
      if (asked !== tool) return `answers the call ${id} for ${tool}, but it was one of ${asked}`
      this.#open.delete(id)
      this.#answered.add(id)
    }
    return undefined
  }
}

/** A message of one text, like most. */
export type PlainMessage = {
  readonly role: 'user' | 'assistant'
  readonly content: [{ readonly type: 'text'; readonly text: string }]
}

/** Whether it is a message of one text that is not blank, without other fields: the fast path. */
export function isPlainMessage(message: unknown): message is PlainMessage {
  if (!isRecord(message) || countOf(message) !== 2) return false
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant') return false
  if (!Array.isArray(content) || content.length !== 1) return false
  const part: unknown = content[0]
  return isRecord(part) && countOf(part) === 2 && part['type'] === 'text' && isText(part['text'])
}

/** The number of fields; a loop allocates no list. */
function countOf(fields: Fields): number {
  let count = 0
  for (const _ in fields) count++
  return count
}

function messageProblem(message: unknown): string | undefined {
  if (!isRecord(message)) return 'is not an object; give { role, content }'
  const { role, content, providerOptions } = message
  if (!isOptions(providerOptions)) return 'has providerOptions that are not a JSON object'
  if (role === 'system') {
    return isText(content) ? undefined : 'has no text; give the instructions as a string'
  }
  const parts = isRole(role) ? PARTS[role] : undefined
  if (parts === undefined) {
    return `has the role ${shown(role)}; use system, user, assistant or tool`
  }
  if (!Array.isArray(content)) return 'has no list of parts as its content'
  if (content.length === 0) return 'has no content; leave it out'
  for (const part of content) {
    const problem = partProblem(part, parts)
    if (problem !== undefined) return problem
  }
  return undefined
}

type PartCheck = (part: Fields) => string | undefined

function partProblem(
  part: unknown,
  parts: Readonly<Record<string, PartCheck>>,
): string | undefined {
  if (!isRecord(part)) return 'has a part that is not an object'
  const { type, providerOptions } = part
  const check = typeof type === 'string' && Object.hasOwn(parts, type) ? parts[type] : undefined
  if (check === undefined) {
    return `has a part of type ${shown(type)}; here stand ${Object.keys(parts).join(', ')}`
  }
  return isOptions(providerOptions)
    ? check(part)
    : 'has a part whose providerOptions are not a JSON object'
}

const text: PartCheck = (part) =>
  isText(part['text']) ? undefined : 'has an empty text; leave the part out'

/** A provider's own data may come without text. */
const answered: PartCheck = (part) =>
  typeof part['text'] === 'string' && part['providerOptions'] !== undefined ? undefined : text(part)

const reasoning: PartCheck = (part) =>
  typeof part['text'] === 'string' ? undefined : 'has reasoning without a text'

const file: PartCheck = ({ mediaType, data }) => {
  if (!isText(mediaType)) return 'has a file without a mediaType'
  if (isRecord(data) && isText(data['type'])) {
    if (data['type'] === 'url' ? data['url'] instanceof URL : isJson(data)) return undefined
  }
  return "has a file without data; give { type: 'data', data: <base64> } or { type: 'url', url }"
}

const custom: PartCheck = (part) =>
  isText(part['kind']) ? undefined : 'has a part of the provider without its kind'

const toolCall: PartCheck = ({ toolCallId, toolName, input }) => {
  if (!isText(toolCallId) || !isText(toolName)) return 'has a call without an id or a tool'
  return isJson(input) ? undefined : `has a call ${toolCallId} whose input is not JSON`
}

const toolResult: PartCheck = ({ toolCallId, toolName, output }) => {
  if (!isText(toolCallId) || !isText(toolName)) return 'has a result without a call or a tool'
  return isOutput(output) ? undefined : `has an invalid result of ${toolCallId}; see its output`
}

type Role = 'user' | 'assistant' | 'tool'

const PARTS: Readonly<Record<Role, Readonly<Record<string, PartCheck>>>> = {
  user: { text, file },
  assistant: {
    text: answered,
    reasoning,
    'tool-call': toolCall,
    'tool-result': toolResult,
    file,
    'reasoning-file': file,
    custom,
  },
  tool: { 'tool-result': toolResult },
}

const isRole = (role: unknown): role is Role =>
  role === 'user' || role === 'assistant' || role === 'tool'

function isOutput(output: unknown): boolean {
  if (!isRecord(output) || !isJson(output)) return false
  const { type, value, reason } = output
  if (type === 'text' || type === 'error-text') return typeof value === 'string'
  if (type === 'json' || type === 'error-json') return value !== undefined
  if (type === 'content') return Array.isArray(value)
  return type === 'execution-denied' && (reason === undefined || typeof reason === 'string')
}

/** Providers reject blank text like empty text. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && (isVisible(value.charCodeAt(0)) || value.trim() !== '')

/** An ASCII letter, digit or sign at the start makes a search for blanks unnecessary. */
const isVisible = (code: number): boolean => code > 32 && code < 127

const isOptions = (options: unknown): boolean =>
  options === undefined || (isRecord(options) && isJson(options))

const shown = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : typeof value
