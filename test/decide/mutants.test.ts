import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Policy } from '../../packages/echelon/src/agents/decide/settings/modes.ts'
import type { PartialSettings } from '../../packages/echelon/src/agents/decide/settings/settings.ts'
import { SOUND } from '../../packages/echelon/src/testing/explore/finding.ts'
import { agentFor, type Configuration, type DecideAgent, explore, GENEROUS } from './explore.ts'
import { policyOf } from './fixtures.ts'
import { MATH, STOCK, type World } from './world.ts'

/** A policy with one fault, the place where it must show, and the rules that must detect it. */
interface Mutant {
  readonly fault: string
  readonly settings: PartialSettings
  readonly world: World
  readonly mutate: (one: Configuration) => DecideAgent
  readonly caught: readonly string[]
}

type Learn = DecideAgent['observe']

/** The real agent, with its observations altered. */
const learning = (one: Configuration, alter: (learn: Learn) => Learn): DecideAgent => {
  const agent = agentFor(one)
  return { ...agent, observe: alter((...learned) => agent.observe(...learned)) }
}

/** The real agent, built for a policy other than the one it is checked against. */
const under = (policy: Partial<Policy>) => (one: Configuration) =>
  agentFor({ ...one, policy: { ...one.policy, ...policy } })

const LADDER: PartialSettings = { models: { ladder: ['m/0', 'm/1', 'm/2'] } }
const UNLIMITED = {
  max_llm_calls_small: GENEROUS,
  max_llm_calls_big: GENEROUS,
  max_tool_calls: GENEROUS,
  max_checks: GENEROUS,
}

const MUTANTS: readonly Mutant[] = [
  {
    fault: 'a gate that has endless patience',
    settings: {},
    world: MATH,
    mutate: under({ patience: Infinity }),
    caught: ['another round below the top needs patience and max_steps'],
  },
  {
    fault: 'a gate that gives one round beyond max_steps',
    settings: {},
    world: STOCK,
    mutate: under({ maxSteps: 4 }),
    caught: ['another round below the top needs patience and max_steps'],
  },
  {
    fault: 'a gate that promotes by a limit although escalate_when says fail',
    settings: { flags: { escalate_when: 'fail' } },
    world: STOCK,
    mutate: under({ escalateWhen: 'fail_or_budget' }),
    caught: ['a limit alone promotes under fail_or_budget only'],
  },
  {
    fault: 'an executor that answers a refusal with the same call',
    settings: { budget: UNLIMITED },
    world: MATH,
    mutate: (one) =>
      learning(one, (learn) => (state, seen, meter) => {
        const isStubborn = seen.type === 'refused' && state.phase === 'execute'
        return isStubborn ? { state } : learn(state, seen, meter)
      }),
    caught: [SOUND.refused],
  },
  {
    fault: 'a gate that forgets to count rounds and patience',
    settings: { budget: UNLIMITED },
    world: MATH,
    mutate: (one) =>
      learning(one, (learn) => (state, seen, meter) => {
        const moved = learn(state, seen, meter)
        const { rounds, stalled, rung } = state.loop
        if (moved.state.phase !== 'plan' || moved.state.loop.rung !== rung) return moved
        const loop = { ...moved.state.loop, rounds, stalled }
        return { ...moved, state: { ...moved.state, loop } }
      }),
    caught: ['a gate decision is a round, and nothing else is'],
  },
  {
    fault: 'a top rung that retries without limit',
    settings: { budget: UNLIMITED },
    world: MATH,
    mutate: (one) =>
      learning(one, (learn) => (state, seen, meter) => {
        const moved = learn(state, seen, meter)
        if (moved.state.phase !== 'done' || moved.state.reason !== 'big_fail') return moved
        return { ...moved, state: { phase: 'plan', loop: moved.state.loop } }
      }),
    caught: ['the top model has one retry, if it may'],
  },
  {
    fault: 'an escalator that goes down',
    settings: LADDER,
    world: MATH,
    mutate: (one) =>
      learning(one, (learn) => (state, seen, meter) => {
        const moved = learn(state, seen, meter)
        if (moved.state.phase !== 'plan' || moved.state.loop.rung < 2) return moved
        return { ...moved, state: { phase: 'plan', loop: { ...moved.state.loop, rung: 0 } } }
      }),
    caught: ['the tier never goes down'],
  },
  {
    fault: 'an escalator that promotes with no tool call left',
    settings: { budget: { max_tool_calls: 2 } },
    world: MATH,
    mutate: (one) =>
      learning(one, (learn) => (state, seen, meter) => {
        const moved = learn(state, seen, meter)
        const { notes = [], state: after } = moved
        if (after.phase !== 'done' || notes.at(-1)?.stage !== 'escalate') return moved
        const loop = { ...after.loop, rung: after.loop.rung + 1, rounds: 0 }
        const told = { stage: 'escalate', data: { event: 'escalate_to_big' } }
        return { state: { phase: 'plan', loop }, notes: [...notes.slice(0, -1), told] }
      }),
    caught: ['nobody is promoted to act with nothing'],
  },
  {
    fault: 'an escalator that drops the evidence',
    settings: {},
    world: MATH,
    mutate: (one) =>
      learning(one, (learn) => (state, seen, meter) => {
        const moved = learn(state, seen, meter)
        if (moved.state.loop.rung === state.loop.rung) return moved
        return { ...moved, state: { ...moved.state, loop: { ...moved.state.loop, evidence: [] } } }
      }),
    caught: ['evidence is neither lost nor changed'],
  },
  {
    fault: 'an executor that takes the tool calls kept back',
    settings: {},
    world: MATH,
    mutate: (one) => {
      const agent = agentFor(one)
      const next: DecideAgent['next'] = (state) => {
        const asked = agent.next(state)
        return asked.type === 'call-tools' ? { ...asked, most: Infinity } : asked
      }
      return { ...agent, next }
    },
    caught: ['tool calls kept back for higher rungs stay untouched'],
  },
]

const explored = new Map<string, readonly string[]>()

/** Faults of the real agent. Several mutants share a configuration; `explore.test.ts` checks purity. */
function brokenBySound(one: Configuration): readonly string[] {
  const key = JSON.stringify([one.world.name, one.policy])
  const known = explored.get(key)
  if (known !== undefined) return known
  const broken = [...explore(one, agentFor(one), false).broken]
  explored.set(key, broken)
  return broken
}

suite('the exploration', () => {
  for (const { fault, settings, world, mutate, caught } of MUTANTS) {
    test(`[DD-2] catches ${fault}`, () => {
      const budget = { max_seconds: 1, ...settings.budget }
      const one = { world, policy: policyOf({ ...settings, budget }) }
      assert.deepEqual(brokenBySound(one), [])
      assert.deepEqual([...explore(one, mutate(one)).broken], caught)
    })
  }
})
