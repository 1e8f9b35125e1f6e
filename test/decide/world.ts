import { type Amounts, Ledger } from '../../packages/echelon/src/core/agent/budget.ts'
import type {
  CallTools,
  Effect,
  Generate,
  Together,
} from '../../packages/echelon/src/core/agent/effect.ts'
import { isJsonArray, isJsonObject, type Json } from '../../packages/echelon/src/core/value/json.ts'
import type {
  Failed,
  Generated,
  Observation,
} from '../../packages/echelon/src/core/agent/observation.ts'
import type { ToolCall, ToolOutcome } from '../../packages/echelon/src/core/tool/tool.ts'
import type { UnknownClaim } from '../../packages/echelon/src/agents/decide/verification/claim.ts'
import type { StandardClaim } from '../../packages/echelon/src/agents/decide/verifiers/standard.ts'
import { Thread, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import type { AnswerGate } from '../../packages/echelon/src/agents/decide/answers/answer-gate.ts'
import { scored, silent } from '../../packages/echelon/src/verify/verifier.ts'
import { calc, planOf } from './fixtures.ts'

/** A possible outcome of an effect, with what was spent so far. */
export interface Possibility {
  readonly seen: Observation
  readonly spent: Amounts
}

/** A small universe: one task, the possible completions of a model, and the possible answers of tools. */
export interface World {
  readonly name: string
  readonly claim: StandardClaim | UnknownClaim
  readonly completions: readonly Omit<Generated, 'type' | 'calls' | 'model' | 'usage' | 'cost'>[]
  /** From right to wrong to failed: everything that a verdict can depend on. */
  answersTo(call: ToolCall): readonly ToolOutcome[]
  /** Judges the answers that no verifier reads; default: nothing does. */
  readonly gate?: AnswerGate
  /** The possible answers to the verifier's own calls. */
  checksOf(call: ToolCall): readonly ToolOutcome[]
}

const ok = (value: Json): ToolOutcome => ({ type: 'ok', value })
const error = (code: 'TOOL_ERROR' | 'NET_TIMEOUT'): ToolOutcome => ({
  type: 'error',
  code,
  message: 'the tool failed',
})

const BROKEN_SETUP: ToolOutcome = {
  type: 'error',
  code: 'TOOL_ERROR',
  message: 'a package is missing',
  fault: 'setup',
}

const MISFITS: World['completions'] = [
  { text: planOf({ tool: 'rm', args: {} }), finish: 'stop' },
  { text: 'I would rather not say.', finish: 'stop' },
  { text: '{"actions":null,"cannot":"it is beyond me"}', finish: 'stop' },
]

/** A right-or-wrong task: the answer is 1, and the verifier computes it too. */
export const MATH: World = {
  name: 'math',
  claim: { kind: 'math', expressions: ['1'], quantities: ['1'], why: 'as written' },
  completions: [
    { text: planOf(calc('1')), finish: 'stop' },
    { text: planOf(calc('1')), finish: 'length' },
    { text: planOf(calc('1'), calc('$1.value'), calc('1')), finish: 'stop' },
    { text: planOf({ tool: 'rm', args: {} }, calc('1')), finish: 'stop' },
    ...MISFITS,
  ],
  answersTo: () => [ok({ value: '1' }), ok({ value: '2' }), error('TOOL_ERROR')],
  checksOf: () => [ok({ value: '1' }), error('NET_TIMEOUT')],
}

const fetchAction = { tool: 'data_fetch_stock', args: { ticker: 'ACME', n: 3 } }
const rows = (count: number): Json =>
  ['2025-09-01', '2025-09-02', '2025-09-03'].slice(0, count).map((date) => ({ date, close: 1 }))

/** A graded task: rows received of three, and their mean. One action alone is never enough. */
export const STOCK: World = {
  name: 'stock',
  claim: {
    kind: 'stock',
    ticker: 'ACME',
    rows: 3,
    average: true,
    window: null,
    extremes: [],
    plot: false,
  },
  completions: [
    { text: planOf(fetchAction), finish: 'stop' },
    {
      text: planOf(fetchAction, { tool: 'numeric_analysis', args: { series: '$1.series' } }),
      finish: 'stop',
    },
    ...MISFITS,
  ],
  answersTo: ({ tool }) =>
    tool === 'data_fetch_stock'
      ? [3, 2, 1].map((count) => ok({ series: rows(count) })).concat(error('TOOL_ERROR'))
      : [ok({ stats: { mean: 1 } }), BROKEN_SETUP],
  checksOf: () => [ok({ stats: { mean: 1 } }), ok({ stats: { mean: 2 } })],
}

/** A question that nothing can check, which a model may answer in words. */
export const OPEN: World = {
  name: 'open',
  claim: { kind: 'unknown', why: 'the question holds no quantity' },
  completions: [
    { text: planOf(calc('1')), finish: 'stop' },
    { text: '{"actions":null,"answer":"Canberra","cannot":null}', finish: 'stop' },
    ...MISFITS,
  ],
  answersTo: () => [ok({ value: '1' }), error('TOOL_ERROR'), BROKEN_SETUP],
  checksOf: () => [],
}

/** Supports an answer that an opinion repeats; an opinion that fails leaves it unchecked. */
const asked: AnswerGate = {
  accept: 0.5,
  ask: { opinion: 'm/opinion' },
  verify: {
    name: 'asked',
    features: [],
    verify({ answer }, [first]) {
      if (first === undefined) {
        const messages = Thread.of([userMessage('Which is it?')])
        return {
          verdict: 'ask',
          effects: [{ type: 'generate', role: 'opinion', messages, maxTokens: 10 }],
        }
      }
      if (first.type !== 'generated') return silent('nobody knows')
      const isSame = answer.type === 'text' && answer.text === first.text
      return scored(Number(isSame), isSame ? 'an opinion agrees' : 'an opinion differs')
    },
  },
}

/** A question that no verifier reads, whose answers a gate judges. */
export const GATED: World = { ...OPEN, name: 'gated', gate: asked }

/** The differences between outcomes that matter to a verdict. */
export function signOf(outcome: ToolOutcome): Json {
  if (outcome.type === 'error') return `error ${outcome.fault}`
  if (outcome.type !== 'ok' || !isJsonObject(outcome.value)) return outcome.type
  const { value, series } = outcome.value
  return value ?? (isJsonArray(series) ? series.length : 0)
}

/** All possible outcomes of an effect, under the rules of the real ledger. */
export function possibilities(
  asked: Effect,
  spent: Amounts,
  limits: Amounts,
  world: World,
): readonly Possibility[] {
  const canceled: Possibility = { seen: { type: 'canceled', by: 'user' }, spent }
  if (isOver('seconds', spent, limits)) return [canceled, refusal('seconds', spent)]
  const late = { ...spent, seconds: limits['seconds'] ?? 0 }
  const answers =
    asked.type === 'generate'
      ? completions(asked, spent, limits, world)
      : asked.type === 'call-tools'
        ? batches(asked, spent, limits, world)
        : asked.type === 'together'
          ? opinions(asked, spent)
          : []
  // Time may run out at any step: before it, so that it is refused, or during it.
  const lateAnswers = answers.map((one) => ({
    ...one,
    spent: { ...one.spent, seconds: late.seconds },
  }))
  return [canceled, refusal('seconds', late), ...answers, ...lateAnswers]
}

const isOver = (counter: string, spent: Amounts, limits: Amounts): boolean =>
  (spent[counter] ?? 0) >= (limits[counter] ?? Infinity)

const refusal = (limit: string, spent: Amounts): Possibility => ({
  seen: { type: 'refused', by: 'budget', limit, message: `there is no ${limit} left` },
  spent,
})

/** Limits that a model call may hit before they are used up: it could cost more than is left. */
const PURSES = ['tokens', 'money']

function completions(
  { role }: Generate,
  spent: Amounts,
  limits: Amounts,
  world: World,
): readonly Possibility[] {
  const counter = `calls.${role}`
  const purses = PURSES.filter((purse) => purse in limits)
  const empty = purses.find((purse) => isOver(purse, spent, limits))
  const refusedBy = new Ledger(limits, spent).impossible({ [counter]: 1 }) ?? empty
  if (refusedBy !== undefined) return [refusal(refusedBy, spent)]
  const callsLeft = (limits[counter] ?? Infinity) - (spent[counter] ?? 0)
  const after = (calls: number): Amounts => ({
    ...spent,
    [counter]: (spent[counter] ?? 0) + calls,
  })
  const generated = world.completions.map((completion): Observation => ({
    type: 'generated',
    calls: [],
    model: 'm',
    usage: { input: 0, output: 0 },
    cost: 0,
    ...completion,
  }))
  const attempts = Math.min(3, callsLeft)
  return [
    ...generated.map((seen) => ({ seen, spent: after(1) })),
    ...purses.flatMap((purse) => [
      refusal(purse, spent),
      ...generated.map((seen) => ({ seen, spent: { ...after(1), [purse]: limits[purse] ?? 0 } })),
    ]),
    { seen: down(attempts), spent: after(attempts) },
  ]
}

/** The possible opinions: the right word, another one, or nothing. */
const opinions = ({ effects }: Together, spent: Amounts): readonly Possibility[] =>
  [...['Canberra', '1', 'Sydney'].map(saidOf), down(1)].map((seen) => ({
    seen: { type: 'together', observations: effects.map(() => seen) },
    spent,
  }))

const saidOf = (text: string): Generated => ({
  type: 'generated',
  text,
  calls: [],
  finish: 'stop',
  model: 'm/opinion',
  usage: { input: 0, output: 0 },
  cost: 0,
})

const down = (attempts: number): Failed => ({
  type: 'failed',
  error: { code: 'unavailable', message: 'status 503', retryable: true, attempts },
})

/** A batch, answered call by call: all alike, or all but the first failed, or time ran out in it. */
function batches(
  asked: CallTools,
  spent: Amounts,
  limits: Amounts,
  world: World,
): readonly Possibility[] {
  const isCheck = asked.actor === 'verifier'
  const choices = asked.calls.map((call) =>
    isCheck ? world.checksOf(call) : world.answersTo(call),
  )
  const most = Math.max(...choices.map(({ length }) => length))
  const alike = Array.from({ length: most }, (_, nth) =>
    choices.map((choice) => choice[Math.min(nth, choice.length - 1)] ?? error('TOOL_ERROR')),
  )
  const brokenOff = choices.map((choice, index): ToolOutcome =>
    index === 0 && choice.length > 1 ? (choice[1] ?? error('TOOL_ERROR')) : TIME_IS_OVER,
  )
  const perform = (outcomes: readonly ToolOutcome[], tries: number): Possibility =>
    performBatch(asked, outcomes, tries, new Ledger(limits, spent))
  const late = perform(brokenOff, 1)
  return [
    ...alike.map((outcomes) => perform(outcomes, 1)),
    // A tool's own retries count as calls too.
    ...(isCheck ? [] : [perform(alike.at(-1) ?? [], 2)]),
    ...(asked.calls.length > 1
      ? [{ ...late, spent: { ...late.spent, seconds: limits['seconds'] ?? 0 } }]
      : []),
  ]
}

const TIME_IS_OVER: ToolOutcome = { type: 'refused', limit: 'seconds' }

/** The runtime's rule: each attempt uses one of the calls that the effect and the ledger still allow. */
function performBatch(
  asked: CallTools,
  outcomes: readonly ToolOutcome[],
  tries: number,
  ledger: Ledger,
): Possibility {
  const meter = asked.actor === 'verifier' ? 'checks' : 'tools'
  let left = asked.most ?? Infinity
  const done = outcomes.map((outcome): ToolOutcome => {
    for (let tried = 0; tried < tries; tried++) {
      if (left < 1 || ledger.impossible({ [meter]: 1 }) !== undefined) {
        return tried === 0 ? { type: 'refused', limit: meter } : outcome
      }
      left--
      ledger.spend({ [meter]: 1 })
    }
    return outcome
  })
  return { seen: { type: 'tools-called', outcomes: done }, spent: { ...ledger.spent } }
}
