import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log, LogRecord } from '../core/observability/log.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import { userMessage, Thread } from '../core/message/thread.ts'
import { failed, generated, modelCall, testRun } from '../testing/middleware-run.ts'
import { compose } from './compose.ts'
import { modelOf, modelThrough, toolThrough } from './in-tests.ts'
import { logging } from './logging.ts'
import { permissions } from './permissions.ts'
import { retry } from './reliability/retry.ts'

function memoryLog(): Log & { readonly records: LogRecord[] } {
  const records: LogRecord[] = []
  return { records, write: (record) => void records.push(record) }
}

const ANN = 'ann@example.org'
const call = { id: 'c1', tool: 'mail', input: { to: ANN } }

/** One of everything that there is to write of. */
async function everything(middleware: Middleware, caller?: string): Promise<void> {
  const testedRun = testRun({ session: 'talk', ...(caller !== undefined && { caller }) })
  const { turn, permit } = compose([
    middleware,
    permissions({
      rules: [{ name: 'none', tools: 'mail', verdict: 'deny', reason: `not ${ANN}` }],
    }),
  ])
  await turn?.(
    { messages: [userMessage(`I am ${ANN}`)], history: Thread.of([]) },
    async () => ({ status: 'finished', reason: 'stop', text: `Hello ${ANN}` }),
    testedRun,
  )
  await permit?.({ type: 'call', call }, async () => ({ type: 'allow' }), testedRun)
  const model = modelOf(generated(`To ${ANN}`, { calls: [call] }), failed('auth', { message: ANN }))
  await modelThrough([middleware], model)(modelCall(), testedRun)
  await modelThrough([middleware], model)(modelCall({ model: 'b/c' }), testedRun)
  await toolThrough([middleware], async () => ({ type: 'ok', value: `sent to ${ANN}` }))(
    call,
    testedRun,
  )
  await toolThrough([middleware], async () => {
    await testedRun.clock.advance(20)
    return { type: 'error', code: 'TOOL_ERROR', message: ANN }
  })(call, testedRun)
}

test('[C-24] writes a record at each decision point, with numbers and names only', async () => {
  const log = memoryLog()
  await everything(logging(log))
  const place = { run: 'run-1', session: 'talk' }
  assert.deepEqual(
    log.records.map(({ level, event }) => [level, event]),
    [
      ['debug', 'turn.start'],
      ['info', 'turn.end'],
      ['info', 'permission'],
      ['debug', 'model.start'],
      ['info', 'model.end'],
      ['debug', 'model.start'],
      ['warning', 'model.end'],
      ['debug', 'tool.start'],
      ['info', 'tool.end'],
      ['debug', 'tool.start'],
      ['warning', 'tool.end'],
    ],
  )
  const ends = log.records.filter(({ level }) => level !== 'debug').map(({ data }) => data)
  assert.deepEqual(ends, [
    { ...place, status: 'finished', reason: 'stop', ms: 0 },
    { ...place, request: 'call', call: 'c1', tool: 'mail', verdict: 'deny', rule: 'none' },
    {
      ...place,
      model: 'test/model',
      finish: 'stop',
      calls: ['mail'],
      tokens: { input: 10, output: 5 },
      cost: 0.01,
      ms: 0,
      asked: 'test/model',
    },
    {
      ...place,
      outcome: 'failed',
      code: 'auth',
      attempts: 1,
      retryable: false,
      ms: 0,
      asked: 'b/c',
    },
    { ...place, tool: 'mail', call: 'c1', ms: 0 },
    { ...place, tool: 'mail', outcome: 'error', code: 'TOOL_ERROR', call: 'c1', ms: 20 },
  ])
  assert.ok(!JSON.stringify(log.records).includes('ann'))
})

test('[C-24] treats call ids of a model and custom end reasons as content', async () => {
  const said = 'Ann lives here'
  const wordy = { id: said, tool: said, input: {} }
  const log = memoryLog()
  const testedRun = testRun()
  const { turn, permit } = compose([logging(log)])
  await turn?.(
    { messages: [], history: Thread.of([]) },
    async () => ({ status: 'finished', reason: said, text: said }),
    testedRun,
  )
  await permit?.({ type: 'call', call: wordy }, async () => ({ type: 'allow' }), testedRun)
  await modelThrough([logging(log)], modelOf(generated(said, { calls: [wordy] })))(
    modelCall(),
    testedRun,
  )
  await toolThrough([logging(log)], async () => ({ type: 'ok', value: said }))(wordy, testedRun)
  assert.equal(log.records.length, 7)
  assert.ok(!JSON.stringify(log.records).includes('Ann'))
})

test('[C-24] writes content on request, still redacted', async () => {
  const log = memoryLog()
  await everything(logging(log, { content: true }), ANN)
  const written = JSON.stringify(log.records)
  assert.ok(!written.includes(ANN))
  for (const said of ['I am ', 'Hello ', 'To ', 'sent to ', 'not ']) {
    assert.ok(written.includes(`${said}[redacted:email]`), said)
  }
  const open = memoryLog()
  await everything(logging(open, { content: true, redact: (value) => value }))
  assert.ok(JSON.stringify(open.records).includes(`I am ${ANN}`))
})

test('[C-24] its position decides between one record for all attempts and one for each', async () => {
  for (const [order, count] of [
    [(own: Middleware) => [own, retry({ retries: 1 })], 1],
    [(own: Middleware) => [retry({ retries: 1 }), own], 2],
  ] as const) {
    const log = memoryLog()
    const testedRun = testRun()
    const model = modelOf(failed('unavailable'), generated('yes'))
    const asking = modelThrough(order(logging(log)), model)(modelCall(), testedRun)
    await testedRun.clock.advance(0)
    await testedRun.clock.advance(10_000)
    await asking
    assert.equal(log.records.filter(({ event }) => event === 'model.end').length, count)
  }
})

test('[C-24] a log that throws changes nothing', async () => {
  const broken: Log = {
    write: () => {
      throw new Error('full')
    },
  }
  const asking = modelThrough([logging(broken)], modelOf(generated('yes')))
  assert.deepEqual(await asking(modelCall(), testRun()), generated('yes'))
})
