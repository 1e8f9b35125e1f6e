import { deepEqual, ok } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { z } from 'zod'
import type { Decider } from '../../packages/echelon/src/agents/decide/decider.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import type { ScriptedAnswer } from '../../packages/echelon/src/testing/scripted-model.ts'
import { evaluate } from '../../packages/tools/src/calculator/evaluate.ts'
import answerOf from '../../packages/tools/src/calendar/answer.ts'
import {
  calc,
  date,
  type PlannedAction,
  planOf,
  scripted,
  toldTo,
  toolsWith,
} from '../decide/fixtures.ts'
import { wrongValues } from '../wrong-plans/plans.ts'
import { SEED } from './before.ts'
import { drawFrom } from './draw.ts'
import { GRAMMARS } from './grammars.ts'
import { ISSUE_EXAMPLES } from './issue-examples.ts'
import type { Item } from './item.ts'
import { acceptedBy, plainDate, TODAY, verdictOf } from './judge.ts'
import { lineOf } from './report.ts'
import { itemOf } from './tally.ts'

/** The project's own tools without their isolates, which only cost time here. */
const TOOLS: readonly Tool[] = toolsWith(
  defineTool({
    name: 'calculator',
    description: 'Computes.',
    input: z.strictObject({ expr: z.string() }),
    run: ({ expr }) => ({ value: evaluate(expr), kind: 'data' }),
  }),
  defineTool({
    name: 'calendar',
    description: 'Finds a date.',
    input: z.strictObject({ query: z.string(), today: z.string().optional() }),
    run: ({ query, today = TODAY }) => ({
      date_str: answerOf({ query, today, at: 0, timeZone: 'UTC' }),
      kind: 'text',
    }),
  }),
)

/** Questions of each kind that a whole decider decides. */
const EACH = 2
/** Plain questions that the offline models must at least get verified. */
const LEAST_PLAIN = 20
const SAMPLE: readonly Item[] = [
  ...ISSUE_EXAMPLES,
  ...GRAMMARS.flatMap((grammar) =>
    Array.from({ length: EACH }, (_, nth) => itemOf(grammar, { seed: SEED + 100, nth })),
  ),
]

interface Outcome {
  /** Questions whose verified answer is wrong, or one of several, as lines. */
  readonly failures: readonly string[]
  /** Plain questions that are verified. */
  readonly verified: number
}

async function outcomeOf(deciderFor: (item: Item) => Decider): Promise<Outcome> {
  const failures: string[] = []
  let plain = 0
  for (const item of SAMPLE) {
    const { verified, answer } = await deciderFor(item).runCase(item.text, { today: TODAY })
    if (!verified || answer === null) continue
    if (item.control) plain++
    const accepted = [plainDate(answer)]
    const verdict = verdictOf(item.reading, accepted)
    if (verdict !== 'right') failures.push(lineOf({ ...item, verdict, accepted }))
  }
  return { failures, verified: plain }
}

/** Wrong answers that a hasty model would give, likeliest verifier mistakes first. */
function temptations({ text, reading }: Item): readonly PlannedAction[] {
  const isRight = (answer: string): boolean => verdictOf(reading, [answer]) === 'right'
  const misread = acceptedBy(text).filter((answer) => !isRight(answer))
  const values = wrongValues([text, reading.type === 'value' ? reading.value : null])
  const draw = drawFrom({ wording: [text.length], numbers: [text.length] })
  const some = draw.some(values, Math.min(4, values.length)).map(String)
  return [
    ...[...misread, ...some].map((answer) =>
      /^\d{4}-\d\d-\d\d$/.test(answer) ? date(answer) : calc(answer),
    ),
    date(text),
  ]
}

/** A model that plans one temptation after another. */
function tempted(item: Item): Decider {
  const plans = temptations(item)
  let at = 0
  const next: ScriptedAnswer = () => {
    const plan = plans[at % plans.length]
    at++
    return plan === undefined ? '{"actions":null,"cannot":"nothing tempts"}' : planOf(plan)
  }
  const script = Array.from({ length: 12 }, () => next)
  return scripted({ small: script, big: script, tools: TOOLS }).decider
}

/** A model that plans any number or date from its prompt, besides those of the question. */
function copying(item: Item): Decider {
  const NUMBERS = /-?\d+(?:\.\d+)?/g
  const asked = new Set(item.text.match(NUMBERS))
  const copy: ScriptedAnswer = (options) => {
    const [, reason = ''] = toldTo(options).split('Why that was not accepted:')
    const told = (reason.match(NUMBERS) ?? []).find((number) => !asked.has(number))
    const [day] = /\w+day, \w+ \d+, \d{4}/.exec(reason) ?? []
    return planOf(day === undefined ? calc(told ?? '1 + 1') : date(day))
  }
  const script = Array.from({ length: 12 }, () => copy)
  return scripted({ small: script, big: script, tools: TOOLS }).decider
}

suite('a whole decider verifies no wrong answer', () => {
  test('[DD-8] of the offline models', async () => {
    const decider = await createDecider({ tools: TOOLS })
    const { failures, verified } = await outcomeOf(() => decider)
    ok(verified >= LEAST_PLAIN, `${verified} plain questions are verified`)
    deepEqual(failures, [])
  })

  test('[DD-8] of a model that plans the tempting misreading', async () => {
    const { failures } = await outcomeOf(tempted)
    deepEqual(failures, [])
  })

  test('[DD-8] of a model that copies from its prompt', async () => {
    const { failures } = await outcomeOf(copying)
    deepEqual(failures, [])
  })
})
