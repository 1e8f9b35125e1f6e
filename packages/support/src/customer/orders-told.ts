import type { Message } from '../message.ts'
import type { OwnOrder } from './own-order.ts'

/** The one order that an answer names; `null` if it names none, or several. */
export function onlyOrderIn(answer: string, orders: readonly OwnOrder[]): OwnOrder | null {
  const [only, ...others] = orders.filter(({ id }) => answer.includes(id))
  return only === undefined || others.length > 0 ? null : only
}

/** The last answer of the agent; empty before the first. */
export const lastAnswer = (history: readonly Message[]): string =>
  history.findLast(({ role }) => role === 'agent')?.text ?? ''

/**
 * The ids of the orders that the last answers told of, in the order in which they were: as far back as it takes to find
 * several. Empty if they were about one order, or none.
 * @param most answers to look back
 */
export function severalTold(
  history: readonly Message[],
  orders: readonly OwnOrder[],
  most: number = Infinity,
): readonly string[] {
  const answers = history.filter(({ role }) => role === 'agent').map(({ text }) => text)
  let told: readonly string[] = []
  for (const text of answers.toReversed().slice(0, most)) {
    const found = orders.map(({ id }) => id).filter((id) => text.includes(id) && !told.includes(id))
    told = [...found, ...told]
    if (told.length > 1) return told
  }
  return []
}
