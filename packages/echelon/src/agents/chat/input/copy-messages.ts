import { EchelonError } from '../../../core/value/error.ts'
import { copyJson, isJson, isRecord, type Json } from '../../../core/value/json.ts'
import type { Message } from '../../../core/message/thread.ts'
import { checkMessageLength } from './input-length.ts'
import { checkMessage, isPlainMessage, MessageOrder, type PlainMessage } from './message-check.ts'

/** Messages in two forms: as the journal keeps them and as models take them. Most are the same object. */
export interface CopiedMessages {
  readonly input: readonly Json[]
  readonly said: readonly Message[]
}

/** Limits for a caller's messages. */
export interface CopyLimits {
  /** The number of messages before them, added to the index in errors. Default 0. */
  readonly after?: number
  /** Maximum characters of one user text. Default: that of `maxInputChars`. */
  readonly mostChars?: number | undefined
}

/**
 * Checks a caller's messages like `checkMessages` and copies them in the same pass, so that later
 * changes by the caller reach neither the run nor its journal. No message is remembered, so a
 * conversation that was parsed again costs the same as one that was given before.
 * @throws EchelonError INVALID_INPUT with the index of the first invalid message, or for a user text
 * that is too long
 */
export function copyMessages(
  messages: readonly unknown[],
  { after = 0, mostChars }: CopyLimits = {},
): CopiedMessages {
  const plain = plainCopies(messages, mostChars)
  // The usual conversation: one list serves as both, and nothing is in a wrong place.
  if (plain.length === messages.length) return { input: plain, said: plain }
  const order = new MessageOrder(after)
  if (plain.length > 0) order.takePlain()
  const input: Json[] = [...plain]
  const said: Message[] = [...plain]
  for (const given of messages.slice(plain.length)) {
    const plain = plainCopy(given)
    if (plain !== undefined && order.takePlain()) {
      checkMessageLength(plain, mostChars)
      input.push(plain)
      said.push(plain)
    } else {
      const index = after + said.length
      const copy = copyJson(given) ?? toJson(checkMessage(given, index))
      const message = order.take(copy, index)
      checkMessageLength(message, mostChars)
      input.push(copy)
      said.push(message)
    }
  }
  order.end(after + said.length - 1)
  return { input, said }
}

/**
 * Copies the messages before the first that is not a single text. For servers that receive whole
 * conversations this is all the work, so it is one pass.
 */
function plainCopies(
  messages: readonly unknown[],
  mostChars: number | undefined,
): readonly PlainMessage[] {
  const copies: PlainMessage[] = []
  for (const message of messages) {
    const copy = plainCopy(message)
    if (copy === undefined) break
    checkMessageLength(copy, mostChars)
    copies.push(copy)
  }
  return copies
}

/**
 * Copies a message of one text. The copy is what is checked, so that a getter is read only once.
 *
 * Cloned, not written as a literal: if objects of a literal survive a collection, V8 allocates all
 * later ones in the old generation, and after one long conversation each turn would cost three times as
 * much and soon a full collection.
 */
function plainCopy(given: unknown): PlainMessage | undefined {
  if (!isRecord(given)) return undefined
  const { content } = given
  if (!Array.isArray(content) || content.length !== 1) return undefined
  const parts: unknown[] = [...content]
  const [part] = parts
  if (!isRecord(part)) return undefined
  parts[0] = { ...part }
  const copy = { ...given, content: parts }
  return isPlainMessage(copy) ? copy : undefined
}

/** A message as JSON. @throws EchelonError INVALID_INPUT */
export function toJson(message: Message): Json {
  if (isJson(message)) return message
  // File addresses are the only part of a message that is not JSON yet.
  const plain: unknown = JSON.parse(JSON.stringify(message))
  if (isJson(plain)) return plain
  throw new EchelonError('INVALID_INPUT', 'a message holds what JSON cannot hold; use plain values')
}
