import type { AgentDefinition, Meter, Note } from '../../core/agent/agent.ts'
import type { Amounts } from '../../core/agent/budget.ts'
import { overstep } from '../../core/agent/capability.ts'
import type { Effect, Finish } from '../../core/agent/effect.ts'
import type { Json } from '../../core/value/json.ts'
import type { Observation } from '../../core/agent/observation.ts'
import { NOTHING_SAID } from '../../core/message/thread.ts'
import type { ExploreOptions } from './explore-options.ts'
import type { Explored, ExploredStep, Possible } from './explored.ts'
import { describeEffect, describeSeen } from './describe.ts'
import { type Finding, SOUND, type TraceStep } from './finding.ts'
import { circleIn, longestPath } from './graph.ts'
import { oddPart } from './plain.ts'
import { Broken, heldToItsWord } from './pure.ts'

export interface SearchOptions<Input extends Json, State, Result> extends Omit<
  ExploreOptions<Input, State, Result>,
  'observations'
> {
  readonly observe: (asked: Effect, at: Explored<State>) => readonly Possible[]
}

export interface Found {
  readonly states: number
  readonly longest: number | undefined
  readonly reasons: ReadonlySet<string>
  readonly findings: readonly Finding[]
}

/** A state, and everything else that a later step can depend on. */
interface Situation<State> {
  readonly state: State
  readonly spent: Amounts
  /** Milliseconds since the run began; only sleeping takes time. */
  readonly at: number
  /** The number of user messages delivered so far. */
  readonly said: number
}

/** The step by which a situation was first reached. */
interface Arrival {
  readonly from: number
  readonly asked: Effect | Finish<unknown>
  readonly seen: Observation
}

type Step<State, Result> = ExploredStep<State, Result>

const DEFAULT_MAX_STATES = 100_000

/**
 * A breadth-first search, so the first path to a situation is a shortest one. Equal states are
 * visited once. This hides cycles, so termination is checked on the graph.
 */
export class Search<Input extends Json, State, Result> {
  readonly #definition: ReturnType<typeof heldToItsWord<Input, State, Result>>
  readonly #actors: AgentDefinition<Input, State, Result>['actors']
  readonly #options: SearchOptions<Input, State, Result>
  readonly #limits: Amounts
  readonly #invariants: readonly (readonly [string, (step: Step<State, Result>) => boolean])[]
  readonly #known = new Map<string, number>()
  readonly #situations: Situation<State>[] = []
  readonly #arrivals: (Arrival | { readonly input: Input })[] = []
  /** The successors of each situation, and which steps were refusals or failures. */
  readonly #next: number[][] = []
  readonly #refusals: boolean[][] = []
  readonly #reasons = new Set<string>()
  readonly #findings: Finding[] = []

  constructor(
    definition: AgentDefinition<Input, State, Result>,
    options: SearchOptions<Input, State, Result>,
  ) {
    this.#definition = heldToItsWord(definition, options.purity ?? true)
    this.#actors = definition.actors
    this.#options = options
    this.#limits = options.limits ?? {}
    this.#invariants = Object.entries(options.invariants ?? {})
  }

