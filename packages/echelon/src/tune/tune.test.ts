import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { format } from '../verify/format/format.ts'
import { steps } from '../verify/steps/steps.ts'
import { proved, refuted, scored, silent, type Verifier } from '../verify/verifier.ts'
import { checkGoal, readGoal } from './goal.ts'
import { asLines, type MadeTraces, MADE_MODELS, madeTraces } from '../testing/made-traces.ts'
import { judgeRecorded } from './judge-recorded.ts'
import { figuresOf } from './policy.ts'
import { readTraces } from './traces/read-traces.ts'
import { takeTask, type TunedAnswer, type TunedTask } from './tuned-task.ts'
import { tune, type Tuned, type TuneOptions } from './tune.ts'

const DATE = '2026-01-31'

async function* whole(text: string): AsyncGenerator<string> {
  yield text
}

async function taken(given: MadeTraces, verifiers: readonly Verifier[] = [format, steps]) {
  const models = (given.models ?? MADE_MODELS).map(({ model }) => model)
  const tasks: TunedTask[] = []
  for await (const trace of readTraces(whole(asLines(madeTraces(given))), 't')) {
    tasks.push(takeTask(trace, { models, verifiers, roles: {}, costOf: () => null, name: 't' }))
  }
  return { tasks, models }
}

async function tuned(
  given: MadeTraces,
  options: Partial<TuneOptions> & { readonly want?: string } = {},
): Promise<Tuned> {
  const { tasks, models } = await taken(given)
  const { want, ...more } = options
  const goal = want === undefined ? {} : { goal: readGoal(want) }
  return await tune(tasks, { models, date: DATE, ...goal, ...more })
}

suite('a policy', () => {
  const answer = (given: Partial<TunedAnswer> & { readonly score?: number }): TunedAnswer => ({
    features: { score: given.score ?? 0 },
    settled: null,
    cost: 0.5,
    latency: 0.1,
    isRight: true,
    answerCost: 1,
    answerLatency: 2,
    ...given,
  })
  const task = (id: string, ...answers: readonly TunedAnswer[]): TunedTask => ({
    id,
    group: id,
    answers,
  })
  const score = ({ features }: TunedAnswer): number => features['score'] ?? 0
  const big = answer({ answerCost: 10, answerLatency: 5 })

  test('pays for each model that it asks, and for the evidence about all but the last', () => {
    const tasks = [
      task('accepted', answer({ score: 0.9 }), big),
      task('wrongly accepted', answer({ score: 0.8, isRight: false }), big),
      task('needless', answer({ score: 0.1 }), big),
      task('rescued', answer({ score: 0.2, isRight: false }), big),
    ]
    const figures = figuresOf(tasks, { rungs: [0, 1], threshold: 0.5 }, score)
    assert.equal(figures.accuracy.value, 0.75)
    assert.equal(figures.cost.value, 1.5 + 10 / 2)
    assert.equal(figures.cost_per_solved, 26 / 3)
    assert.deepEqual([figures.escalated.value, figures.asked_last], [0.5, 0.5])
    assert.deepEqual([figures.wrong_accepts.value, figures.wrong_accepts.n], [0.5, 2])
    assert.equal(figures.needless.value, 0.5)
    assert.equal(figures.p95_latency.value, 2.1 + 5)
  })

  test('of one model calls no verifier', () => {
    const figures = figuresOf([task('a', answer({}), big)], { rungs: [0], threshold: 0 }, score)
    assert.deepEqual([figures.cost.value, figures.wrong_accepts.n], [1, 0])
  })

  test('has no cost as soon as one is unknown', () => {
    const tasks = [task('a', answer({ score: 1, answerCost: null }), big)]
    const { cost, cost_per_solved: perSolved } = figuresOf(
      tasks,
      { rungs: [0, 1], threshold: 0.5 },
      score,
    )
    assert.deepEqual([cost.value, perSolved], [null, null])
  })

  test('rests its intervals on groups, not on tasks that depend on each other', () => {
    const tasks = Array.from({ length: 30 }, (_, at) => ({
      ...task(`${at}`, answer({ score: 1 }), big),
      group: `story ${at % 3}`,
    }))
    assert.equal(figuresOf(tasks, { rungs: [0, 1], threshold: 0.5 }, score).accuracy.n, 3)
  })
})

