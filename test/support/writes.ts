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
