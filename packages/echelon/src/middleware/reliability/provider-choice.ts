import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord, type JsonObject } from '../../core/value/json.ts'
import type {
  Layer,
  MiddlewareContext,
  ModelCall,
  ModelOutcome,
} from '../../core/extension/middleware.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { ProblemCode } from '../../core/model/problem.ts'
import { isTable, rowName, rowOf, type Table, withLast } from './bounded-table.ts'
import {
  CHOICE_SCHEMA,
  type ChoiceFigures,
  type ChoiceWeights,
  isChoiceFigures,
  NO_FIGURES_YET,
  scoresOf,
  withCall,
} from './choice-figures.ts'
import { FALLS_BACK_ON } from './fallback.ts'
import { signalOf } from './given-up.ts'
import { sampleOf, TELLING } from './model-figures.ts'
import { atLeast, type Known, knownOptions, oneOf, wholeFrom } from '../option-check.ts'

/** What the best model is. */
export type ChoiceGoal = 'cheapest' | 'fastest' | 'most-reliable'

export interface ProviderChoiceOptions {
  /** Two models to sixteen, by name or as they are; of equals the first is chosen. */
  readonly models: readonly (string | BoundModel)[]
  /** A goal, for which the other figures only break a tie, or weights. Default `most-reliable`. */
  readonly goal?: ChoiceGoal | ChoiceWeights
  /** Calls of each model before it is compared; until then they take turns. Default 3. */
  readonly trials?: number
  /** Share by which another must be better to take the place of the present one. Default 0.1. */
  readonly margin?: number
  /** Share of calls that go to another model to see how it does now. Default 0.05; 0 is none. */
  readonly explore?: number
  /**
   * Whether the next best is asked when the chosen one fails as in `FALLS_BACK_ON`, or does not accept
   * the request, each of those that are up once. Default true.
   */
  readonly fallBack?: boolean
  /** Failures in a row from which a model is down. Default 3. */
  readonly downAfter?: number
  /** How long after its last failure it stays down, in milliseconds. Default 60,000. */
  readonly downMs?: number
}

/** How the models do, for all runs together. */
export interface ProviderChoiceState {
  /** The one that is preferred; empty before there is one. */
  readonly current: string
  /** Of the sixteen that were called last. */
  readonly models: Table<ChoiceFigures>
}

/**
 * Sends each call to the model that does best by what was measured here: latency, cost and errors of
 * its last calls. A model that is down gets none while another is up; once `downMs` are over one call
 * probes it, and it is compared again when that is answered. Tells `choose` for each call: the model,
 * why (`trial`, `probe`, `explore`, `best`, `kept`, `instead` of one that failed, or `all-down`: the one
 * that failed longest ago) and the figures of all. A request that a model does not accept counts as its
 * failure, since another may. Where the money left does not cover a call of the chosen one, the others
 * are asked. A cost that nobody knows counts as the highest, never as 0. Chance comes from the run's
 * seed. A call that names its model already (a fallback outside) goes there, and is measured. Belongs where a `fallback` would:
 * within `caching`, outside of `providerBreaker` and `retry`; and not around a fallback, whose answers
 * would count as those of the chosen one.
 *
 * On resume: figures are in no journal, since they say how the world is now; they live as long as the
 * shared states. What was answered stays as recorded, whichever model gave it; the call that was under
 * way is chosen anew by the figures of now.
 * @throws EchelonError INVALID_CONFIG for an option that cannot work
 */
export function providerChoice(
  options: ProviderChoiceOptions,
): Layer<'providerChoice', ProviderChoiceState> {
  const rules = checked(options)
  // Calls of this process that are not over: several at once are not all a model's first trial.
  const underWay = new Map<string, number>()
  return defineMiddleware({
    name: 'providerChoice',
    namespace: 'echelon',
    state: { scope: 'shared', version: 1, schema: SCHEMA, initial: INITIAL },
    async generate(call, next, context) {
      if (call.model !== undefined) {
        const isOurs = rules.models.some((model) => nameOf(model) === calledModel(call))
        return isOurs ? measured(call, next, context) : next(call)
      }
      return untilAnswered(call, next, { context, rules, underWay })
    },
  })()
}

type Context = MiddlewareContext<ProviderChoiceState>
type Model = ProviderChoiceOptions['models'][number]
type Why = 'trial' | 'probe' | 'instead' | 'explore' | 'best' | 'kept' | 'all-down'

interface Rules extends Required<Omit<ProviderChoiceOptions, 'goal'>> {
  readonly weights: ChoiceWeights
}

const nameOf = (model: Model): string => (typeof model === 'string' ? model : model.id)

// With 64 letters a name, all of it stays below 4 KB.
const MOST_MODELS = 16

