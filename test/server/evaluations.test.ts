import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createDecider } from 'echelon'
import { type Client, createClient } from 'echelon/client'
import { loadConfig } from 'echelon/config'
import { hashToken, newToken, createServer, evaluationsIn, serveDecider } from '@echelon/server'
import { openStore } from '@echelon/store'
import { tuneSetsIn } from '../../cli/src/serve/tune-sets.ts'
import { decider, serving } from './served.ts'

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const SUM = { id: 'sum', input: 'What is 15 * 23?', gold_answer: '345' }
const RIGHT = { id: 'more', input: 'What is 2 + 2?', gold_answer: '4' }

const write = (folder: string, cases: readonly object[]): void =>
  writeFileSync(join(folder, 'sums.json'), JSON.stringify(cases))

async function evaluated(client: Client, dataset: string): Promise<string> {
  const { id } = await client.evaluations.start(dataset)
  for (;;) {
    const { status } = await client.evaluations.get(id)
    if (status !== 'running') return id
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('an evaluation tells its gates, and which cases changed; all of it outlasts the server', async (t) => {
  const folder = folderFor(t)
  const file = join(folder, 'store.db')
  const { gates } = await loadConfig()
  const begin = async () => {
    const store = await openStore(file)
    const engine = await createDecider({
      small: 'offline/small',
      big: 'offline/big',
      journal: store.runs,
    })
    const datasets = evaluationsIn(folder, engine, { gates })
    const server = createServer({ agents: [serveDecider(engine)], store, datasets })
    const url = await server.listen({ port: 0 })
    const end = async (): Promise<void> => {
      await server.stop()
      await store.close()
    }
    return { client: createClient({ url }), end }
  }
  const first = await begin()
  write(folder, [SUM, RIGHT])
  const before = await evaluated(first.client, 'sums')
  // The known answer of a case has changed, so the same answer is wrong.
  write(folder, [SUM, { ...RIGHT, gold_answer: '5' }, { ...SUM, id: 'new' }])
  const after = await evaluated(first.client, 'sums')
  await first.end()
  const { client, end } = await begin()
  t.after(end)
  const { evaluations, datasets } = await client.evaluations.list()
  assert.deepEqual([datasets, evaluations.map(({ id }) => id)], [['sums'], [after, before]])
  const [latest, earlier] = evaluations
  const complete = earlier?.gates.find(({ gate }) => gate === 'complete')
  assert.deepEqual([complete?.passed, complete?.figure], [true, 2])
  const wrong = latest?.gates.find(({ gate }) => gate === 'max_wrong_accept_rate')
  assert.equal(wrong?.passed, false)
  assert.match(wrong.message, /verified answers that were wrong/)
  const changes = await client.evaluations.changes(after, before)
  assert.equal(changes.unchanged, 1)
  assert.deepEqual(
    changes.cases.map(({ id, before: was, after: is }) => [
      id,
      was?.success ?? null,
      is?.success ?? null,
    ]),
    [
      ['more', true, false],
      ['new', null, true],
    ],
  )
  assert.equal(changes.cases[0]?.question, 'What is 2 + 2?')
  const { run } = changes.cases[0].after ?? {}
  assert.ok((await client.runs.steps(run ?? '')).steps.length > 0, 'its run can be looked into')
  await assert.rejects(client.evaluations.changes(after, 'none'), { status: 404 })
})

test('the cost of an evaluation is booked under the operator who started it', async (t) => {
  const folder = folderFor(t)
  write(folder, [SUM, RIGHT])
  const store = await openStore(':memory:')
  const [chief, other] = [newToken(), newToken()]
  const engine = await createDecider({
    small: 'offline/small',
    big: 'offline/big',
    journal: store.runs,
  })
  const server = createServer({
    agents: [serveDecider(engine)],
    store,
    datasets: evaluationsIn(folder, engine),
    tokens: [
      { name: 'chief', sha256: hashToken(chief), isOperator: true },
      { name: 'other', sha256: hashToken(other), isOperator: true },
    ],
  })
  const url = await server.listen({ port: 0 })
  t.after(async () => {
    await server.stop()
    await store.close()
  })
  const client = createClient({ url, token: chief })
  const id = await evaluated(client, 'sums')
  const { metrics } = await client.evaluations.get(id)
  assert.ok(metrics !== null)
  for (const token of [chief, other]) {
    const { rows } = await createClient({ url, token }).costs({ by: 'user' })
    assert.deepEqual(
      rows.map(({ key, runs, unpriced }) => [key, runs, unpriced]),
      [['chief', 2, 0]],
    )
    const [row] = rows
    assert.ok(row !== undefined && row.calls >= 2 && row.input_tokens > 0 && row.output_tokens > 0)
  }
})

/** Tasks of two models: the small one is right about what it is sure of. */
const traces = (tasks: number): string =>
  Array.from({ length: tasks }, (_, at) => {
    const isEasy = at % 3 !== 0
    const said = (model: string, answer: string, ok: boolean, cost: number) => ({
      model,
      text: JSON.stringify({ answer }),
      ok,
      cost,
    })
    return JSON.stringify({
      id: `t${at}`,
      question: `Question ${at}`,
      answers: [
        said('test/small', isEasy ? 'a plain answer' : 'I am not sure, it may be', isEasy, 0.001),
        said('test/big', 'a plain answer', at % 20 !== 0, 0.02),
      ],
    })
  }).join('\n')

test('recorded answers give accuracy and cost at each threshold', async (t) => {
  const folder = folderFor(t)
  writeFileSync(join(folder, 'traffic.jsonl'), traces(240))
  const { url } = await serving(t, async (store) => [await decider(store)], {
    tuneSets: tuneSetsIn(folder),
  })
  const client = createClient({ url })
  assert.deepEqual(await client.tune.list(), ['traffic'])
  const { ladders, frontier, tasks, price } = await client.tune.get('traffic')
  assert.deepEqual([price, tasks.fit + tasks.test], ['cost', 240])
  const ladder = ladders.find(({ models }) => models.length === 2)
  assert.deepEqual(ladder?.models, ['test/small', 'test/big'])
  const { points } = ladder
  assert.ok(points.length > 3)
  const thresholds = points.map(({ threshold }) => threshold ?? -1)
  assert.deepEqual(
    thresholds,
    thresholds.toSorted((a, b) => a - b),
  )
  // A higher threshold asks the big model more often, so it costs more.
  const costs = points.map(({ cost }) => cost.value ?? 0)
  assert.deepEqual(
    costs,
    costs.toSorted((a, b) => a - b),
  )
  assert.ok((costs.at(-1) ?? 0) > (costs[0] ?? 0))
  assert.ok(frontier.length > 1)
  await assert.rejects(client.tune.get('../store'), { status: 404 })
})

test('evaluations and recorded answers are for operators', async (t) => {
  const token = newToken()
  const folder = folderFor(t)
  const { url } = await serving(t, async (store) => [await decider(store)], {
    tokens: [{ name: 'ada', sha256: hashToken(token) }],
    tuneSets: tuneSetsIn(folder),
  })
  const client = createClient({ url, token })
  await assert.rejects(client.tune.list(), { status: 403 })
  await assert.rejects(client.evaluations.list(), { status: 403 })
})
