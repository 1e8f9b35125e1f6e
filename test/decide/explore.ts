import type { AgentDefinition } from '../../packages/echelon/src/core/agent/agent.ts'
import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { decideAgent } from '../../packages/echelon/src/agents/decide/decide.ts'
import type { Policy } from '../../packages/echelon/src/agents/decide/settings/modes.ts'
import {
  type DecideInput,
  type DecideResult,
  type DecideState,
  RULES as NEWEST,
} from '../../packages/echelon/src/agents/decide/state.ts'
import { Verification } from '../../packages/echelon/src/agents/decide/verification/verification.ts'
import { explore as exploreAll } from '../../packages/echelon/src/testing/explore.ts'
import { edgesOf, placeOf } from './diagram.ts'
import { TOOLS } from './fixtures.ts'
import { verifiersFor } from './verifiers.ts'
import { RULES } from './rules.ts'
import { type DecideStep, stepFrom } from './step.ts'
import { possibilities, signOf, type World } from './world.ts'

export type DecideAgent = AgentDefinition<DecideInput, DecideState, DecideResult>

/** A policy, and the world in which it is tried. */
export interface Configuration {
  readonly policy: Policy
  readonly world: World
}

/** The real agent for a configuration; the world supplies its task's claim. */
export const agentFor = ({ policy, world }: Configuration): DecideAgent =>
  decideAgent({
    policy,
    tools: TOOLS,
    verification: new Verification(verifiersFor(world.claim)),
    ...(world.gate && { gate: world.gate }),
  })

/** The findings after following every run of one configuration to its end. */
export interface Explored {
  readonly states: number
  /** Observations until the longest run ends; undefined if a run never ends. */
  readonly longest: number | undefined
  /** Edges of the state diagram that were taken. */
  readonly edges: ReadonlySet<string>
  readonly reasons: ReadonlySet<string>
  /** The rules that the first wrong step broke, by their names in `RULES`. */
  readonly broken: ReadonlySet<string>
}

/** More than any correct configuration has; cuts off a policy that never ends. */
const MOST_STATES = 500_000

/** Explores the real agent, or another under the same policy. */
export function explore(
  { policy, world }: Configuration,
  agent: DecideAgent = agentFor({ policy, world }),
  purity = true,
): Explored {
  const edges = new Set<string>()
  const input: DecideInput = {
    input: 'task',
    mode: policy.mode,
    expectedTools: [],
    goldAnswer: null,
    today: null,
    seed: null,
    unchecked: policy.unchecked,
    rules: NEWEST,
    ...(world.gate && { wanted: { kind: 'text' } }),
  }
  const { states, longest, reasons, findings } = exploreAll(agent, {
    inputs: [input],
    limits: policy.limits,
    observations: (asked, { spent, limits }) => possibilities(asked, spent, limits, world),
    keyOf: (state, spent) => keyOf(state, spent, policy),
    invariants: Object.fromEntries(
      Object.entries(RULES).map(([name, holds]) => [
        name,
        (step: DecideStep) => holds(stepFrom(step), policy),
      ]),
    ),
    watch(explored) {
      const step = stepFrom(explored)
      if (edges.size === 0) edges.add(`Init->${placeOf(step.before, policy)}`)
      for (const edge of edgesOf(step, policy)) edges.add(edge)
    },
    maxStates: MOST_STATES,
    purity,
  })
  return { states, longest, reasons, edges, broken: new Set(findings.map(({ rule }) => rule)) }
}

/** No run of these configurations reaches a limit this high. */
export const GENEROUS = 1000

/** Everything that later decisions can depend on. Not evidence, which only goes into prompts. */
function keyOf(state: DecideState, spent: Amounts, policy: Policy): Json {
  const { rung, rounds, reprompt, best, stalled } = state.loop
  const counters = countersThatMatter(rung, policy)
  return [
    state.phase,
    [rung, rounds, reprompt !== null, best, stalled],
    'ran' in state
      ? [
          'actions' in state ? state.actions.length : 0,
          state.ran.map(({ outcome }) => signOf(outcome)),
        ]
      : 0,
    'actions' in state ? state.actions.map(({ tool }) => tool) : 0,
    state.phase === 'done' ? [state.reason, state.limit] : 0,
    'answer' in state ? [JSON.stringify(state.answer), state.observed.length] : 0,
    counters.map((counter) => spent[counter] ?? 0),
  ]
}

/** The limits that can be reached. A rung that was left makes no more calls, since the rung never goes down. */
function countersThatMatter(rung: number, { limits, rungs }: Policy): readonly string[] {
  const left = rungs.slice(0, rung).map(({ role }) => `calls.${role}`)
  return Object.keys(limits).filter(
    (counter) => (limits[counter] ?? Infinity) < GENEROUS && !left.includes(counter),
  )
}
