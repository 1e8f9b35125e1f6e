import type { Actors } from '../../core/agent/agent.ts'
import { type Amounts, exhausted, left } from '../../core/agent/budget.ts'
import type {
  Ask,
  CallTools,
  Effect,
  Generate,
  Permit,
  Recall,
  Remember,
  SingleEffect,
} from '../../core/agent/effect.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Json } from '../../core/value/json.ts'
import type { Direct, Generated, Observation } from '../../core/agent/observation.ts'
import type { ToldVerdict } from '../../core/agent/permission.ts'
import type { ProblemCode } from '../../core/model/problem.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool-call.ts'
import type { Explored, Possible } from './explored.ts'
import { describeEffect } from './describe.ts'

/**
 * A model's answer: its text, or the fields that differ from the defaults (no text, `stop`, free).
 */
export type PossibleAnswer = string | Partial<Omit<Generated, 'type'>>

/**
 * The possible observations. Each list should cover everything that a decision can depend on: a
 * right answer, a wrong one, a truncated one. Shorter lists are faster, since every combination is
 * tried.
 */
export interface PossibleObservations {
  /** The possible answers of a model. */
  readonly models?: readonly PossibleAnswer[] | ((asked: Generate) => readonly PossibleAnswer[])
  /**
   * The possible outcomes of a tool call. Default: success with `null`, failure with TOOL_ERROR,
   * denial, or an unknown outcome.
   */
  readonly tools?: (call: ToolCall) => readonly ToolOutcome[]
  /** The possible verdicts of the rules on a call checked ahead. Default: allowed, or denied. */
  readonly verdicts?: (asked: Permit) => readonly ToldVerdict[]
  /**
   * The possible replies of the user. Default: true and false for a question with a boolean schema.
   */
  readonly replies?: readonly Json[] | ((asked: Ask) => readonly Json[])
  /** The possible contents of a memory, with any version. */
  readonly memories?: (asked: Recall) => readonly Json[]
  /** The permanent failures of models and memories. Default `['unavailable']`. */
  readonly failures?: readonly ProblemCode[]
  /** Whether the run may be canceled at any time. Default true. */
  readonly cancels?: boolean
}

/** One possible end of an effect, and the amounts that it adds. */
interface Ending {
  readonly seen: Direct
  readonly used: Amounts
}

/** Every combination is followed, so more than these must be a mistake. */
const MOST_WAYS = 4096

/** The limits of an exploration; without them, the budget may refuse at any time. */
interface Budget {
  readonly limits?: Amounts
  /** They define which counters their tool calls use. */
  readonly actors: Actors
}

/** The possible outcomes of an effect by a table, including those that every effect has. */
export function possibleFrom(
  table: PossibleObservations,
  { limits, actors }: Budget,
): (asked: Effect, at: Explored<unknown>) => readonly Possible[] {
  const canceled: readonly Possible[] =
    table.cancels === false ? [] : [{ seen: { type: 'canceled', by: 'user' } }]
  const meterOf = (actor: string): 'tools' | 'checks' => actors[actor]?.meters ?? 'tools'
  return (asked, { spent }) => {
    const answered =
      limits === undefined
        ? withoutLimits(table, asked)
        : withinLimits(table, asked, { spent, limits, meterOf })
    return [...canceled, ...answered]
  }
}

/** Without limits, the budget may refuse any effect, for any counter. */
function withoutLimits(table: PossibleObservations, asked: Effect): readonly Possible[] {
  const refusals = ['steps', 'seconds', ...countersOf(asked)].map((limit) => ({
    seen: refused(limit),
  }))
  return [...refusals, ...waysOf(table, asked, NO_BUDGET).map(({ seen }) => ({ seen }))]
}

const countersOf = (asked: Effect): readonly string[] =>
  asked.type === 'generate' ? [`calls.${asked.role}`, 'money', 'tokens'] : []

