import { EchelonError } from '../../core/error.ts'
import { copyJson, isJson, type Json } from '../../core/json.ts'
import type { Message } from '../../core/thread.ts'
import { checkMessage, isPlainMessage, MessageOrder, type PlainMessage } from './message-check.ts'

/** Messages twice: as the journal keeps them and as models take them. Most are one object in both. */
export interface CopiedMessages {
  readonly input: readonly Json[]
  readonly said: readonly Message[]
}

/**
 * Checks the messages of a caller, as `checkMessages`, and copies them in the same pass: what the
 * caller changes afterwards reaches neither the run nor its journal. No message is remembered, so a
 * conversation that was parsed anew costs the same as one that was given before.
 * @param after how many messages come before them
 * @throws EchelonError INVALID_INPUT with the index of the first message that cannot be used
 */
export function copyMessages(messages: readonly unknown[], after: number): CopiedMessages {
  const plain = plainCopies(messages)
  // The usual conversation: one list is both, and nothing stands in a wrong place.
  if (plain.length === messages.length) return { input: plain, said: plain }
  const order = new MessageOrder(after)
  if (plain.length > 0) order.takePlain()
  const input: Json[] = [...plain]
  const said: Message[] = [...plain]
  for (const given of messages.slice(plain.length)) {
    if (isPlainMessage(given) && order.takePlain()) {
      const copy = copyPlain(given)
      input.push(copy)
      said.push(copy)
    } else {
      const index = after + said.length
      const copy = copyJson(given) ?? toJson(checkMessage(given, index))
      input.push(copy)
      said.push(order.take(copy, index))
    }
  }
  order.end(after + said.length - 1)
  return { input, said }
}

/** Copies of the messages before the first that is more than one text. */
function plainCopies(messages: readonly unknown[]): readonly PlainMessage[] {
  const copies: PlainMessage[] = []
  for (const message of messages) {
    if (!isPlainMessage(message)) break
    copies.push(copyPlain(message))
  }
  return copies
}

const copyPlain = ({ role, content: [{ text }] }: PlainMessage): PlainMessage => ({
  role,
  content: [{ type: 'text', text }],
})

/** A message as JSON. @throws EchelonError INVALID_INPUT */
export function toJson(message: Message): Json {
  if (isJson(message)) return message
  // Addresses of files are the one thing in a message that is no JSON yet.
  const plain: unknown = JSON.parse(JSON.stringify(message))
  if (isJson(plain)) return plain
  throw new EchelonError('INVALID_INPUT', 'a message holds what JSON cannot hold; use plain values')
}
