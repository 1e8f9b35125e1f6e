import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { CaseOptions } from '../../packages/echelon/src/agents/decide/case/case-options.ts'
import type { CaseResult } from '../../packages/echelon/src/agents/decide/case/case-result.ts'
import type { AnswerGate } from '../../packages/echelon/src/agents/decide/answers/answer-gate.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import type { RunRecord } from '../../packages/echelon/src/core/observability/run-record.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { agree } from '../../packages/echelon/src/verify/agree/agree.ts'
import { asProgram, inWords } from '../../packages/echelon/src/verify/agree/way.ts'
import { check } from '../../packages/echelon/src/verify/check/check.ts'
import { format } from '../../packages/echelon/src/verify/format/format.ts'
import { judge } from '../../packages/echelon/src/verify/judge/judge.ts'
import { steps } from '../../packages/echelon/src/verify/steps/steps.ts'
import { calc, DECLINED, MATH_TASK, planOf, scripted, type Scripts, toldTo } from './fixtures.ts'

const STORY =
  'A gardener plants 12 rows of tulips with 8 tulips each, and digs out 6. How many tulips are left, if the neighbor looks on?'
const OPEN = 'Which of the planets is the red one?'

const direct = (answer: Json): string => JSON.stringify({ actions: null, answer, cannot: null })

/** Agrees with one opinion of another model. */
const opinion: AnswerGate = {
  verify: agree({ ways: [inWords('opinion')], atMost: 1, need: 2 }),
  accept: 0.6,
  ask: { opinion: 'offline/opinion' },
}

async function ended(task: string, scripts: Scripts, options: CaseOptions = {}) {
  const { decider, small, big, opinion: asked } = scripted(scripts)
  const result = await decider.runCase(task, options)
  return { result, calls: [small, big, asked].map((model) => model.calls.length), big, small }
}

const facts = ({ answer, checked, finish_reason, verified }: CaseResult): readonly unknown[] => [
  answer,
  checked,
  finish_reason,
  verified,
]