suite('recorded answers', () => {
  const trace = {
    line: 1,
    id: 'a',
    group: 'a',
    task: { question: '?', wanted: { kind: 'number' } },
    answers: [
      {
        model: 'own',
        answer: { type: 'text', text: '4' },
        ok: true,
        cost: 1,
        usage: null,
        latency: 1,
      },
      {
        model: 'other',
        answer: { type: 'text', text: '5' },
        ok: null,
        cost: 3,
        usage: null,
        latency: 7,
      },
    ],
  } as const
  const asks = (role: string): Verifier => ({
    name: 'asks',
    features: ['asks.said'],
    verify: (_attempt, [seen]) =>
      seen === undefined
        ? {
            verdict: 'ask',
            effects: [{ type: 'call-tools', calls: [] }].flatMap(() => [ask(role)]),
          }
        : scored(0.5, 'heard', { 'asks.said': seen.type === 'generated' ? Number(seen.text) : 0 }),
  })
  const ask = (role: string) =>
    ({ type: 'generate', role, messages: Object(null), maxTokens: 1 }) as const

  test('answer a verifier that asks for another model, and count what it cost', () => {
    const found = judgeRecorded(
      { verifiers: [asks('opinion')], roles: { opinion: 'other' } },
      trace,
      trace.answers[0],
    )
    assert.deepEqual(found, { features: { 'asks.said': 5 }, settled: null, cost: 3, latency: 7 })
  })

  test('fail a model call that was not recorded', () => {
    const found = judgeRecorded({ verifiers: [asks('other')], roles: {} }, trace, trace.answers[0])
    assert.deepEqual(found.features, { 'asks.said': 0 })
  })

  test('keep a proof and a refutation, and a score that cannot be given', () => {
    const settledBy = (judgment: ReturnType<typeof proved>): string | null =>
      judgeRecorded(
        { verifiers: [{ name: 'v', features: ['v.x'], verify: () => judgment }], roles: {} },
        trace,
        trace.answers[0],
      ).settled
    assert.equal(settledBy(proved('')), 'proved')
    assert.equal(settledBy(refuted('')), 'refuted')
    assert.equal(settledBy(silent('')), 'silent')
    assert.equal(settledBy(silent('', { 'v.x': 1 })), null)
  })
})

