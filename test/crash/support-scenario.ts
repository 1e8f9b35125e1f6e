import { StoreConversationMemory } from '../../packages/support/src/defaults/store-conversation-memory.ts'
import { LocalExecutor } from '../../packages/support/src/defaults/local-executor.ts'
import { plainRouter, TEST_INTENTS, YES } from '../support/kit.ts'
import { IntentsRegistry } from '../../packages/support/src/intents-registry.ts'
import { isToolCall, type PlanStep } from '../../packages/support/src/plan.ts'
import type { PolicyDecision } from '../../packages/support/src/primitives/policy-engine.ts'
import type { LocalTool } from '../../packages/support/src/local-tool.ts'
import type { TurnStore } from '../../packages/support/src/router-options.ts'
import type { SupportRouter } from '../../packages/support/src/router.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { RunSummary } from '../../packages/echelon/src/core/store/run-store.ts'
import { systemClock } from '../../packages/echelon/src/platform/clock.ts'
import type { Outside } from './outside.ts'
import type { Scenario, Surroundings } from './scenario.ts'

/** The messages to the agent and their ids. */
const SAID = [
  { id: 'ask', text: 'refund O-11111; status O-22222' },
  { id: 'refund', text: 'yes' },
] as const

/** The run id of the turn that acts. */
export const supportRecord = (run: string): string => `${run}/refund`

/** Actions that may happen at most once. */
export const SUPPORT_ACTS: readonly string[] = ['refund']

const PARAMETERS = { type: 'object', properties: { order_id: { type: 'string' } } } as const

/** Why the outcome of an interrupted refund is hard to determine. */
export interface Hardships {
  /** Its tool has no record to query, and results are not stored. */
  readonly isMute?: boolean
  /** A rule forbids a second refund. */
  readonly isForbiddenTwice?: boolean
  /** The order differs in each process. */
  readonly changes?: boolean
}

const isRefunded = ({ deeds }: Outside, key?: string): boolean =>
  deeds.some((deed) => deed.tool === 'refund' && (key === undefined || deed.key === key))

const NO: PolicyDecision = {
  allowed: false,
  violations: ['it was refunded'],
  requiresEscalation: false,
}
const isRefund = (step: PlanStep): boolean => isToolCall(step) && step.toolName === 'issue_refund'

const toolsIn = (outside: Outside, isMute: boolean): Readonly<Record<string, LocalTool>> => ({
  check_order_status: {
    description: 'looks',
    parameters: PARAMETERS,
    run: (params) => ({ data: { ...params, status: 'shipped' } }),
  },
  issue_refund: {
    description: 'pays back',
    parameters: PARAMETERS,
    acts: true,
    // As the contract of an acting tool says: once per key, even after a crash.
    run: (params, { idempotencyKey }) => {
      if (!isRefunded(outside, idempotencyKey)) outside.do('refund', idempotencyKey)
      return { data: { ...params } }
    },
    ...(!isMute && {
      outcome: async (params, { idempotencyKey }) =>
        isRefunded(outside, idempotencyKey) ? { data: { ...params } } : 'not-done',
    }),
  },
  hand_over: {
    description: 'calls a person',
    acts: true,
    parameters: { type: 'object' },
    run: () => ({ data: { ticket: 'H-1' } }),
  },
})

/** A customer asks for a refund, is asked to confirm, and says yes: two turns of one session. */
const supportUnder =
  (hardships: Hardships): Scenario =>
  async (surroundings) => {
    const { run, journal } = surroundings
    const router = supportRouter(surroundings, hardships)
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

export const support: Scenario = supportUnder({})

/** The same, with an outcome that is hard to determine. */
export const CUT_OFF: Readonly<Record<string, Scenario>> = {
  'changed order': supportUnder({ changes: true }),
  'changed order, mute tool': supportUnder({ changes: true, isMute: true }),
  'rule against it': supportUnder({ isForbiddenTwice: true }),
  'rule against it, mute tool': supportUnder({ isForbiddenTwice: true, isMute: true }),
}

export function supportRouter(
  {
    journal,
    store,
    outside,
    clock = systemClock,
  }: Pick<Surroundings, 'journal' | 'store' | 'outside' | 'clock'>,
  { isMute = false, isForbiddenTwice = false, changes = false }: Hardships = {},
): SupportRouter {
  if (store === undefined) throw new Error('a session that lasts needs a store')
  const { results, sessions } = store
  const options = {
    builtIn: false,
    ...(!isMute && { results }),
    tools: toolsIn(outside, isMute),
    now: () => clock.now(),
  }
  const orders = {
    // A refund changes the order that its approval was for.
    getOrder: async (id: string) => ({
      order_id: id,
      status: isRefunded(outside) ? 'refunded' : 'delivered',
      ...(changes && { lastLook: process.pid }),
    }),
    getCustomer: async () => null,
  }
  return plainRouter({
    clock,
    dataSource: orders,
    policy: {
      validate: ({ steps }) =>
        isForbiddenTwice && isRefunded(outside) && steps.some(isRefund) ? NO : YES,
    },
    memory: new StoreConversationMemory(sessions, { now: () => clock.now() }),
    executor: new LocalExecutor(orders, options),
    intents: new IntentsRegistry({ intents: TEST_INTENTS, tiers: [], redactedParams: [] }),
    store: { runs: turnsOf(journal, store.runs) },
  }).router
}

/** The journal, which may kill its process; the store decides who owns a run. */
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

/** For a run whose journal is not the store's. */
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