suite('a gate for direct answers', () => {
  test('takes the worked answer of the small model where its evidence supports it', async () => {
    const { result, calls, small } = await ended(
      STORY,
      {
        small: [direct('12 × 8 = 96 and 96 - 6 = 90. Answer: 90')],
        gate: { verify: [format, steps], accept: 0.6 },
      },
      { wanted: { kind: 'number' } },
    )
    assert.deepEqual(facts(result), ['90', 'supported', 'supported', false])
    assert.deepEqual(calls, [1, 0, 0])
    assert.ok(result.confidence !== null && result.confidence >= 0.6)
    assert.match(result.explanation, /^Supported, not proved \(confidence 0\.\d\d\): /)
    assert.match(JSON.stringify(small.calls[0]?.prompt), /End with a line/)
    assert.equal(result.logs.find(({ event }) => event === 'supported')?.step_type, 'verify')
  })

  test('promotes an answer that looks right and is wrong, and tells the next model why', async () => {
    const { result, calls, big } = await ended(
      STORY,
      {
        small: [direct('12 × 8 = 86 and 86 - 6 = 80. Answer: 80')],
        big: [direct('12 × 8 = 96, 96 - 6 = 90. Answer: 90')],
        gate: { verify: [format, steps], accept: 0.6 },
      },
      { wanted: { kind: 'number' } },
    )
    assert.deepEqual(facts(result), ['90', 'supported', 'supported', false])
    assert.deepEqual(calls, [1, 1, 0])
    const told = toldTo(big.calls[0] ?? assert.fail())
    assert.match(told, /Why that was not accepted:\n"""\n.*(?:wrong|calculation)/)
    assert.doesNotMatch(told, /80|The plan before/)
  })

  test('says unsupported, with its confidence, if no model gives a supported answer', async () => {
    const wrong = direct('12 × 8 = 86, 86 - 6 = 80. Answer: 80')
    const { result } = await ended(
      STORY,
      { small: [wrong], big: [wrong, wrong], gate: { verify: [format, steps], accept: 0.6 } },
      { wanted: { kind: 'number' } },
    )
    assert.deepEqual(facts(result), ['80', 'unsupported', 'big_fail', false])
    assert.match(result.explanation, /^Not supported \(confidence 0\.\d\d\): /)
  })

  test('accepts choices, JSON and words, and refutes answers of another kind', async () => {
    const choices = ['Venus', 'Mars', 'Saturn']
    const says: AnswerGate = { verify: [format, check('named', () => 0.9)], accept: 0.8 }
    const choice = await ended(
      OPEN,
      {
        small: [direct('It is Pluto.')],
        big: [direct('Iron oxide makes it red. Answer: Mars')],
        gate: says,
      },
      { wanted: { kind: 'choice', choices } },
    )
    assert.deepEqual(facts(choice.result), ['Mars', 'supported', 'supported', false])
    assert.deepEqual(choice.calls, [1, 1, 0])

    const schema = {
      type: 'object',
      properties: { planet: { type: 'string' } },
      required: ['planet'],
      additionalProperties: false,
    }
    const json = await ended(
      OPEN,
      { small: [direct({ planet: 4 })], big: [direct({ planet: 'Mars' })], gate: says },
      { wanted: { kind: 'json', schema } },
    )
    assert.deepEqual(facts(json.result), ['{"planet":"Mars"}', 'supported', 'supported', false])

    const words = await ended(OPEN, { small: [direct('Mars, of course.')], gate: says })
    assert.deepEqual(facts(words.result), ['Mars, of course.', 'supported', 'supported', false])
  })

  test('asks the models that its verifier needs, and bills them', async () => {
    const { result, calls } = await ended(
      OPEN,
      {
        small: [direct('Mars')],
        opinion: ['It is red with rust.\nAnswer: Mars'],
        gate: opinion,
        price: () => 0.5,
      },
      { wanted: { kind: 'choice', choices: ['Venus', 'Mars'] } },
    )
    assert.deepEqual(facts(result), ['Mars', 'supported', 'supported', false])
    assert.deepEqual(calls, [1, 0, 1])
    assert.equal(result.cost, 1)
    assert.deepEqual(
      result.opinions.map(({ role, model, llm_calls, cost }) => [role, model, llm_calls, cost]),
      [['opinion', 'offline/opinion', 1, 0.5]],
    )
  })

  test('hears a program beside the words, computed with the tools of the case', async () => {
    const gate: AnswerGate = {
      verify: agree({ ways: [asProgram('small')], atMost: 1, need: 2, across: true }),
      accept: 0.6,
    }
    const { result, calls } = await ended(
      STORY,
      { small: [direct('It is 90. Answer: 90'), '{"expr":"96 - 6"}'], gate },
      { wanted: { kind: 'number' } },
    )
    assert.deepEqual(facts(result), ['90', 'supported', 'supported', false])
    assert.deepEqual(calls, [2, 0, 0])
    assert.equal(result.counters.tool_calls, 0)
  })

  test('judges the results of tools too, where no verifier reads the question', async () => {
    const { result } = await ended(
      'fifth root of 161051',
      { small: [planOf(calc('161051 / 14641'))], opinion: ['Answer: 11'], gate: opinion },
      { wanted: { kind: 'number' } },
    )
    assert.deepEqual(facts(result), ['11', 'supported', 'supported', false])
  })

  test('leaves proofs to the verifiers that read the question', async () => {
    const { result, calls } = await ended(
      MATH_TASK,
      { small: [planOf(calc('15 * 23'))], gate: opinion },
      { wanted: { kind: 'number' } },
    )
    assert.deepEqual(facts(result), ['345', 'verified', 'success', true])
    assert.deepEqual(calls, [1, 0, 0])
    assert.equal(result.confidence, null)
  })

  test('reports a proof by a verifier of answers as verified', async () => {
    const gate: AnswerGate = { verify: check('tests', () => true), accept: 0.9 }
    const { result } = await ended(OPEN, { small: [direct('Mars')], gate })
    assert.deepEqual(facts(result), ['Mars', 'verified', 'success', true])
  })

  test('asks the next model if one declines', async () => {
    const { result, calls } = await ended(
      OPEN,
      { small: [DECLINED], big: [direct('Mars')], opinion: ['Mars'], gate: opinion },
      { wanted: { kind: 'choice', choices: ['Venus', 'Mars'] } },
    )
    assert.deepEqual(facts(result), ['Mars', 'supported', 'supported', false])
    assert.deepEqual(calls, [1, 1, 1])
  })

  test('keeps an answer that nothing can be said about as not checked', async () => {
    const silentGate: AnswerGate = { verify: steps, accept: 0.6 }
    const { result, calls } = await ended(OPEN, { small: [direct('Mars')], gate: silentGate })
    assert.deepEqual(facts(result), ['Mars', 'not_checked', 'unchecked', false])
    assert.deepEqual(calls, [1, 0, 0])
    const more = await ended(
      OPEN,
      {
        small: [direct('Mars'), direct('Mars')],
        big: [direct('Mars'), direct('Mars')],
        gate: silentGate,
      },
      { unchecked: 'escalate' },
    )
    assert.deepEqual(facts(more.result), ['Mars', 'not_checked', 'big_fail', false])
  })

  test('compares a direct answer with the known one, by its kind', async () => {
    const { result } = await ended(
      STORY,
      { small: [direct('12 × 8 - 6 = 90. Answer: 90.0')] },
      { wanted: { kind: 'number' }, goldAnswer: '90' },
    )
    assert.deepEqual(facts(result), ['90', 'verified', 'success', true])
    const wrong = await ended(
      STORY,
      { small: [direct('Answer: 80')], big: [direct('Answer: 80'), direct('Answer: 80')] },
      { wanted: { kind: 'number' }, goldAnswer: '90' },
    )
    assert.deepEqual(facts(wrong.result), ['80', 'refuted', 'big_fail', false])
  })

  test('without a gate, a kind that is asked for must be there, and stays unchecked', async () => {
    const { result, calls } = await ended(
      STORY,
      { small: [direct('I like tulips.')], big: [direct('Answer: 90')] },
      { wanted: { kind: 'number' } },
    )
    assert.deepEqual(facts(result), ['90', 'not_checked', 'unchecked', false])
    assert.deepEqual(calls, [1, 1, 0])
  })

  test('a role without a model is silent, and a budget refuses an opinion', async () => {
    const { ask: _, ...without } = opinion
    const none = await ended(OPEN, { small: [direct('Mars')], gate: without })
    assert.deepEqual(facts(none.result), ['Mars', 'not_checked', 'unchecked', false])
    const poor = await ended(
      OPEN,
      {
        small: [direct('Mars')],
        gate: opinion,
        price: ({ input, output }) => input + output,
        settings: { budget: { max_cost_usd: 1200 } },
      },
      {},
    )
    assert.equal(poor.calls[2], 0)
    assert.ok((poor.result.cost ?? Infinity) <= 1200)
  })

  test('resumes in the middle of judging, without asking a model twice', async () => {
    const journal = new MemoryJournal()
    const first = scripted({
      small: [direct('Mars')],
      opinion: ['Answer: Mars'],
      gate: { ...opinion, verify: [format, opinion.verify].flat() },
      journal,
    })
    const whole = await first.decider.runCase(OPEN, {
      wanted: { kind: 'choice', choices: ['Venus', 'Mars'] },
    })
    const entries = journal.read(whole.run_id)
    for (let kept = 1; kept < entries.length; kept++) {
      const cut = new MemoryJournal()
      cut.append(whole.run_id, entries.slice(0, kept))
      // Calls on record are not repeated: a crash can cost each call once again at most.
      const again = scripted({
        small: [direct('Mars')],
        opinion: ['Answer: Mars'],
        gate: { ...opinion, verify: [format, opinion.verify].flat() },
        journal: cut,
      })
      const resumed = await (await again.decider.resume(whole.run_id)).result
      assert.deepEqual(facts(resumed), facts(whole), `after ${kept} entries`)
      assert.equal(resumed.confidence, whole.confidence)
    }
  })

  test('records the status and the confidence for audit and costs', async () => {
    const records: RunRecord[] = []
    await ended(
      OPEN,
      {
        small: [direct('Mars')],
        opinion: ['Mars'],
        gate: opinion,
        records: { record: (one) => void records.push(one) },
      },
      { wanted: { kind: 'choice', choices: ['Venus', 'Mars'] } },
    )
    const acted = records.find((one) => one.type === 'run-acted' && one.action === 'supported')
    assert.ok(acted?.type === 'run-acted' && acted.actor === 'verifier')
    assert.equal(acted.details['status'], 'supported')
    assert.equal(typeof acted.details['confidence'], 'number')
    const end = records.findLast(({ type }) => type === 'run-ended')
    assert.ok(end?.type === 'run-ended')
    assert.deepEqual([end.finishReason, end.verified], ['supported', false])
    assert.deepEqual(
      end.rungs.map(({ tier, llmCalls }) => [tier, llmCalls]),
      [
        ['small', 1],
        ['big', 0],
        ['opinion', 1],
      ],
    )
  })

  test('lets a judge be asked with another model', async () => {
    const verdict = JSON.stringify({
      evidence: [{ quote: 'Mars', finding: 'It is the red planet.', holds: true }],
      verdict: 'right',
      confidence: 95,
    })
    const { result } = await ended(OPEN, {
      small: [direct('Mars')],
      opinion: [verdict],
      gate: { verify: judge(), accept: 0.9, ask: { judge: 'offline/opinion' } },
    })
    assert.deepEqual(facts(result), ['Mars', 'supported', 'supported', false])
  })

  test('refuses options that cannot work, before any call', async () => {
    assert.throws(() => scripted({ gate: { ...opinion, accept: 2 } }), /accept cannot be 2/)
    assert.throws(
      () => scripted({ gate: { ...opinion, ask: { small: 'offline/small' } } }),
      /small belongs to the ladder/,
    )
    const { decider } = scripted()
    const wrong: readonly CaseOptions['wanted'][] = [
      { kind: 'choice', choices: ['one'] },
      { kind: 'choice', choices: ['one', ' '] },
    ]
    for (const wanted of wrong) {
      await assert.rejects(decider.runCase(OPEN, { ...(wanted && { wanted }) }), {
        code: 'INVALID_INPUT',
        message: /choice needs 2 to 50 choices/,
      })
    }
  })
})
