import { CHAT_ACTS, chat } from './chat-scenario.ts'
import type { decide as Decide } from './decide-scenario.ts'
import { JOURNEY_ACTS, journey } from './journey-scenario.ts'
import type { Scenario } from './scenario.ts'
import { SUPPORT_ACTS, support, supportRecord } from './support-scenario.ts'

/** Imported on demand: loading costs are multiplied by hundreds of processes. */
const decide =
  (task: Parameters<typeof Decide>[0]): Scenario =>
  async (surroundings) =>
    (await import('./decide-scenario.ts')).decide(task)(surroundings)

/** Every agent, with tasks that exercise all of its paths. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  chat,
  journey,
  arithmetic: decide({ task: 'What is 15*23?' }),
  discount: decide({ task: 'A shirt costs $40 and is 25% off; what do three cost?' }),
  unsolved: decide({ task: 'Who wrote the letter, and to whom?', unchecked: 'escalate' }),
  stock: decide({
    task: 'Show me last 30 days closing price for AAPL and plot it with 7-day moving average',
  }),
  fallback: decide({ task: 'mean AAPL close, last 100 days', mode: 'fallback_only' }),
  support,
}

/** Actions of a scenario that may happen at most once. */
export const ACTS: Readonly<Record<string, readonly string[]>> = {
  chat: CHAT_ACTS,
  journey: JOURNEY_ACTS,
  support: SUPPORT_ACTS,
}

/** The id of a run: for a conversation that of the turn that acts. */
export const recordOf = (scenario: string, run: string): string =>
  scenario === 'support' ? supportRecord(run) : run
