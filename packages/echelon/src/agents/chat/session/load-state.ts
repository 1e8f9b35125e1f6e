import type { Continuation, Finish } from '../../../core/agent/effect.ts'
import { EchelonError } from '../../../core/value/error.ts'
import { isJson, isRecord } from '../../../core/value/json.ts'
import { isProblemCode } from '../../../core/model/model-failed.ts'
import type { Problem } from '../../../core/model/problem.ts'
import { Thread } from '../../../core/message/thread.ts'
import type { ToolCall } from '../../../core/tool/tool.ts'
import type { ChatState } from '../chat-state.ts'
import type { ChatResult } from '../input/chat-input.ts'
import { checkMessages, isText } from '../input/message-check.ts'

/**
 * Parses a stored state.
 * @throws EchelonError STATE_REFUSED, or INVALID_INPUT for messages that no conversation can continue
 */
export function loadChatState(snapshot: unknown): ChatState {
  if (!isRecord(snapshot)) throw refused('it is not an object')
  const { messages, pending, iterations, most, asking, repaired = false, text } = snapshot
  if (!Array.isArray(messages) || !Array.isArray(pending)) throw refused('it has no messages')
  if (!isCount(iterations) || !isCount(most) || typeof asking !== 'boolean') {
    throw refused('it does not say how often the model was called')
  }
  // States stored before there were output schemas lack it.
  if (typeof repaired !== 'boolean') throw refused('it does not say whether it was repaired')
  if (typeof text !== 'string') throw refused('it does not hold the last answer')
  if (!pending.every(isCall)) throw refused('it has invalid calls')
  const open = pending.map(({ id }) => id)
  return {
    messages: Thread.of(checkMessages(messages, { open })),
    pending,
    iterations,
    most,
    asking,
    repaired,
    text,
    continues: loadContinuation(snapshot['continues']),
    ended: finish(snapshot['ended']),
  }
}

/**
 * Parses the stored position of a conversation that a provider keeps.
 * @throws EchelonError STATE_REFUSED
 */
export function loadContinuation(stored: unknown): Continuation | null {
  if (stored === null) return null
  if (isRecord(stored)) {
    const { model, id, from } = stored
    if (isText(model) && isText(id) && isCount(from)) return { model, id, from }
  }
  throw refused('the conversation that the provider keeps is not named')
}

function finish(stored: unknown): Finish<ChatResult> | null {
  if (stored === null) return null
  if (isRecord(stored) && isRecord(stored['result'])) {
    const { reason, result } = stored
    const { text, detail } = result
    const isDetail = detail === null || typeof detail === 'string'
    if (isText(reason) && typeof text === 'string' && isDetail) {
      const problem = problemIn(result['problem'])
      return { type: 'finish', result: { text, detail, ...(problem && { problem }) }, reason }
    }
  }
  throw refused('it does not say how it ended')
}

/** Absent in older states, whose reason names the problem. */
function problemIn(stored: unknown): Problem | undefined {
  if (!isRecord(stored)) return undefined
  const { code, message, model, retryable, attempts, retryAfterMs } = stored
  if (typeof code !== 'string' || !isProblemCode(code) || typeof message !== 'string') {
    return undefined
  }
  return {
    code,
    message,
    ...(typeof model === 'string' && { model }),
    retryable: retryable === true,
    attempts: isCount(attempts) ? attempts : 1,
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0

const isCall = (value: unknown): value is ToolCall =>
  isRecord(value) && isText(value['id']) && isText(value['tool']) && isJson(value['input'])

const refused = (problem: string): EchelonError =>
  new EchelonError(
    'STATE_REFUSED',
    `this is not a stored state of a chat agent: ${problem}; start the turn again`,
  )