  run(): Found {
    const { inputs, maxStates = DEFAULT_MAX_STATES } = this.#options
    for (const input of inputs) this.#begin(input)
    for (let place = 0; place < this.#situations.length; place++) {
      if (this.#findings.length > 0) break
      if (this.#situations.length > maxStates) {
        const message = `there is no end of new states: over ${maxStates} by now; omit growing parts from keyOf, let the run end after a number of sleeps, or raise maxStates`
        this.#tell(SOUND.halts, message, this.#situations.length - 1)
        break
      }
      this.#expand(place)
    }
    if (this.#findings.length === 0) this.#findCircle()
    const longest = this.#findings.length === 0 ? longestPath(this.#next) : undefined
    const states = this.#situations.length
    return { states, longest, reasons: this.#reasons, findings: this.#findings }
  }

  #begin(input: Input): void {
    const { history = NOTHING_SAID } = this.#options
    const limits = this.#limits
    const context = { at: 0, seed: 1, runId: 'run', timeZone: 'UTC', limits, history }
    try {
      const { state } = this.#definition.start(input, context)
      this.#visit({ state, spent: {}, at: 0, said: 0 }, { input })
    } catch (error) {
      const { rule, message } = brokenBy(error)
      this.#findings.push({ rule, message, input: JSON.stringify(input), trace: [] })
    }
  }

  /** The index of a situation, new or already known. */
  #visit(situation: Situation<State>, arrival: Arrival | { readonly input: Input }): number {
    const key = this.#keyOf(situation)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    mustBePlain(situation.state)
    const place = this.#situations.push(situation) - 1
    this.#known.set(key, place)
    this.#arrivals.push(arrival)
    this.#next.push([])
    this.#refusals.push([])
    return place
  }

  #keyOf({ state, spent, at, said }: Situation<State>): string {
    const { keyOf } = this.#options
    try {
      if (keyOf !== undefined) return JSON.stringify([keyOf(state, spent), at, said])
      const counted = Object.keys(this.#limits).map((counter) => spent[counter] ?? 0)
      return JSON.stringify([state, counted, at, said])
    } catch (error) {
      mustBePlain(state)
      throw error
    }
  }

  #expand(place: number): void {
    const here = this.#situations[place]
    if (here === undefined) return
    try {
      if (this.#options.loads === true) this.#definition.load(here.state)
      const asked = this.#definition.next(here.state)
      if (asked.type === 'finish') this.#reasons.add(asked.reason)
      else this.#mayAsk(asked)
      for (const possible of this.#possible(asked, here)) this.#take(place, asked, possible)
    } catch (error) {
      const { rule, message } = brokenBy(error)
      this.#tell(rule, message, place)
    }
  }

  #mayAsk(asked: Effect): void {
    const over = overstep(this.#actors, asked)
    if (over === undefined) return
    throw new Broken(SOUND.capability, `${describeEffect(asked)}, which is not allowed: ${over}`)
  }

  #possible(asked: Effect | Finish<Result>, here: Situation<State>): readonly Possible[] {
    const { heard = [], observe } = this.#options
    const text = heard[here.said]
    const heardNext: readonly Possible[] =
      text === undefined ? [] : [{ seen: { type: 'heard', text } }]
    if (asked.type === 'finish') return heardNext
    const { state, spent } = here
    return [...heardNext, ...observe(asked, { state, spent, limits: this.#limits })]
  }

  #take(place: number, asked: Effect | Finish<Result>, possible: Possible): void {
    const here = this.#situations[place]
    // One wrong step is enough.
    if (here === undefined || this.#findings.length > 0) return
    const { seen } = possible
    const arrival = { from: place, asked, seen }
    try {
      const { after, notes } = this.#learn(here, asked, possible)
      const { spent } = after
      const states = { before: here.state, after: after.state }
      const step = { ...states, asked, seen, notes, spent, limits: this.#limits }
      this.#options.watch?.(step)
      this.#next[place]?.push(this.#visit(after, arrival))
      this.#refusals[place]?.push(isRefusal(seen))
      for (const { rule, message } of this.#brokenBy(step)) this.#tell(rule, message, arrival)
    } catch (error) {
      const { rule, message } = brokenBy(error)
      this.#tell(rule, message, arrival)
    }
  }

  #learn(
    here: Situation<State>,
    asked: Effect | Finish<Result>,
    { seen, spent = here.spent }: Possible,
  ): { readonly after: Situation<State>; readonly notes: readonly Note[] } {
    const at = timeAfter(here.at, asked, seen)
    const meter: Meter = { at, spent, limits: this.#limits }
    const { state, notes = [] } = this.#definition.observe(here.state, seen, meter)
    const said = seen.type === 'heard' ? here.said + 1 : here.said
    return { after: { state, spent, at, said }, notes }
  }

  #brokenBy(step: Step<State, Result>): readonly { rule: string; message: string }[] {
    const own: { rule: string; message: string }[] = []
    for (const [rule, holds] of this.#invariants) {
      const message = breach(holds, step)
      if (message !== undefined) own.push({ rule, message })
    }
    if (step.seen.type !== 'canceled') return own
    const wish = this.#definition.next(step.after)
    if (wish.type === 'finish') return own
    return [...own, { rule: SOUND.canceled, message: `it goes on: ${describeEffect(wish)}` }]
  }

  /** First cycles of refusals and failures alone, which the runtime would stop. */
  #findCircle(): void {
    const refused = circleIn(this.#next, (from, nth) => this.#refusals[from]?.[nth] === true)
    const circle = refused ?? circleIn(this.#next)
    const [first] = circle ?? []
    if (circle === undefined || first === undefined) return
    const steps = circle.map((place, index) => {
      const to = circle[index + 1] ?? first
      return this.#stepBetween(place, to, refused !== undefined)
    })
    const rule = refused === undefined ? SOUND.halts : SOUND.refused
    const message = 'a run can cycle forever'
    this.#findings.push({ rule, message, ...this.#wayTo(first), circle: steps })
  }

  /** Computed again, since storing millions of steps would take too much memory. */
  #stepBetween(from: number, to: number, byRefusal: boolean): TraceStep {
    const here = this.#situations[from]
    if (here === undefined) return NO_STEP
    const asked = this.#definition.next(here.state)
    const leads = (possible: Possible): boolean =>
      (!byRefusal || isRefusal(possible.seen)) &&
      this.#known.get(this.#keyOf(this.#learn(here, asked, possible).after)) === to
    const found = this.#possible(asked, here).find(leads)
    return found === undefined ? NO_STEP : stepOf({ from, asked, seen: found.seen })
  }

  #tell(rule: string, message: string, where: number | Arrival): void {
    if (typeof where === 'number') {
      this.#findings.push({ rule, message, ...this.#wayTo(where) })
      return
    }
    const { input, trace } = this.#wayTo(where.from)
    this.#findings.push({ rule, message, input, trace: [...trace, stepOf(where)] })
  }

  #wayTo(place: number): { readonly input: string; readonly trace: readonly TraceStep[] } {
    const trace: TraceStep[] = []
    let arrival = this.#arrivals[place]
    while (arrival !== undefined && 'from' in arrival) {
      trace.unshift(stepOf(arrival))
      arrival = this.#arrivals[arrival.from]
    }
    return { input: JSON.stringify(arrival?.input ?? null), trace }
  }
}

const NO_STEP: TraceStep = { asked: '', seen: '' }

const isRefusal = ({ type }: Observation): boolean => type === 'refused' || type === 'failed'

const stepOf = ({ asked, seen }: Arrival): TraceStep => ({
  asked: describeEffect(asked),
  seen: describeSeen(seen),
})

function mustBePlain(state: unknown): void {
  const odd = oddPart(state)
  if (odd !== undefined) throw new Broken(SOUND.plain, `JSON cannot hold it: ${odd}`)
}

/** An invariant may also report a violation with an assertion error. */
function breach<Given>(holds: (given: Given) => boolean, given: Given): string | undefined {
  try {
    return holds(given) ? undefined : 'the last step breaks it'
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).trim()
  }
}

/** Any other error is a mistake in the exploration itself. */
function brokenBy(error: unknown): Broken {
  if (error instanceof Broken) return error
  throw error
}

function timeAfter(at: number, asked: Effect | Finish<unknown>, seen: Observation): number {
  if (asked.type === 'sleep' && seen.type === 'woke') return Math.max(at, asked.untilMs)
  if (asked.type === 'ask' && seen.type === 'unanswered') return at + (asked.expiresInMs ?? 0)
  return at
}
