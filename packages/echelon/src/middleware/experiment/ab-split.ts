import { within } from '../../core/value/abortable.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { digestText } from '../../core/value/digest.ts'
import type { Sampling } from '../../core/agent/effect.ts'
import { EchelonError } from '../../core/value/error.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type {
  MiddlewareContext,
  MiddlewareRun,
  ModelCall,
  ModelOutcome,
  TurnEnd,
} from '../../core/extension/middleware.ts'
import type { BoundModel } from '../../core/model/model.ts'
import { systemMessage, Thread } from '../../core/message/thread.ts'
import { variantFor, type Weighted } from './ab-assignment.ts'
import type { AbResults, AbRun } from './ab-results.ts'
import { isCount } from '../reliability/bounded-table.ts'
import { atLeast, type Known, knownOptions } from '../option-check.ts'
import { NOTHING_SPENT, spentOn } from '../spending.ts'

/** A variant to compare. One without settings is the agent as it is. */
export interface AbVariant {
  /** Its name in records: letters, digits, `_` and `-`. */
  readonly name: string
  /** Its weight relative to the others. Default 1; 0 assigns no new units to it. */
  readonly weight?: number
  /** Replaces the agent's model. */
  readonly model?: string | BoundModel
  /** Added to the agent's instructions. */
  readonly instructions?: string
  /** Override the call's own. */
  readonly sampling?: Sampling
}

/** The input of a judge, besides how the run ended. */
export interface AbJudged extends Pick<MiddlewareRun, 'runId' | 'session' | 'caller'> {
  readonly variant: string
}

export interface AbSplitOptions {
  /** Its name: letters, digits, `_` and `-`, at most 64. Another name assigns all units again. */
  readonly experiment: string
  /** At least two. */
  readonly variants: readonly AbVariant[]
  /**
   * The unit that keeps its variant. Default: the session if there is one, else the caller, else the
   * run.
   */
  readonly by?: 'session' | 'caller' | 'run'
  /** Judges a finished turn: whether it succeeded; undefined if it does not count. */
  readonly judge?: (
    end: TurnEnd,
    run: AbJudged,
  ) => boolean | undefined | Promise<boolean | undefined>
  /** Timeout of the judge, in milliseconds. Default 10,000. */
  readonly judgeMs?: number
  /** Collects the results; several agents with this experiment may share it. */
  readonly results?: AbResults
}

/** The variant of a session or a run, and the usage of its current run. */
export interface AbSplitState {
  /** Empty before the first turn. */
  readonly variant: string
  /** Digest of the unit. */
  readonly unit: string
  readonly run: AbRunState
}

interface AbRunState {
  /** Digest of its id. */
  readonly id: string
  readonly money: number
  readonly unpriced: number
  readonly tokens: number
  readonly ms: number
}

/**
 * Splits sessions between variants of model, instructions and sampling: by a hash of the experiment's
 * name and the session (or caller, or run), so that each keeps its variant in any process. Emits
 * `variant` when one is assigned, and `result` when a turn ends, with its cost, tokens, the time of its
 * model calls, and the judgment; `judge-failed` if the judge threw or took too long, and
 * `results-failed` if `results` rejected it. A call that already names its model keeps it. Place it
 * outermost, so that the variant's settings pass through all other middleware. Several experiments split
 * independently.
 *
 * On resume: the recorded variant stays, even if weights have changed, and usage from before the crash
 * counts. A variant that is no longer in the list is replaced, and the event has `instead`. A run
 * without a record is assigned again.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export function abSplit(options: AbSplitOptions): Middleware<'abSplit', AbSplitState> {
  const variants = checked(options)
  return defineMiddleware({
    name: 'abSplit',
    namespace: options.experiment,
    state: { scope: 'session', version: 1, schema: SCHEMA, initial: INITIAL },
    async turn(turn, next, context) {
      const { name } = assigned(context, variants, options)
      const end = await next(turn)
      const said = `${turn.history.length}.${Thread.of(turn.messages).digest}`
      await settle(context, { name, turn: short(said), end, options })
      return end
    },
    prompt(prompt, next, context) {
      const { instructions } = assigned(context, variants, options)
      if (instructions === undefined) return next(prompt)
      // Before the conversation: not every provider accepts instructions in the middle.
      return next({ ...prompt, head: [...prompt.head, systemMessage(instructions)] })
    },
    async generate(call, next, context) {
      const variant = assigned(context, variants, options)
      const began = context.run.clock.now()
      const outcome = await next(asked(call, variant))
      count(context, outcome, context.run.clock.now() - began)
      return outcome
    },
  })()
}

type Context = MiddlewareContext<AbSplitState>
type Variant = AbVariant & Weighted

const WORD = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

function checked(options: AbSplitOptions): readonly Variant[] {
  knownOptions('abSplit', options, OPTIONS)
  const { experiment, variants, judgeMs = JUDGE_MS } = options
  for (const variant of variants) knownOptions('abSplit: variants', variant, VARIANT)
  for (const word of [experiment, ...variants.map(({ name }) => name)]) {
    if (WORD.test(word)) continue
    throw invalid(
      `it cannot be called ${JSON.stringify(word)}; begin with a letter and use letters, digits, _ and -, at most 64`,
    )
  }
  atLeast(1, 'abSplit', { judgeMs })
  const all = variants.map((variant) => ({ weight: 1, ...variant }))
  for (const { weight } of all) atLeast(0, 'abSplit', { weight })
  const sum = all.reduce((weights, { weight }) => weights + weight, 0)
  if (!(sum > 0 && Number.isFinite(sum))) throw invalid('the weights must add up to more than 0')
  if (all.length < 2 || new Set(all.map(({ name }) => name)).size < all.length) {
    throw invalid('give two variants or more, each under a name of its own')
  }
  return all
}

const OPTIONS: Known<AbSplitOptions> = {
  experiment: true,
  variants: true,
  by: ['session', 'caller', 'run'],
  judge: true,
  judgeMs: true,
  results: true,
}

const VARIANT: Known<AbVariant> = {
  name: true,
  weight: true,
  model: true,
  instructions: true,
  sampling: true,
}

const JUDGE_MS = 10_000

const invalid = (what: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `abSplit: ${what}`)

const short = (text: string): string => digestText(text).toString(36)

/** The recorded variant, or a new assignment. */
function assigned(
  { state, update, emit, run }: Context,
  variants: readonly Variant[],
  { experiment, by }: AbSplitOptions,
): Variant {
  const unit = unitOf(run, by)
  const digest = short(unit)
  const isSame = state.unit === digest
  const kept = isSame ? variants.find(({ name }) => name === state.variant) : undefined
  const id = short(run.runId)
  if (kept !== undefined && state.run.id === id) return kept
  const variant = kept ?? variantFor(variants, experiment, unit)
  // Weights are checked to add up to more than 0.
  if (variant === undefined) throw invalid('there is no variant')
  update((before) => ({
    variant: variant.name,
    unit: digest,
    run: before.run.id === id ? before.run : { ...NO_RUN, id },
  }))
  if (kept === undefined) {
    const instead = isSame && state.variant !== '' ? { instead: state.variant } : {}
    emit('variant', { experiment, variant: variant.name, ...instead })
  }
  return variant
}

