import { NOTHING_SAID } from '../../src/core/thread.ts'
import type { AgentDefinition } from '../../src/core/agent.ts'
import type { Amounts } from '../../src/core/budget.ts'
import { overstep } from '../../src/core/capability.ts'
import { decideAgent } from '../../src/agents/decide/decide.ts'
import type { Policy } from '../../src/agents/decide/modes.ts'
import type { DecideInput, DecideResult, DecideState } from '../../src/agents/decide/state.ts'
import { edgesOf, placeOf } from './diagram.ts'
import { TOOLS } from './fixtures.ts'
import { brokenRules } from './rules.ts'
import { possibilities, signOf, type World } from './world.ts'

export type DecideAgent = AgentDefinition<DecideInput, DecideState, DecideResult>

/** A policy, and the world in which it is tried. */
export interface Configuration {
  readonly policy: Policy
  readonly world: World
}

/** The real agent for a configuration; what its task asks is given by the world. */
export const agentFor = ({ policy, world }: Configuration): DecideAgent =>
  decideAgent({ policy, tools: TOOLS, readQuestion: () => world.claim })

/** Explores the real agent, or another that is held to the same policy. */
export const explore = (one: Configuration, agent: DecideAgent = agentFor(one)): Explored =>
  new Exploration(agent, one).run()

/** What was found when every run of one configuration was followed to its end. */
export interface Explored {
  readonly states: number
  /** Observations until the longest run ends; nothing when a run never ends. */
  readonly deepest: number | undefined
  /** Arrows of the state diagram that were taken. */
  readonly edges: ReadonlySet<string>
  readonly reasons: ReadonlySet<string>
  /** Rules that the first wrong step broke, by their names in `RULES`. */
  readonly broken: ReadonlySet<string>
}

/** More than any honest configuration has; a policy that never ends is cut here. */
const MOST_STATES = 500_000
const ENDLESS = 'there is no end of new states'
export const CIRCLE = 'a run can go round for ever'

interface Situation {
  readonly state: DecideState
  readonly spent: Amounts
}

/**
 * Follows a definition through every sequence of observations that a world allows, or to the first
 * step that breaks a rule. States that cannot be told apart are visited once. That hides loops, so
 * whether runs halt is decided on the graph.
 */
class Exploration {
  readonly edges: Set<string> = new Set()
  readonly reasons: Set<string> = new Set()
  readonly broken: Set<string> = new Set()
  readonly #agent: DecideAgent
  readonly #policy: Policy
  readonly #world: World
  /** Index of each situation by what tells it from others, and its successors by index. */
  readonly #known = new Map<string, number>()
  readonly #next: number[][] = []
  readonly #open: { readonly situation: Situation; readonly index: number }[] = []

  constructor(agent: DecideAgent, { policy, world }: Configuration) {
    this.#agent = agent
    this.#policy = policy
    this.#world = world
  }

  run(): Explored {
    const { limits } = this.#policy
    const input = {
      input: 'task',
      mode: this.#policy.mode,
      expectedTools: [],
      goldAnswer: null,
      today: null,
      seed: null,
    }
    const context = { at: 0, seed: 1, runId: 'run', timeZone: 'UTC', limits, history: NOTHING_SAID }
    const { state } = this.#agent.start(input, context)
    this.edges.add(`Init->${placeOf(state, this.#policy)}`)
    this.#visit({ state, spent: {} })
    for (let here = this.#open.pop(); here !== undefined; here = this.#open.pop()) {
      if (this.#known.size > MOST_STATES) this.broken.add(ENDLESS)
      if (this.broken.size > 0) break
      this.#expand(here.situation, here.index)
    }
    const deepest = longestPath(this.#next)
    if (deepest === undefined) this.broken.add(CIRCLE)
    const { edges, reasons, broken } = this
    return { states: this.#known.size, deepest, edges, reasons, broken }
  }

  /** The index of a situation, which is put on the list when it is new. */
  #visit(situation: Situation): number {
    const key = keyOf(situation, this.#policy)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const index = this.#next.push([]) - 1
    this.#known.set(key, index)
    this.#open.push({ situation, index })
    return index
  }

  #expand({ state, spent }: Situation, index: number): void {
    const asked = this.#agent.next(state)
    if (asked.type === 'finish') {
      this.reasons.add(asked.reason)
      return
    }
    const over = overstep(this.#agent.actors, asked)
    if (over !== undefined) this.broken.add(`capability: ${over}`)
    const { limits } = this.#policy
    for (const possible of possibilities(asked, spent, limits, this.#world)) {
      const meter = { at: 0, spent: possible.spent, limits }
      const moved = this.#agent.observe(state, possible.seen, meter)
      const step = { before: state, seen: possible.seen, moved, spent: possible.spent }
      for (const rule of brokenRules(step, this.#policy)) this.broken.add(rule)
      for (const edge of edgesOf(step, this.#policy)) this.edges.add(edge)
      this.#next[index]?.push(this.#visit({ state: moved.state, spent: possible.spent }))
    }
  }
}

/** A limit from here on is never met by a run of these configurations. */
export const GENEROUS = 1000

/** Everything that later decisions can depend on. Evidence is not: it goes into prompts alone. */
function keyOf({ state, spent }: Situation, policy: Policy): string {
  const { rung, rounds, reprompt, best, stalled } = state.loop
  const counters = countersThatMatter(rung, policy)
  return JSON.stringify([
    state.phase,
    [rung, rounds, reprompt !== null, best, stalled],
    'ran' in state ? [state.actions.length, state.ran.map(({ outcome }) => signOf(outcome))] : 0,
    'actions' in state ? state.actions.map(({ tool }) => tool) : 0,
    state.phase === 'done' ? [state.reason, state.limit] : 0,
    counters.map((counter) => spent[counter] ?? 0),
  ])
}

/** Those whose limit can be met. A rung that was left makes no more calls, since no step goes down. */
function countersThatMatter(rung: number, { limits, rungs }: Policy): readonly string[] {
  const left = rungs.slice(0, rung).map(({ role }) => `calls.${role}`)
  return Object.keys(limits).filter(
    (counter) => (limits[counter] ?? Infinity) < GENEROUS && !left.includes(counter),
  )
}

/** The length of the longest way through a graph, or nothing when it holds a circle. */
function longestPath(next: readonly (readonly number[])[]): number | undefined {
  const arrows = Array.from(next, () => 0)
  for (const to of next.flat()) arrows[to] = (arrows[to] ?? 0) + 1
  const depth = Array.from(next, () => 0)
  const free = [0]
  let sorted = 0
  for (let from = free.pop(); from !== undefined; from = free.pop()) {
    sorted++
    for (const to of next[from] ?? []) {
      depth[to] = Math.max(depth[to] ?? 0, (depth[from] ?? 0) + 1)
      arrows[to] = (arrows[to] ?? 0) - 1
      if (arrows[to] === 0) free.push(to)
    }
  }
  if (sorted < next.length) return undefined
  return depth.reduce((most, one) => Math.max(most, one), 0)
}
