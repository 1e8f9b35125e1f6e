import type { Amounts } from '../../../../packages/echelon/src/core/agent/budget.ts'
import {
  createDecider,
  type DecideSettings,
  proved,
  refuted,
  type Verifier,
} from '../../../../packages/echelon/src/decide.ts'
import type { Registry } from '../../../../packages/echelon/src/providers.ts'
import { faultyModel } from './faulty-model.ts'
import { foundModel } from './found-model.ts'
import { flakyTool, textOf, type World } from './world.ts'

export const DECIDE_ROLES = ['small', 'big'] as const

const PLAN = JSON.stringify({ actions: [{ tool: 'look', args: {} }], cannot: null })

/** A case of the decision agent, escalated by plans that fail and by answers that are wrong. */
export async function decideRun(world: World): Promise<Amounts> {
  const { chance, clock, ids, limits, reservations: journal } = world
  const reply = (): { readonly text: string } => ({
    text: chance.happens(0.8) ? PLAN : textOf(chance.whole(1, 200)),
  })
  const models = DECIDE_ROLES.map((role) =>
    faultyModel(world, { id: `scripted/${role}`, role, reply }),
  )
  const registry: Registry = {
    keys: () => ['scripted'],
    list: async () => [],
    register: () => undefined,
    resolve: async (name) => foundModel(models, name),
  }
  const decider = await createDecider({
    ladder: models.map(({ id }) => id),
    registry,
    tools: [flakyTool(world)],
    verifiers: [coin(world)],
    settings: { budget: budgetOf(limits), telemetry: { timezone: 'UTC' } },
    journal,
    clock,
    ids,
  })
  const { outcome, run } = await decider.start(textOf(chance.whole(1, 400)))
  await clock.runUntil(outcome)
  return run.spent
}

const budgetOf = (limits: Amounts): Partial<DecideSettings['budget']> => ({
  max_llm_calls_small: limits['calls.small'] ?? 6,
  max_llm_calls_big: limits['calls.big'] ?? 2,
  max_tool_calls: limits['tools'] ?? null,
  max_seconds: limits['seconds'] ?? 60,
  max_tokens: limits['tokens'] ?? null,
  max_cost_usd: limits['money'] ?? null,
})

/** Finds an answer right or wrong by chance. */
const coin = ({ chance }: World): Verifier => ({
  name: 'coin',
  tools: [],
  read: () => ({ type: 'claim', claim: { kind: 'coin' } }),
  checks: () => [],
  judge: ({ answer }) =>
    answer !== null && chance.happens(0.4)
      ? proved(answer, 'it came up heads')
      : refuted(answer ?? '', 'it came up tails', 'it came up tails'),
  isClaim: () => true,
})
