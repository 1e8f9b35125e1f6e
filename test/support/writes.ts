import assert from 'node:assert/strict'
import { createSupportAgent, DEMO_DAY, JSONDataSource } from '@echelon/support'
import { systemClock } from 'echelon/internal/platform'

/** A customer of the demo shop who writes one message after the other; each answer. */
export async function writes(
  customerId: string,
  ...texts: readonly string[]
): Promise<{ readonly answers: readonly string[]; readonly data: JSONDataSource }> {
  const data = new JSONDataSource()
  const now = (): number => Date.parse(`${DEMO_DAY}T12:00:00Z`)
  const agent = await createSupportAgent({ dataSource: data, clock: { ...systemClock, now } })
  const answers: string[] = []
  for (const text of texts) answers.push((await agent.resolve({ text, customerId }, 's')).text)
  return { answers, data }
}

/** The last answer to these messages. */
export const lastAnswer = async (
  customerId: string,
  ...texts: readonly string[]
): Promise<string> => (await writes(customerId, ...texts)).answers.at(-1) ?? ''

/** Each sentence, said after the same messages, is answered like this, and changes no order. */
export async function answeredAfter(
  customerId: string,
  before: readonly string[],
  said: readonly string[],
  pattern: RegExp,
): Promise<void> {
  const { data: kept } = await writes(customerId, ...before)
  const orders = await kept.listOrders(customerId)
  const others: string[] = []
  for (const one of said) {
    const { answers, data } = await writes(customerId, ...before, one)
    const answer = answers.at(-1) ?? ''
    if (!pattern.test(answer)) others.push(`${one} -> ${answer}`)
    assert.deepEqual(await data.listOrders(customerId), orders, one)
  }
  assert.deepEqual(others, [])
}

/** The last answer to each text, written after the same beginning. */
export async function each(
  [customerId, ...before]: readonly [string, ...string[]],
  texts: readonly string[],
  expected: RegExp,
): Promise<void> {
  for (const text of texts)
    assert.match(await lastAnswer(customerId, ...before, text), expected, text)
}