/** The runtime's own rules: a used-up limit refuses, and time may run out at any step. */
function withinLimits(
  table: PossibleObservations,
  asked: Effect,
  purse: Purse,
): readonly Possible[] {
  const { spent, limits } = purse
  const over = exhausted(purse, ['steps', 'seconds'])
  if (over !== undefined) return [{ seen: refused(over) }]
  const plus = (used: Amounts): Amounts => {
    const sum: Record<string, number> = { ...spent }
    for (const counter of Object.keys(limits)) {
      const more = used[counter] ?? 0
      if (more > 0) sum[counter] = Math.min((sum[counter] ?? 0) + more, limits[counter] ?? Infinity)
    }
    return sum
  }
  const ways = waysOf(table, asked, purse).map(({ seen, used }) => ({
    seen,
    spent: plus({ ...used, steps: 1 }),
  }))
  const { seconds } = limits
  if (seconds === undefined) return ways
  const late = ways.map(({ seen, spent }) => ({ seen, spent: { ...spent, seconds } }))
  return [{ seen: refused('seconds'), spent: { ...spent, seconds } }, ...ways, ...late]
}

interface Purse extends Pick<Explored<unknown>, 'spent' | 'limits'> {
  meterOf(actor: string): 'tools' | 'checks'
}

const NO_BUDGET: Purse = { spent: {}, limits: {}, meterOf: () => 'tools' }

interface Whole {
  readonly seen: Observation
  readonly used: Amounts
}

function waysOf(table: PossibleObservations, asked: Effect, purse: Purse): readonly Whole[] {
  if (asked.type !== 'together') return single(table, asked, purse)
  const each = asked.effects.map((one) => single(table, one, purse))
  return combinations(each, asked).map((ways) => ({
    seen: { type: 'together', observations: ways.map(({ seen }) => seen) },
    used: ways.reduce<Amounts>((sum, { used }) => added(sum, used), {}),
  }))
}

function single(table: PossibleObservations, asked: SingleEffect, purse: Purse): readonly Ending[] {
  switch (asked.type) {
    case 'generate':
      return generations(table, asked, purse)
    case 'call-tools':
      return batches(table, asked, purse)
    case 'permit':
      return (table.verdicts?.(asked) ?? DEFAULT_VERDICTS).map((verdict) =>
        free({ type: 'permitted', verdict }),
      )
    case 'ask':
      return asks(table, asked)
    case 'say':
      return [free({ type: 'said' })]
    case 'recall':
      return recalls(table, asked)
    case 'remember':
      return remembers(table, asked)
    case 'sleep':
      return [free({ type: 'woke' })]
  }
}

const free = (seen: Direct): Ending => ({ seen, used: {} })

/**
 * Limits that a call may exceed before they are used up, since its cost is not known in advance.
 */
const PURSES = ['tokens', 'money']

function generations(
  table: PossibleObservations,
  asked: Generate,
  purse: Purse,
): readonly Ending[] {
  const { models } = table
  const answers = typeof models === 'function' ? models(asked) : models
  if (answers === undefined) throw untold(asked, 'models')
  const counter = `calls.${asked.role}`
  const purses = PURSES.filter((limit) => purse.limits[limit] !== undefined)
  const over = exhausted(purse, [counter, ...purses])
  if (over !== undefined) return [free(refused(over))]
  const generated = answers.map((answer) => ({ seen: generatedOf(answer), used: { [counter]: 1 } }))
  const attempts = Math.min(3, left(purse, counter))
  return [
    ...purses.map((limit) => free(refused(limit))),
    ...generated,
    ...purses.flatMap((limit) =>
      generated.map(({ seen, used }) => ({ seen, used: { ...used, [limit]: left(purse, limit) } })),
    ),
    ...failures(table).map((seen) => ({ seen, used: { [counter]: attempts } })),
  ]
}

const generatedOf = (answer: PossibleAnswer): Generated => ({
  type: 'generated',
  text: '',
  calls: [],
  model: 'possible/model',
  usage: { input: 0, output: 0 },
  cost: 0,
  ...(typeof answer === 'string' ? { text: answer } : answer),
  finish: typeof answer === 'string' ? 'stop' : (answer.finish ?? finishOf(answer.calls)),
})

const finishOf = (calls: Generated['calls'] = []): Generated['finish'] =>
  calls.length > 0 ? 'tools' : 'stop'

const failures = ({ failures: codes = ['unavailable'] }: PossibleObservations): readonly Direct[] =>
  codes.map((code) => ({
    type: 'failed',
    error: { code, message: `it failed: ${code}`, retryable: false, attempts: 1 },
  }))