function checked(options: ProviderChoiceOptions): Rules {
  knownOptions('providerChoice', options, OPTIONS)
  const { models, goal = 'most-reliable', trials = 3, margin = 0.1, explore = 0.05 } = options
  const { fallBack = true, downAfter = 3, downMs = 60_000 } = options
  const names = new Set(models.map(nameOf))
  if (names.size !== models.length || names.size < 2 || names.size > MOST_MODELS || names.has('')) {
    throw invalid(`models must be 2 to ${MOST_MODELS}, each of them once`)
  }
  wholeFrom(1, 'providerChoice', { trials, downAfter })
  if (typeof goal === 'string') oneOf('providerChoice', 'goal', goal, Object.keys(WEIGHTS))
  else knownOptions('providerChoice: goal', goal, WEIGHED)
  const weights = typeof goal === 'string' ? WEIGHTS[goal] : goal
  const { latency, cost, errors } = weights
  atLeast(0, 'providerChoice', { margin, explore, downMs, latency, cost, errors })
  if (explore > 1 || margin >= 1) throw invalid('explore and margin are shares, below 1')
  const sum = (latency ?? 0) + (cost ?? 0) + (errors ?? 0)
  if (!(sum > 0 && Number.isFinite(sum))) throw invalid('goal must weigh something')
  return { models, weights, trials, margin, explore, fallBack, downAfter, downMs }
}

const invalid = (what: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `providerChoice: ${what}`)

const OPTIONS: Known<ProviderChoiceOptions> = {
  models: true,
  goal: true,
  trials: true,
  margin: true,
  explore: true,
  fallBack: true,
  downAfter: true,
  downMs: true,
}

const WEIGHED: Known<ChoiceWeights> = { latency: true, cost: true, errors: true }

/** The others are for a tie. */
const WEIGHTS: Readonly<Record<ChoiceGoal, ChoiceWeights>> = {
  cheapest: { cost: 1, errors: 0.01, latency: 0.01 },
  fastest: { latency: 1, errors: 0.01, cost: 0.01 },
  'most-reliable': { errors: 1, latency: 0.01, cost: 0.01 },
}

interface Candidate {
  readonly model: Model
  readonly name: string
  readonly figures: ChoiceFigures
  readonly isDown: boolean
  /** It was down, and nothing else is known yet. */
  readonly isDoubtful: boolean
}

interface Choosing {
  readonly context: Context
  readonly rules: Rules
  readonly underWay: Map<string, number>
}

/** The chosen one's outcome, or that of the first of the others that answers. */
async function untilAnswered(
  call: ModelCall,
  next: (call: ModelCall) => Promise<ModelOutcome>,
  choosing: Choosing,
): Promise<ModelOutcome> {
  const { context, rules, underWay } = choosing
  const tried = new Set<string>()
  let last: Exclude<ModelOutcome, { type: 'generated' }> | undefined
  for (let chosen = choose(choosing); ;) {
    const name = nameOf(chosen)
    underWay.set(name, (underWay.get(name) ?? 0) + 1)
    const outcome = await measured({ ...call, model: chosen }, next, context).finally(() => {
      underWay.set(name, (underWay.get(name) ?? 1) - 1)
    })
    if (outcome.type === 'generated') return outcome
    // What the budget refuses leaves the failure that asked for it.
    if (outcome.type === 'failed' || last === undefined) last = outcome
    tried.add(name)
    if (!goesOn(outcome, rules) || signalOf(call, context.run).aborted) return last
    const other = instead(choosing, tried)
    if (other === undefined) return last
    chosen = other
  }
}

/** Whether another model may do what this one did not. */
function goesOn(outcome: ModelOutcome, { fallBack }: Rules): boolean {
  // One that was too dear was not asked, so nothing is asked again.
  if (outcome.type === 'refused')
    return outcome.by === 'budget' && outcome.limit.startsWith('money')
  return outcome.type === 'failed' && fallBack && GOES_ON_AFTER.includes(outcome.error.code)
}

// Of a single model it lies in the request; of several, one may know what the other does not.
const GOES_ON_AFTER: readonly ProblemCode[] = [...FALLS_BACK_ON, 'invalid-request']
const COUNTS: readonly ProblemCode[] = [...TELLING, 'invalid-request']

/** The best of those that are up and were not asked yet. */
function instead({ context, rules }: Choosing, tried: ReadonlySet<string>): Model | undefined {
  const all = candidates(context, rules)
  const rest = all.filter(({ name, isDown }) => !isDown && !tried.has(name))
  const known = orAll(rest, ({ figures }) => figures.calls > 0)
  const { chosen } = bestOf(known, '', rules)
  if (chosen === undefined) return undefined
  context.emit('choose', { model: chosen.name, why: 'instead', figures: told(all, rules) })
  return chosen.model
}

function choose({ context, rules, underWay }: Choosing): Model {
  const all = candidates(context, rules)
  const up = all.filter(({ isDown }) => !isDown)
  const { chosen, why } =
    up.length === 0 ? longestUp(all) : amongUp(up, { context, rules, underWay })
  // There are two models or more.
  if (chosen === undefined) throw invalid('there is no model')
  context.emit('choose', { model: chosen.name, why, figures: told(all, rules) })
  return chosen.model
}

interface Decision {
  readonly chosen: Candidate | undefined
  readonly why: Why
}

