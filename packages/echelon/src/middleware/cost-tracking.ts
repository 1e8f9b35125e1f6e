import { calledModel } from '../core/model/called-model.ts'
import { defineMiddleware } from '../core/extension/define-middleware.ts'
import { guardedSchema } from '../core/schema/guarded-schema.ts'
import { isRecord } from '../core/value/json.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import type { MiddlewareContext } from '../core/extension/middleware.ts'
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
  /** US dollars, one amount or several; each alerts once. Default: no alerts. */
  readonly alertAt?: number | readonly number[]
  /**
   * The scope of the total: one run, a conversation, all runs of a day (UTC), or all runs while the
   * shared states live. Default `run`.
   */
  readonly per?: 'run' | 'session' | 'day' | 'shared'
  /**
   * Called in addition to the event. An error it throws is emitted as `alert-failed`; the model call
   * continues.
   */
  readonly onAlert?: (alert: CostAlert) => void | Promise<void>
}

/** Reports that spending reached an amount. */
export interface CostAlert {
  /** US dollars: the amount that was reached. */
  readonly alertAt: number
  /** US dollars spent so far. */
  readonly money: number
  /** Answers of unknown cost, not included in `money`. */
  readonly unpriced: number
  readonly per: 'run' | 'session' | 'day' | 'shared'
  /** The model whose answer reached the amount. */
  readonly model: string
  readonly runId: string
}

/** The spending in the scope that `per` sets. */
export interface CostTrackingState {
  /** With `per: 'day'`: days since the epoch, in UTC. */
  readonly day: number | null
  /** US dollars: the highest amount that has alerted. */
  readonly alertedAt: number
  readonly total: Spending
  /** The ten models that answered last; all others are summed under `(others)`. */
  readonly models: Table<Spending>
  /**
   * The eight most recent callers, for runs that have one; the others as above. A numeric name is
   * stored under `#` and the number, a long or unusual name under its digest.
   */
  readonly callers: Table<Spending>
}

/**
 * Adds up what model calls cost, by model and by caller, and alerts when an amount is reached: the
 * event `alert`, once for each amount, and `onAlert`. It only warns; to enforce a maximum, set the
 * limit `money`, which refuses a call before it is made. A call of unknown price counts as `unpriced`
 * and never as 0; the first one emits `unpriced`. Placed innermost it sees every attempt of `retry` and
 * `fallback`; middleware inside it, such as the agent's own cache, are counted by the answers they return.
 * Sub-agents have their own middleware.
 *
 * On resume: `run` and `session` continue from the last step in the journal, including the amounts that
 * have alerted; changed amounts apply from the next call. An answer lost in a crash is requested and
 * counted again, and repeats its alert if it had caused one. `day` and `shared` are not journaled: they
 * count what is spent while their holder lives.
 * @throws EchelonError INVALID_CONFIG for an option that cannot work
 */
export function costTracking(
  options: CostTrackingOptions = {},
): Middleware<'costTracking', CostTrackingState> {
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

/** Books in one update, so that only one of several concurrent calls reaches an amount. */
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
// With names of 64 characters, the state stays below 4 KB.
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
  // A failing callback does not fail the model call, and the call does not wait for it.
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
