import { calledModel } from '../core/model/called-model.ts'
import { defineMiddleware } from '../core/extension/define-middleware.ts'
import { guardedSchema } from '../core/schema/guarded-schema.ts'
import { isRecord } from '../core/value/json.ts'
import type { Layer, MiddlewareContext } from '../core/extension/middleware.ts'
import { isCount, isTable, type Table } from './reliability/bounded-table.ts'
import { aboveZero, type Known, knownOptions } from './option-check.ts'
import {
  addSpending,
  isSpending,
  NOTHING_SPENT,
  type Spending,
  SPENDING_SCHEMA,
  spentOn,
  withSpending,
} from './spending.ts'

export interface CostTrackingOptions {
  /** US dollars, one amount or several, each of which is told once. Default: none is told. */
  readonly alertAt?: number | readonly number[]
  /**
   * What is added up: one run, a conversation, all runs of a day (UTC), or all runs for as long as
   * the shared states live. Default `run`.
   */
  readonly per?: 'run' | 'session' | 'day' | 'shared'
  /** Called besides the event. What it throws is told as `alert-failed`, and the call goes on. */
  readonly onAlert?: (alert: CostAlert) => void | Promise<void>
}

/** An amount has been reached. */
export interface CostAlert {
  /** US dollars: the amount that was to be told. */
  readonly alertAt: number
  /** US dollars: what was spent by now. */
  readonly money: number
  /** Answers whose cost nobody knows, and which `money` is without. */
  readonly unpriced: number
  readonly per: 'run' | 'session' | 'day' | 'shared'
  /** Whose answer reached it. */
  readonly model: string
  readonly runId: string
}

/** What was spent, of whatever `per` says. */
export interface CostTrackingState {
  /** Where a day is added up: days since the epoch, in UTC. */
  readonly day: number | null
  /** US dollars: the highest amount that was told. */
  readonly alertedAt: number
  readonly total: Spending
  /** Of the ten models that answered last; what others took is together under `(others)`. */
  readonly models: Table<Spending>
  /**
   * Of the eight callers who asked last, as far as a run has one; the others as above. One whose name
   * is a number is under `#` and the number, one with a long or odd name under a digest of it.
   */
  readonly callers: Table<Spending>
}

/**
 * Adds up what model calls take, by model and by caller, and tells when an amount is reached:
 * `alert`, once for each amount, and `onAlert`. It only warns: what must not be exceeded is a limit
 * of `money`, which refuses a call before it is made. A call of unknown price counts as `unpriced`
 * and never as 0; `unpriced` is told of the first. Innermost it sees every attempt of `retry` and
 * `fallback`; what stands within it, such as the agent's own cache, is counted as what it gave.
 * Sub-agents have middleware of their own.
 *
 * On resume: `run` and `session` go on from what the journal holds with the last step that it
 * recorded, amounts that were told included; amounts that were raised or lowered since hold from the
 * next call on. An answer that a crash lost is asked for, counted and, if it was the one, told again.
 * `day` and `shared` are in no journal: they count what is spent while their holder lives.
 * @throws EchelonError INVALID_CONFIG for an option that cannot work
 */
export function costTracking(
  options: CostTrackingOptions = {},
): Layer<'costTracking', CostTrackingState> {
  knownOptions('costTracking', options, OPTIONS)
  const { alertAt = [], per = 'run', onAlert } = options
  const amounts = [...new Set([alertAt].flat())].sort((a, b) => a - b)
  for (const amount of amounts) aboveZero('costTracking', 'alertAt', amount)
  return defineMiddleware({
    name: 'costTracking',
    namespace: 'echelon',
    state: {
      scope: per === 'day' ? 'shared' : per,
      version: 1,
      schema: SCHEMA,
      initial: INITIAL,
    },
    async generate(call, next, context) {
      const outcome = await next(call)
      const spent = spentOn(outcome)
      if (spent === undefined) return outcome
      const model = outcome.type === 'generated' ? outcome.model : calledModel(call)
      const { reached, isFirstUnpriced } = book(context, { model, spent, per, amounts })
      if (isFirstUnpriced) context.emit('unpriced', { model })
      for (const amount of reached) tell(context, { amount, per, model, onAlert })
      return outcome
    },
  })()
}

const OPTIONS: Known<CostTrackingOptions> = {
  alertAt: true,
  per: ['run', 'session', 'day', 'shared'],
  onAlert: true,
}

type Context = MiddlewareContext<CostTrackingState>
type Per = CostAlert['per']

interface Booking {
  readonly model: string
  readonly spent: Spending
  readonly per: Per
  readonly amounts: readonly number[]
}

/** In one change, so that of calls at the same time only one reaches an amount. */
function book(
  { update, run }: Context,
  { model, spent, per, amounts }: Booking,
): { readonly reached: readonly number[]; readonly isFirstUnpriced: boolean } {
  let reached: readonly number[] = []
  let isFirstUnpriced = false
  update((kept) => {
    const day = per === 'day' ? Math.floor(run.clock.now() / DAY_MS) : null
    const before = kept.day === day ? kept : { ...INITIAL, day }
    const total = addSpending(before.total, spent)
    reached = amounts.filter((amount) => amount > before.alertedAt && amount <= total.money)
    isFirstUnpriced = before.total.unpriced === 0 && total.unpriced > 0
    const { caller } = run
    return {
      day,
      alertedAt: reached.at(-1) ?? before.alertedAt,
      total,
      models: withSpending(before.models, model, spent, MOST_MODELS),
      callers:
        caller === undefined
          ? before.callers
          : withSpending(before.callers, caller, spent, MOST_CALLERS),
    }
  })
  return { reached, isFirstUnpriced }
}

const DAY_MS = 86_400_000
// With 64 letters a name, all of it stays below 4 KB.
const MOST_MODELS = 10
const MOST_CALLERS = 8

function tell(
  { emit, state, run }: Context,
  told: Pick<CostAlert, 'per' | 'model'> & {
    readonly amount: number
    readonly onAlert: CostTrackingOptions['onAlert']
  },
): void {
  const { amount, per, model, onAlert } = told
  const { money, unpriced } = state.total
  emit('alert', { alertAt: amount, money, unpriced, per, model })
  const alert: CostAlert = { alertAt: amount, money, unpriced, per, model, runId: run.runId }
  // Its failure is no failure of the call, and nobody waits for it.
  const called = async (): Promise<void> => onAlert?.(alert)
  called().catch((error: unknown) => {
    emit('alert-failed', { message: error instanceof Error ? error.message : String(error) })
  })
}

const INITIAL: CostTrackingState = {
  day: null,
  alertedAt: 0,
  total: NOTHING_SPENT,
  models: {},
  callers: {},
}

const TABLE = { type: 'object', additionalProperties: SPENDING_SCHEMA }

const SCHEMA = guardedSchema(
  {
    type: 'object',
    properties: {
      day: { type: ['integer', 'null'] },
      alertedAt: { type: 'number' },
      total: SPENDING_SCHEMA,
      models: TABLE,
      callers: TABLE,
    },
    required: ['day', 'alertedAt', 'total', 'models', 'callers'],
  },
  (value): value is CostTrackingState =>
    isRecord(value) &&
    (value['day'] === null || isCount(value['day'])) &&
    typeof value['alertedAt'] === 'number' &&
    isSpending(value['total']) &&
    isTable(value['models'], isSpending) &&
    isTable(value['callers'], isSpending),
)