const DEFAULT_OUTCOMES: readonly ToolOutcome[] = [
  { type: 'ok', value: null },
  { type: 'error', code: 'TOOL_ERROR', message: 'the tool failed' },
  { type: 'denied', reason: 'it was not approved' },
  { type: 'unknown', message: 'it is unknown whether it was done' },
]

const DEFAULT_VERDICTS: readonly ToldVerdict[] = [
  { type: 'allow' },
  { type: 'deny', reason: 'a rule forbids it' },
]

function batches(table: PossibleObservations, asked: CallTools, purse: Purse): readonly Ending[] {
  const { tools = () => DEFAULT_OUTCOMES } = table
  const choices = asked.calls.map((call) => tools(call))
  const all = combinations(choices, asked)
  const short = purse === NO_BUDGET ? cutByBudget(choices, asked) : []
  return [...all, ...short].map((outcomes) => performed(asked, outcomes, purse))
}

/** Without known limits, the calls may be used up after any of them. */
const cutByBudget = (
  choices: readonly (readonly ToolOutcome[])[],
  asked: CallTools,
): readonly (readonly ToolOutcome[])[] =>
  choices.flatMap((_, done) => {
    const rest = choices.slice(done).map((): ToolOutcome => ({ type: 'refused', limit: 'tools' }))
    return combinations(choices.slice(0, done), asked).map((outcomes) => [...outcomes, ...rest])
  })

/** Each call takes one outcome that effect and budget still allow, in plan order. */
function performed(asked: CallTools, outcomes: readonly ToolOutcome[], purse: Purse): Ending {
  const meter = purse.meterOf(asked.actor)
  const most = Math.min(asked.most ?? Infinity, left(purse, meter))
  const done = outcomes.map((outcome, nth): ToolOutcome =>
    nth < most ? outcome : { type: 'refused', limit: meter },
  )
  const seen: Direct = { type: 'tools-called', outcomes: done }
  return { seen, used: { [meter]: Math.min(most, outcomes.length) } }
}

function asks({ replies }: PossibleObservations, asked: Ask): readonly Ending[] {
  const isBoolean = asked.schema?.['type'] === 'boolean'
  const given = typeof replies === 'function' ? replies(asked) : replies
  const known = given ?? (isBoolean ? [true, false] : undefined)
  if (known === undefined) throw untold(asked, 'replies')
  const answered = known.map((reply): Ending => free({ type: 'answered', reply }))
  return asked.expiresInMs === undefined ? answered : [...answered, free({ type: 'unanswered' })]
}

function recalls(table: PossibleObservations, asked: Recall): readonly Ending[] {
  if (table.memories === undefined) throw untold(asked, 'memories')
  const recalled = table
    .memories(asked)
    .map((value): Direct => ({ type: 'recalled', value, version: 1 }))
  return [...recalled, ...failures(table)].map(free)
}

function remembers(table: PossibleObservations, { ifVersion }: Remember): readonly Ending[] {
  const version = (ifVersion ?? 0) + 1
  const conflict = ifVersion === undefined ? [] : failures({ failures: ['conflict'] })
  const kept: Direct = { type: 'remembered', version }
  return [kept, ...conflict, ...failures(table)].map(free)
}

const refused = (limit: string): Direct => ({
  type: 'refused',
  by: 'budget',
  limit,
  message: `there is no ${limit} left`,
})

function added(sum: Amounts, more: Amounts): Amounts {
  const all: Record<string, number> = { ...sum }
  for (const [counter, amount] of Object.entries(more)) all[counter] = (all[counter] ?? 0) + amount
  return all
}

/** Every combination of one item from each list. */
function combinations<Item>(
  lists: readonly (readonly Item[])[],
  asked: Effect,
): readonly (readonly Item[])[] {
  const count = lists.reduce((product, { length }) => product * length, 1)
  if (count > MOST_WAYS) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `there are ${count} possible ends of this effect, but at most ${MOST_WAYS} are followed: ${describeEffect(asked)}; give fewer observations`,
    )
  }
  return lists.reduce<readonly (readonly Item[])[]>(
    (all, list) => all.flatMap((some) => list.map((item) => [...some, item])),
    [[]],
  )
}

const untold = (asked: Effect, what: keyof PossibleObservations): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `no observations are given for this effect: ${describeEffect(asked)}; give ${what} in observations`,
  )
