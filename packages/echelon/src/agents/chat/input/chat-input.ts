import type { TurnShape } from '../../../core/agent/agent.ts'
import { EchelonError } from '../../../core/value/error.ts'
import { isJsonObject, type Json } from '../../../core/value/json.ts'
import type { Problem } from '../../../core/model/problem.ts'
import { type Message, userMessage } from '../../../core/message/thread.ts'
import { copyMessages, type CopyLimits, toJson } from './copy-messages.ts'
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
  /** Why the model could not be asked, or withheld its answer; absent where it did neither. */
  readonly problem?: Problem
}

/**
 * Where an input keeps what it says once `inputOf` has checked it, so that no message is checked twice:
 * a field that JSON and comparisons pass over. A `WeakMap` would keep each conversation until a full
 * collection, which doubles the time of a turn.
 */
const SAID = Symbol('said')

/**
 * Copies the messages of a caller as an input.
 * @throws EchelonError INVALID_INPUT with the index of the first that cannot be used
 */
export function inputOf(messages: readonly Message[], limits: CopyLimits = {}): readonly Json[] {
  const { after = 0 } = limits
  const { input, said } = copyMessages(messages, limits)
  const last = said.at(-1)
  if (last === undefined) throw invalid('there is no message to answer; give one of the user')
  if (last.role !== 'user' && last.role !== 'tool') {
    const problem = `message ${after + said.length - 1} is the last and of the role ${last.role}`
    throw invalid(`${problem}; end with what the user says`)
  }
  return Object.defineProperty(input, SAID, { value: said })
}

/** What is said in a turn. */
export function saidIn(input: ChatInput, after = 0): readonly Message[] {
  if (typeof input === 'string') return [userMessage(input)]
  const said: unknown = Reflect.get(input.messages, SAID)
  return Array.isArray(said) ? said : checkMessages(input.messages, { after })
}

/** The user's text; messages as JSON. */
export function wordsIn(input: Json): string {
  if (typeof input === 'string') return input
  return JSON.stringify(isJsonObject(input) ? (input['messages'] ?? input) : input)
}

export const CHAT_TURNS: TurnShape<ChatInput, ChatResult> = {
  // Middleware gets a list of its own: what it does to the list is not what is said.
  messagesOf: (input) => [...saidIn(input)],
  withMessages: (input, messages) =>
    typeof input === 'string'
      ? { messages: messages.map(toJson) }
      : { ...input, messages: messages.map(toJson) },
  textOf: ({ text }) => text,
  withText: (result, text) => ({ ...result, text }),
}

const invalid = (problem: string): EchelonError => new EchelonError('INVALID_INPUT', problem)
