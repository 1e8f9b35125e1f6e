import { EchelonError } from '../../../core/value/error.ts'
import { copyJson, isJson, isRecord, type Json } from '../../../core/value/json.ts'
import type { Message } from '../../../core/message/thread.ts'
import { checkMessageLength } from './input-length.ts'
import { checkMessage, isPlainMessage, MessageOrder, type PlainMessage } from './message-check.ts'

/** Messages twice: as the journal keeps them and as models take them. Most are one object in both. */
export interface CopiedMessages {
  readonly input: readonly Json[]
  readonly said: readonly Message[]
}

/** What messages of a caller are held against. */
export interface CopyLimits {
  /** How many messages come before them; an error names the index counted from there. Default 0. */
  readonly after?: number
  /** Characters that one text of the user may have. Default: those of `maxInputChars`. */
  readonly mostChars?: number | undefined
}

/**
 * Checks the messages of a caller, as `checkMessages`, and copies them in the same pass: what the
 * caller changes afterwards reaches neither the run nor its journal. No message is remembered, so a
 * conversation that was parsed anew costs the same as one that was given before.
 * @throws EchelonError INVALID_INPUT with the index of the first message that cannot be used, or for
 * a text of the user's that is too long
 */
export function copyMessages(
  messages: readonly unknown[],
  { after = 0, mostChars }: CopyLimits = {},
): CopiedMessages {
  const plain = plainCopies(messages, mostChars)
  // The usual conversation: one list is both, and nothing stands in a wrong place.
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
 * Copies of the messages before the first that is more than one text. This is all the work of a
 * server that is given whole conversations, so it makes one pass.
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
 * The copy of a message of one text. It is the copy that is checked: what a getter gives is read once.
 *
 * Cloned, not written as a literal. Where the objects of a literal outlive a collection, V8 makes all
 * later ones in the old generation: after one long conversation each turn would cost three times as
 * much, and soon a full collection.
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
  // Addresses of files are the one thing in a message that is no JSON yet.
  const plain: unknown = JSON.parse(JSON.stringify(message))
  if (isJson(plain)) return plain
  throw new EchelonError('INVALID_INPUT', 'a message holds what JSON cannot hold; use plain values')
}
