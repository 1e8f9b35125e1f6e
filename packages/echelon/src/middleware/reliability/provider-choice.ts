import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord, type JsonObject } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext, ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
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
import { FALLS_BACK_ON } from '../../core/model/falls-back-on.ts'
import { signalOf } from './given-up.ts'
import { sampleOf, TELLING } from './model-figures.ts'
import { atLeast, type Known, knownOptions, oneOf, wholeFrom } from '../option-check.ts'

/** The property by which the best model is chosen. */
export type ChoiceGoal = 'cheapest' | 'fastest' | 'most-reliable'

export interface ProviderChoiceOptions {
  /** Two to sixteen models, by name or as objects; the first one wins a tie. */
  readonly models: readonly (string | BoundModel)[]
  /** A goal, with the other figures only breaking ties, or weights. Default `most-reliable`. */
  readonly goal?: ChoiceGoal | ChoiceWeights
  /** Calls of each model before it is compared; until then the models take turns. Default 3. */
  readonly trials?: number
  /** Share by which another model must be better to replace the current one. Default 0.1. */
  readonly margin?: number
  /** Share of calls sent to another model to measure it. Default 0.05; 0 disables this. */
  readonly explore?: number
  /**
   * Whether to call the next best model when the chosen one fails as in `FALLS_BACK_ON` or does not
   * accept the request; each model that is up is called once. Default true.
   */
  readonly fallBack?: boolean
  /** Consecutive failures after which a model counts as down. Default 3. */
  readonly downAfter?: number
  /** Time that it stays down after its last failure, in milliseconds. Default 60,000. */
  readonly downMs?: number
}

/** The measurements of the models, shared by all runs. */
export interface ProviderChoiceState {
  /** The preferred model; empty before there is one. */
  readonly current: string
  /** The sixteen models called last. */
  readonly models: Table<ChoiceFigures>
}

/**
 * Sends each call to the best model by the latency, cost and errors of its last calls. A model that is
 * down gets no calls while another is up; after `downMs` one call probes it, and an answer makes it
 * eligible again. Emits `choose` for each call: the model, why (`trial`, `probe`, `explore`, `best`,
 * `kept`, `instead` of one that failed, or `all-down`: the one that failed longest ago) and the figures
 * of all. A request that a model does not accept counts as its failure, since another may accept it. If
 * the remaining money does not cover a call of the chosen model, the others are called. An unknown cost
 * counts as the highest, never as 0. Random choices use the run's seed. A call that already names its
 * model (an outer fallback) goes to that model and is measured. Place it where a `fallback` would be:
 * inside `caching`, outside `providerBreaker` and `retry`; not around a fallback, whose answers would
 * count for the chosen model.
 *
 * On resume: figures are not journaled, since they describe the present; they live as long as the
 * shared states. Recorded answers stay, whichever model gave them; an interrupted call is chosen again
 * by the current figures.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export function providerChoice(
  options: ProviderChoiceOptions,
): Middleware<'providerChoice', ProviderChoiceState> {
  const rules = checked(options)
  // Calls of this process in progress, so that concurrent calls are not all a model's first trial.
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

// With names of 64 characters it stays below 4 KB.
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

/** The other figures break ties. */
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
  /** The model was down and has no newer result yet. */
  readonly isDoubtful: boolean
}

interface Choosing {
  readonly context: Context
  readonly rules: Rules
  readonly underWay: Map<string, number>
}

/** The outcome of the chosen model, or of the first other model that answers. */
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
    // If the budget refuses the next model, the outcome is the earlier failure.
    if (outcome.type === 'failed' || last === undefined) last = outcome
    tried.add(name)
    if (!canFallBack(outcome, rules) || signalOf(call, context.run).aborted) return last
    const other = instead(choosing, tried)
    if (other === undefined) return last
    chosen = other
  }
}

/** Whether another model may succeed where this one failed. */
function canFallBack(outcome: ModelOutcome, { fallBack }: Rules): boolean {
  // A model that the budget refused was not called, so nothing is repeated.
  if (outcome.type === 'refused')
    return outcome.by === 'budget' && outcome.limit.startsWith('money')
  return outcome.type === 'failed' && fallBack && GOES_ON_AFTER.includes(outcome.error.code)
}

// With a single model the request is at fault; with several, another may accept it.
const GOES_ON_AFTER: readonly ProblemCode[] = [...FALLS_BACK_ON, 'invalid-request']
const COUNTS: readonly ProblemCode[] = [...TELLING, 'invalid-request']

/** The best model that is up and was not called yet. */
function instead({ context, rules }: Choosing, tried: ReadonlySet<string>): Model | undefined {
  const all = candidates(context, rules)
  const rest = all.filter(({ name, isDown }) => !isDown && !tried.has(name))
  const known = orAll(rest, ({ figures }) => figures.calls > 0)
  const { chosen } = bestOf(known, '', rules)
  if (chosen === undefined) return undefined
  context.emit('choose', { model: chosen.name, why: 'instead', figures: figuresOf(all, rules) })
  return chosen.model
}

function choose({ context, rules, underWay }: Choosing): Model {
  const all = candidates(context, rules)
  const up = all.filter(({ isDown }) => !isDown)
  const { chosen, why } =
    up.length === 0 ? longestUp(all) : amongUp(up, { context, rules, underWay })
  // There are two models or more.
  if (chosen === undefined) throw invalid('there is no model')
  context.emit('choose', { model: chosen.name, why, figures: figuresOf(all, rules) })
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
  // Models whose first calls are still running cannot be compared yet.
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

/** The matching models, or all if none match. */
function orAll(
  candidates: readonly Candidate[],
  isSo: (candidate: Candidate) => boolean,
): readonly Candidate[] {
  const some = candidates.filter(isSo)
  return some.length === 0 ? candidates : some
}

/** The least called model, while it has too few calls. */
function nextTrial(
  up: readonly Candidate[],
  { trials }: Rules,
  underWay: ReadonlyMap<string, number>,
): Candidate | undefined {
  const tries = ({ figures, name }: Candidate): number => figures.calls + (underWay.get(name) ?? 0)
  return up.filter((one) => tries(one) < trials).toSorted((a, b) => tries(a) - tries(b))[0]
}

/** The best model, or the current one if none is better by the margin. */
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

/** The figures behind a choice, for the event. */
function figuresOf(all: readonly Candidate[], { weights }: Rules): JsonObject {
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
  // A model may report another name than the one it was called by.
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
