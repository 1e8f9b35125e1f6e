import type { TurnShape } from '../../../core/agent/agent.ts'
import { EchelonError } from '../../../core/value/error.ts'
import { isJsonObject, type Json } from '../../../core/value/json.ts'
import type { Problem } from '../../../core/model/problem.ts'
import { type Message, userMessage } from '../../../core/message/thread.ts'
import { copyMessages, type CopyLimits, toJson } from './copy-messages.ts'
import { checkMessages } from './message-check.ts'

/** The input of a turn as the journal keeps it. A plain text is the user's. */
export type ChatInput = string | ChatTurn

export type ChatTurn = {
  /** New messages, the user's last. */
  readonly messages: readonly Json[]
  /** Overrides the agent's for this turn only. */
  readonly instructions?: string
  /** Overrides the agent's for this turn only. */
  readonly maxIterations?: number
  /** The position of a conversation that the provider keeps. */
  readonly continues?: { readonly model: string; readonly id: string; readonly from: number }
}

/** The end of a turn. */
export type ChatResult = {
  /** The last answer; empty without one. */
  readonly text: string
  /** Why the turn could not continue, in a sentence; `null` after a complete answer. */
  readonly detail: string | null
  /** Why the model call failed or withheld its answer; otherwise absent. */
  readonly problem?: Problem
}

/**
 * Key under which an input keeps its checked messages, so that none is checked twice; JSON and
 * comparisons skip it. A `WeakMap` would keep each conversation until a full collection, which doubles
 * the time of a turn.
 */
const SAID = Symbol('said')

/**
 * Copies a caller's messages as an input.
 * @throws EchelonError INVALID_INPUT with the index of the first invalid one
 */
export function inputOf(messages: readonly Message[], limits: CopyLimits = {}): readonly Json[] {
  const { after = 0 } = limits
  const { input, said } = copyMessages(messages, limits)
  const last = said.at(-1)
  if (last === undefined) throw invalid('there is no message to answer; give a user message')
  if (last.role !== 'user' && last.role !== 'tool') {
    const problem = `message ${after + said.length - 1} is the last and of the role ${last.role}`
    throw invalid(`${problem}; end with what the user says`)
  }
  return Object.defineProperty(input, SAID, { value: said })
}

/** The messages of a turn's input. */
export function saidIn(input: ChatInput, after = 0): readonly Message[] {
  if (typeof input === 'string') return [userMessage(input)]
  const said: unknown = Reflect.get(input.messages, SAID)
  return Array.isArray(said) ? said : checkMessages(input.messages, { after })
}

/** The user's text; several messages as JSON. */
export function wordsIn(input: Json): string {
  if (typeof input === 'string') return input
  return JSON.stringify(isJsonObject(input) ? (input['messages'] ?? input) : input)
}

export const CHAT_TURNS: TurnShape<ChatInput, ChatResult> = {
  // Middleware gets its own list, so that changing it does not change the input.
  messagesOf: (input) => [...saidIn(input)],
  withMessages: (input, messages) =>
    typeof input === 'string'
      ? { messages: messages.map(toJson) }
      : { ...input, messages: messages.map(toJson) },
  textOf: ({ text }) => text,
  withText: (result, text) => ({ ...result, text }),
}

const invalid = (problem: string): EchelonError => new EchelonError('INVALID_INPUT', problem)
