import { StoreConversationMemory } from '../../src/agents/support/defaults/store-conversation-memory.ts'
import { LocalExecutor } from '../../src/agents/support/defaults/local-executor.ts'
import { TEST_INTENTS, plainRouter } from '../support/kit.ts'
import { IntentsRegistry } from '../../src/agents/support/intents-registry.ts'
import type { LocalTool } from '../../src/agents/support/local-tool.ts'
import type { TurnStore } from '../../src/agents/support/router-options.ts'
import type { SupportRouter } from '../../src/agents/support/router.ts'
import type { Entry, Journal } from '../../src/core/journal.ts'
import type { Json } from '../../src/core/json.ts'
import type { RunSummary } from '../../src/core/run-store.ts'
import { systemClock } from '../../src/host/clock.ts'
import type { Outside } from './outside.ts'
import type { Scenario, Surroundings } from './scenario.ts'

/** What is said to the agent, and what each message is called. */
const SAID = [
  { id: 'ask', text: 'refund O-11111; status O-22222' },
  { id: 'refund', text: 'yes' },
] as const

/** What the turn that acts is called on record. */
export const supportRecord = (run: string): string => `${run}/refund`

/** What of it may be done once at most. */
export const SUPPORT_ACTS: readonly string[] = ['refund']

const PARAMETERS = { type: 'object', properties: { order_id: { type: 'string' } } } as const

const toolsIn = (outside: Outside): Readonly<Record<string, LocalTool>> => ({
  check_order_status: {
    description: 'looks',
    parameters: PARAMETERS,
    run: (params) => ({ data: { ...params, status: 'shipped' } }),
  },
  issue_refund: {
    description: 'pays back',
    parameters: PARAMETERS,
    acts: true,
    // As the contract of a tool that acts says: under one key once, whatever became of the process.
    run: (params, { idempotencyKey }) => {
      const isDone = outside.deeds.some(({ key }) => key === idempotencyKey)
      if (!isDone) outside.do('refund', idempotencyKey)
      return { data: { ...params } }
    },
  },
})

/** A customer asks for a refund, is asked whether they mean it, and says yes: two turns of one session. */
export const support: Scenario = async (surroundings) => {
  const { run, journal } = surroundings
  const router = supportRouter(surroundings)
  const answers: Json[] = []
  for (const message of SAID) answers.push((await router.resolve(message, run)).text)
  const history = (await router.history(run)).map(({ role, text }) => `${role}: ${text}`)
  const entries = await journal.read(supportRecord(run))
  const ended = entries.find(({ type }) => type === 'ended')
  const last = entries.findLast(({ type }) => type === 'closed')
  return {
    status: ended?.type === 'ended' ? ended.status : 'open',
    reason: ended?.type === 'ended' ? ended.reason : '',
    result: { answers, history },
    spent: last?.type === 'closed' ? last.spent : {},
  }
}

export function supportRouter({
  journal,
  store,
  outside,
  clock = systemClock,
}: Pick<Surroundings, 'journal' | 'store' | 'outside' | 'clock'>): SupportRouter {
  if (store === undefined) throw new Error('a session that lasts needs a store')
  const { results, sessions } = store
  const options = { builtIn: false, results, tools: toolsIn(outside), now: () => clock.now() }
  const nobody = { getOrder: async () => null, getCustomer: async () => null }
  return plainRouter({
    clock,
    memory: new StoreConversationMemory(sessions, { now: () => clock.now() }),
    executor: new LocalExecutor(nobody, options),
    intents: new IntentsRegistry({ intents: TEST_INTENTS, tiers: [], redactedParams: [] }),
    store: { runs: turnsOf(journal, store.runs) },
  }).router
}

/** The journal, which may kill its process; who works on what is the store's to say. */
function turnsOf(journal: Journal, runs: TurnStore): TurnStore {
  return {
    append: (run, entries, beside) => journal.append(run, entries, beside),
    read: (run) => journal.read(run),
    ...(journal.snapshot && { snapshot: (run: string) => journal.snapshot?.(run) }),
    ...(journal.follow && { follow: journal.follow.bind(journal) }),
    ...(journal.leave && { leave: journal.leave.bind(journal) }),
    find: async (run) => (await runs.find(run)) ?? summaryOf(run, await journal.read(run)),
    list: (filter) => runs.list(filter),
  }
}

/** Of a run whose journal is not the store's, as one that was written once. */
function summaryOf(id: string, entries: readonly Entry[]): RunSummary | undefined {
  const started = entries.find(({ type }) => type === 'started')
  if (started?.type !== 'started') return undefined
  return {
    id,
    agent: started.agent,
    version: started.version,
    status: entries.some(({ type }) => type === 'ended') ? 'finished' : 'interrupted',
    reason: null,
    input: started.input,
    made: null,
    session: started.session?.id ?? null,
    forkedFrom: null,
    beganAt: started.at,
    changedAt: started.at,
    wakeAt: null,
    requests: [],
    isCancelAsked: false,
  }
}