function candidates({ state, run }: Context, { models, downAfter, downMs }: Rules): Candidate[] {
  const now = run.clock.now()
  return models.map((model) => {
    const name = nameOf(model)
    const figures = rowOf(state.models, name) ?? NO_FIGURES_YET
    const { failing, failedAt } = figures
    const isFailing = failing >= downAfter
    const isDown = isFailing && now < (failedAt ?? -Infinity) + downMs
    return { model, name, figures, isDown, isDoubtful: isFailing && !isDown }
  })
}

const longestUp = (all: readonly Candidate[]): Decision => ({
  chosen: all.toSorted((a, b) => (a.figures.failedAt ?? 0) - (b.figures.failedAt ?? 0))[0],
  why: 'all-down',
})

function amongUp(up: readonly Candidate[], { context, rules, underWay }: Choosing): Decision {
  const isFree = ({ name }: Candidate): boolean => (underWay.get(name) ?? 0) === 0
  const doubtful = up.find((one) => one.isDoubtful && isFree(one))
  if (doubtful !== undefined) return { chosen: doubtful, why: 'probe' }
  const steady = orAll(up, ({ isDoubtful }) => !isDoubtful)
  const trial = nextTrial(steady, rules, underWay)
  if (trial !== undefined) return { chosen: trial, why: 'trial' }
  // Those whose first calls are not over yet have nothing to be compared by.
  const known = orAll(steady, ({ figures }) => figures.calls > 0)
  const best = bestOf(known, context.state.current, rules)
  const others = steady.filter((one) => one !== best.chosen)
  if (rules.explore > 0 && others.length > 0 && context.run.random() < rules.explore) {
    const other = others[Math.floor(context.run.random() * others.length)]
    if (other !== undefined) return { chosen: other, why: 'explore' }
  }
  prefer(context, best.chosen)
  return best
}

/** Those that are so; all where none is. */
function orAll(
  candidates: readonly Candidate[],
  isSo: (candidate: Candidate) => boolean,
): readonly Candidate[] {
  const some = candidates.filter(isSo)
  return some.length === 0 ? candidates : some
}

/** The one that was tried least, while it was tried too little. */
function nextTrial(
  up: readonly Candidate[],
  { trials }: Rules,
  underWay: ReadonlyMap<string, number>,
): Candidate | undefined {
  const tries = ({ figures, name }: Candidate): number => figures.calls + (underWay.get(name) ?? 0)
  return up.filter((one) => tries(one) < trials).toSorted((a, b) => tries(a) - tries(b))[0]
}

/** The best, or the present one where none is better by the margin. */
function bestOf(
  known: readonly Candidate[],
  current: string,
  { weights, margin }: Rules,
): Decision {
  const scores = scoresOf(
    known.map(({ figures }) => figures),
    weights,
  )
  const ranked = known
    .map((candidate, index) => ({ candidate, score: scores[index] ?? 1 }))
    .toSorted((a, b) => a.score - b.score)
  const [best] = ranked
  const present = ranked.find(({ candidate }) => rowName(candidate.name) === current)
  const isKept =
    present !== undefined && best !== undefined && best.score >= present.score * (1 - margin)
  return isKept
    ? { chosen: present.candidate, why: 'kept' }
    : { chosen: best?.candidate, why: 'best' }
}

function prefer({ state, update }: Context, chosen: Candidate | undefined): void {
  const current = chosen === undefined ? '' : rowName(chosen.name)
  if (state.current !== current) update((before) => ({ ...before, current }))
}

/** The figures that a choice was made from, for those who watch. */
function told(all: readonly Candidate[], { weights }: Rules): JsonObject {
  const scores = scoresOf(
    all.map(({ figures }) => figures),
    weights,
  )
  const rows = all.map(({ name, figures, isDown }, index) => {
    const { calls, errors, ms, cost } = figures
    const score = calls === 0 ? null : (scores[index] ?? null)
    return [name, { calls, errors, ms, cost, isDown, score }] as const
  })
  return Object.fromEntries(rows)
}

async function measured(
  call: ModelCall,
  next: (call: ModelCall) => Promise<ModelOutcome>,
  { run, update }: Context,
): Promise<ModelOutcome> {
  const began = run.clock.now()
  const outcome = await next(call)
  const sample = sampleOf(outcome, { began, at: run.clock.now() }, COUNTS)
  if (sample === undefined) return outcome
  // A model may call itself by another name than the one it was asked by.
  const model = calledModel(call)
  update((before) => {
    const figures = withCall(rowOf(before.models, model) ?? NO_FIGURES_YET, sample, outcome)
    return { ...before, models: withLast(before.models, model, figures, MOST_MODELS) }
  })
  return outcome
}

const INITIAL: ProviderChoiceState = { current: '', models: {} }

const SCHEMA = guardedSchema(
  {
    type: 'object',
    properties: {
      current: { type: 'string' },
      models: { type: 'object', additionalProperties: CHOICE_SCHEMA },
    },
    required: ['current', 'models'],
  },
  (value): value is ProviderChoiceState =>
    isRecord(value) &&
    typeof value['current'] === 'string' &&
    isTable(value['models'], isChoiceFigures),
)