suite('tuning', () => {
  test('finds evidence that pays: as accurate as the big model for less', async () => {
    const { report, gate } = await tuned({ count: 1_200 })
    const { proposal, models, ladders, price } = report
    assert.ok(proposal !== null && gate !== undefined)
    assert.equal(price, 'cost')
    assert.equal(report.halves.fit.tasks + report.halves.test.tasks, 1_200)
    const [big] = models.slice(-1)
    assert.ok((proposal.test.cost.value ?? 1) < 0.9 * (big?.cost.value ?? 0))
    assert.ok((proposal.test.accuracy.value ?? 0) > (big?.accuracy.value ?? 1) - 0.03)
    const order = ladders.find((ladder) => ladder.models.length === 2)?.order
    assert.ok(order && order.apgr.value > 0.6 && order.apgr.error > 0 && order.apgr.error < 0.1)
    assert.ok(gate.trainedOn.cases <= report.halves.fit.tasks)
  })

  test('is determined by its seed, and divides differently with another', async () => {
    const [first, again, other] = [
      await tuned({ count: 200 }, { seed: 3 }),
      await tuned({ count: 200 }, { seed: 3 }),
      await tuned({ count: 200 }, { seed: 4 }),
    ]
    assert.deepEqual(first, again)
    assert.notDeepEqual(first.report.halves, other.report.halves)
  })

  test('keeps tasks of one group in one half', async () => {
    const { tasks, models } = await taken({ count: 300 })
    const grouped = tasks.map((task, at) => ({ ...task, group: `story ${at % 30}` }))
    const { report } = await tune(grouped, { models, date: DATE })
    const { fit, test } = report.halves
    assert.equal(fit.groups + test.groups, 30)
    assert.deepEqual([fit.tasks, test.tasks], [10 * fit.groups, 10 * test.groups])
  })

  test('passes a goal only if its bound holds on tasks that were not fitted', async () => {
    const { report } = await tuned({ count: 1_500 }, { want: 'accuracy=0.9' })
    const check = report.goal?.check
    assert.ok(check?.verdict === 'PASS' && (check.low ?? 0) >= 0.9 && check.further === 0)
  })

  test('never passes what is out of reach', async () => {
    const { report } = await tuned({ count: 1_500 }, { want: 'accuracy=0.995' })
    assert.equal(report.goal?.check?.verdict, 'FAIL')
  })

  test('says how many more cases a small risk takes', async () => {
    const { report } = await tuned({ count: 400 }, { want: 'risk=0.02' })
    const check = report.goal?.check
    assert.equal(check?.verdict, 'INCONCLUSIVE')
    assert.ok(check.further === null || check.further > 0)
  })

  test('chooses among all ladders of three models', async () => {
    const models = [MADE_MODELS[0], { model: 'made/mid', wrong: 0.15, cost: 0.004 }, MADE_MODELS[1]]
    const { report } = await tuned({ count: 600, models: models.flatMap((each) => each ?? []) })
    assert.deepEqual(
      report.ladders.map((ladder) => ladder.models.map((model) => model.slice(5)).join('→')),
      ['small', 'mid', 'big', 'small→mid', 'small→big', 'mid→big', 'small→mid→big'],
    )
    for (const [at, point] of report.frontier.entries()) {
      assert.ok(at === 0 || point.accuracy > (report.frontier[at - 1]?.accuracy ?? 1))
    }
  })

  test('compares by how often the biggest model is asked where a cost is unknown', async () => {
    const models = MADE_MODELS.map(({ model, wrong }) => ({ model, wrong }))
    const { report } = await tuned({ count: 400, models })
    assert.equal(report.price, 'asked_last')
    assert.ok(report.frontier.every(({ price }) => price >= 0 && price <= 1))
    await assert.rejects(tuned({ count: 400, models }, { want: 'cost=0.01' }), {
      code: 'INVALID_INPUT',
      message: /a cost goal needs the cost of every answer/,
    })
  })

  test('proposes nothing of too few cases', async () => {
    for (const count of [0, 1, 15]) {
      const { report, gate } = await tuned({ count }, { want: 'accuracy=0.9' })
      assert.equal(report.proposal, null)
      const [ladder] = report.ladders.slice(-1)
      assert.ok(ladder?.too_few && Math.min(ladder.too_few.right, ladder.too_few.wrong) < 10)
      assert.equal(gate, undefined)
    }
  })

  test('proposes the better model alone where the bigger one is worse', async () => {
    const models = MADE_MODELS.toReversed()
    const { report, gate } = await tuned({ count: 200, models })
    assert.deepEqual(report.proposal?.models, ['made/big'])
    assert.deepEqual([report.proposal.threshold, gate], [null, undefined])
    assert.equal(report.ladders.length, 2)
  })

  test('rejects one model, and seven', async () => {
    await assert.rejects(tuned({ count: 3, models: MADE_MODELS.slice(0, 1) }), /2 to 6 models/)
  })

  test('needs to know whether each answer is right', async () => {
    const lines = asLines(madeTraces({ count: 1 }).map((row) => ({ ...row, gold: undefined })))
    const [trace] = await Array.fromAsync(readTraces(whole(lines), 't'))
    assert.ok(trace !== undefined)
    const take = (models: readonly string[]): TunedTask =>
      takeTask(trace, { models, verifiers: [], roles: {}, costOf: () => null, name: 't' })
    assert.throws(
      () => take(['made/small']),
      /^EchelonError: t, line 1: needs `gold`, or `ok` in the answer of made\/small/,
    )
    assert.throws(() => take(['made/mid']), /t, line 1: lacks an answer of made\/mid/)
  })
})

suite('a goal', () => {
  test('is read, and anything else is rejected with what to write', () => {
    assert.deepEqual(readGoal('accuracy=0.9'), { kind: 'accuracy', value: 0.9 })
    assert.deepEqual(readGoal('cost=12'), { kind: 'cost', value: 12 })
    for (const text of ['accuracy', 'accuracy=', 'accuracy=1', 'risk=0', 'speed=1', 'cost=-1']) {
      assert.throws(() => readGoal(text), /is not a goal; write accuracy=0\.9/)
    }
  })

  test('of a risk takes 149 right answers for 2 %, and none accepted decides nothing', async () => {
    const { report } = await tuned({ count: 400 })
    const figures = report.proposal?.test
    assert.ok(figures !== undefined)
    const with149 = { value: 0, low: 0, high: 0.02, n: 149 }
    const goal = readGoal('risk=0.02')
    assert.equal(checkGoal({ ...figures, wrong_accepts: with149 }, goal).verdict, 'PASS')
    const fewer = checkGoal({ ...figures, wrong_accepts: { ...with149, n: 100 } }, goal)
    assert.deepEqual([fewer.verdict, fewer.further], ['INCONCLUSIVE', 49])
    const none = { value: null, low: null, high: null, n: 0 }
    const open = checkGoal({ ...figures, wrong_accepts: none }, goal)
    assert.deepEqual([open.verdict, open.further, open.figure], ['INCONCLUSIVE', 149, null])
  })
})

test('the threshold keeps away from the scores of wrong answers, where several decide alike', async () => {
  const { report } = await tuned({ count: 400 })
  const threshold = report.proposal?.threshold ?? 0
  // The made answers score below 0.1 or above 0.9.
  assert.ok(threshold > 0.2 && threshold < 0.9, String(threshold))
})
