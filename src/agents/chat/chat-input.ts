import type { TurnShape } from '../../core/agent.ts'
import { EchelonError } from '../../core/error.ts'
import { isJson, isJsonObject, type Json } from '../../core/json.ts'
import { type Message, userMessage } from '../../core/thread.ts'
import { checkMessages } from './message-check.ts'

/** What a turn begins with, as the journal keeps it. A text is what the user says. */
export type ChatInput = string | ChatTurn

export type ChatTurn = {
  /** New messages, the user's last. */
  readonly messages: readonly Json[]
  /** For this turn alone, in place of the agent's. */
  readonly instructions?: string
  /** For this turn alone, in place of the agent's. */
  readonly maxIterations?: number
  /** Where the conversation stands that the provider keeps. */
  readonly continues?: { readonly model: string; readonly id: string; readonly from: number }
}

/** What a turn ended with. */
export type ChatResult = {
  /** The last answer; empty when there was none. */
  readonly text: string
  /** What stood against going on, in a sentence; `null` after an answer that is complete. */
  readonly detail: string | null
}

/**
 * The messages of a caller as an input.
 * @throws EchelonError INVALID_INPUT with the index of the first that cannot be used
 */
export function inputOf(messages: readonly Message[], after = 0): readonly Json[] {
  const checked = checkMessages(messages, { after })
  const last = checked.at(-1)
  if (last === undefined) throw invalid('there is no message to answer; give one of the user')
  if (last.role !== 'user' && last.role !== 'tool') {
    const problem = `message ${after + checked.length - 1} is the last and of the role ${last.role}`
    throw invalid(`${problem}; end with what the user says`)
  }
  return checked.map(toJson)
}

/** What is said in a turn. */
export const saidIn = (input: ChatInput, after = 0): readonly Message[] =>
  typeof input === 'string' ? [userMessage(input)] : checkMessages(input.messages, { after })

/** The user's text; messages as JSON. */
export function wordsIn(input: Json): string {
  if (typeof input === 'string') return input
  return JSON.stringify(isJsonObject(input) ? (input['messages'] ?? input) : input)
}

export const CHAT_TURNS: TurnShape<ChatInput, ChatResult> = {
  messagesOf: (input) => saidIn(input),
  withMessages: (input, messages) =>
    typeof input === 'string'
      ? { messages: messages.map(toJson) }
      : { ...input, messages: messages.map(toJson) },
  textOf: ({ text }) => text,
  withText: ({ detail }, text) => ({ text, detail }),
}

function toJson(message: Message): Json {
  if (isJson(message)) return message
  // Addresses of files are the one thing in a message that is no JSON yet.
  const plain: unknown = JSON.parse(JSON.stringify(message))
  if (isJson(plain)) return plain
  throw invalid('a message holds what JSON cannot hold; use plain values')
}

const invalid = (problem: string): EchelonError => new EchelonError('INVALID_INPUT', problem)