function unitOf({ runId, session, caller }: MiddlewareRun, by: AbSplitOptions['by']): string {
  const ofSession = session === undefined ? undefined : `session ${session}`
  const ofCaller = caller === undefined ? undefined : `caller ${caller}`
  switch (by) {
    case 'run':
      return `run ${runId}`
    case 'caller':
      return ofCaller ?? ofSession ?? `run ${runId}`
    case 'session':
    case undefined:
      return ofSession ?? ofCaller ?? `run ${runId}`
  }
}

function asked(call: ModelCall, { model, sampling }: Variant): ModelCall {
  return {
    ...call,
    ...(model !== undefined && call.model === undefined ? { model } : {}),
    ...(sampling === undefined ? {} : { sampling: { ...call.sampling, ...sampling } }),
  }
}

function count({ update }: Context, outcome: ModelOutcome, ms: number): void {
  if (outcome.type === 'refused') return
  const { money, unpriced, input, output } = spentOn(outcome) ?? NOTHING_SPENT
  update(({ run, ...kept }) => {
    const took = {
      ...run,
      ms: run.ms + ms,
      tokens: run.tokens + input + output,
      money: run.money + money,
      unpriced: run.unpriced + unpriced,
    }
    return { ...kept, run: took }
  })
}

/** Emits the turn's figures and adds them to the results. */
async function settle(
  context: Context,
  {
    name,
    turn,
    end,
    options,
  }: {
    readonly name: string
    readonly turn: string
    readonly end: TurnEnd
    readonly options: AbSplitOptions
  },
): Promise<void> {
  const { experiment, results } = options
  const success = await judged(context, name, end, options)
  const { runId } = context.run
  const { money, unpriced, tokens, ms } = context.state.run
  const cost = unpriced > 0 ? null : money
  const run: AbRun = { experiment, runId, turn, variant: name, success, cost, tokens, ms }
  context.emit('result', { ...run })
  try {
    results?.add(run)
  } catch (error) {
    // The turn has ended, and no error here may lose its answer.
    context.emit('results-failed', { message: messageOf(error) })
  }
}

async function judged(
  { run, emit }: Context,
  variant: string,
  end: TurnEnd,
  { judge, judgeMs = JUDGE_MS }: AbSplitOptions,
): Promise<boolean | null> {
  if (judge === undefined) return null
  const { runId, session, caller } = run
  try {
    const asking = (async () => judge(end, { runId, session, caller, variant }))()
    const said = await within(
      run.clock,
      judgeMs,
      asking.then((success) => ({ success })),
    )
    if (said !== undefined) return said.success ?? null
    emit('judge-failed', { message: `no answer within ${judgeMs} ms` })
  } catch (error) {
    emit('judge-failed', { message: messageOf(error) })
  }
  return null
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

const NO_RUN: AbRunState = { id: '', money: 0, unpriced: 0, tokens: 0, ms: 0 }
const INITIAL: AbSplitState = { variant: '', unit: '', run: NO_RUN }

const isRun = (value: unknown): value is AbRunState =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  isCount(value['unpriced']) &&
  ['money', 'tokens', 'ms'].every((field) => typeof value[field] === 'number')

const AMOUNT = { type: 'number' }

const SCHEMA = guardedSchema(
  {
    type: 'object',
    properties: {
      variant: { type: 'string' },
      unit: { type: 'string' },
      run: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          money: AMOUNT,
          unpriced: { type: 'integer', minimum: 0 },
          tokens: AMOUNT,
          ms: AMOUNT,
        },
        required: ['id', 'money', 'unpriced', 'tokens', 'ms'],
      },
    },
    required: ['variant', 'unit', 'run'],
  },
  (value): value is AbSplitState =>
    isRecord(value) &&
    typeof value['variant'] === 'string' &&
    typeof value['unit'] === 'string' &&
    isRun(value['run']),
)
