import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallTools } from '../../packages/echelon/src/core/agent/effect.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import {
  type Tool,
  ToolError,
  type ToolOutcome,
} from '../../packages/echelon/src/core/tool/tool.ts'
import { type Run, startRun } from '../../packages/echelon/src/runtime/run.ts'
import { asBound, scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import {
  callTools,
  generate,
  only,
  performing,
  settled,
  type Step,
  TextJournal,
  toEnd,
  tool,
  type World,
  world,
} from './kit.ts'

type Given = Omit<NonNullable<Parameters<typeof world>[0]>, 'tools'>

interface Trial extends World {
  readonly run: Run<readonly Observation[]>
  readonly seen: Promise<readonly Observation[]>
}

function trial(tools: readonly Tool[], steps: readonly Step[], given: Given = {}): Trial {
  const made = world({ ...given, tools })
  const run = startRun(performing(steps), null, made.services)
  return { ...made, run, seen: toEnd(run, made.clock).then(({ result }) => result) }
}

/** The outcomes of a run's only batch. */
async function outcomes(seen: Promise<readonly Observation[]>): Promise<readonly ToolOutcome[]> {
  const called = only(await seen)
  assert.ok(called.type === 'tools-called', called.type)
  return called.outcomes
}

/** A tool that takes the given milliseconds, and logs its start and end. */
function slowTool(
  log: string[] = [],
  more: Parameters<typeof tool>[2] = {},
): { tool: Tool; begin: (world: World) => void } {
  const later: { world?: World } = {}
  return {
    begin: (world) => void (later.world = world),
    tool: tool(
      'slow',
      async (input) => {
        log.push(`${String(input['id'])} begins`)
        await new Promise<void>((resolve) => later.world?.clock.after(Number(input['ms']), resolve))
        log.push(`${String(input['id'])} ends`)
        return String(input['id'])
      },
      more,
    ),
  }
}

const slow = (...durations: readonly number[]): [string, Json][] =>
  durations.map((ms, index) => ['slow', { id: index, ms }])
const values = (list: readonly ToolOutcome[]): readonly Json[] =>
  list.map((one) => (one.type === 'ok' ? one.value : one.type))
const kinds = (list: readonly ToolOutcome[]): readonly string[] =>
  list.map((one) => (one.type === 'error' ? one.code : one.type))

test('[R4.4] [R10.3] [DD-7] a tool that does not exist is UNKNOWN_TOOL, and the others run', async () => {
  const add = tool('add', () => 1)
  const { seen, run } = trial([add], [callTools([['read'], ['add']])])
  const [unknown, known] = await outcomes(seen)
  assert.deepEqual(unknown, {
    type: 'error',
    code: 'UNKNOWN_TOOL',
    message: 'there is no tool read',
  })
  assert.deepEqual(known, { type: 'ok', value: 1 })
  assert.equal(run.spent['tools'], 1)
})

test('[R7.3] calls are counted under the meter of their actor', async () => {
  const add = tool('add', () => 1)
  const actors = {
    all: { tools: ['add'] },
    verifier: { tools: ['add'], meters: 'checks' },
  } as const
  const steps = [callTools([['add'], ['add']]), callTools([['add']], { actor: 'verifier' })]
  const made = world({ tools: [add] })
  const run = startRun(performing(steps, actors), null, made.services)
  await toEnd(run, made.clock)
  assert.deepEqual([run.spent['tools'], run.spent['checks']], [2, 1])
})

test('[DD-26] calls start in plan order, at most `atOnce` at a time, with outcomes in plan order', async () => {
  const log: string[] = []
  const { tool: slower, begin } = slowTool(log)
  const made = trial([slower], [callTools(slow(300, 100, 200, 50, 10), { atOnce: 3 })])
  begin(made)
  assert.deepEqual(values(await outcomes(made.seen)), ['0', '1', '2', '3', '4'])
  assert.deepEqual(log, [
    '0 begins',
    '1 begins',
    '2 begins',
    '1 ends',
    '3 begins',
    '3 ends',
    '4 begins',
    '4 ends',
    '2 ends',
    '0 ends',
  ])
})

test('[R22.3] calls run one after the other by default', async () => {
  const log: string[] = []
  const { tool: slower, begin } = slowTool(log)
  const made = trial([slower], [callTools(slow(20, 10))])
  begin(made)
  await made.seen
  assert.deepEqual(log, ['0 begins', '0 ends', '1 begins', '1 ends'])
})

test('an empty batch has no outcomes, and atOnce 0 is one at a time', async () => {
  const empty = trial([], [callTools([], { atOnce: 3 })])
  assert.deepEqual(await outcomes(empty.seen), [])
  const add = tool('add', () => 1)
  const { seen } = trial([add], [callTools([['add'], ['add']], { atOnce: 0 })])
  assert.deepEqual(values(await outcomes(seen)), [1, 1])
})

test('[R21.3] a batch has a maximum of calls, and the rest is refused in plan order', async () => {
  for (const atOnce of [1, 2, 3]) {
    let calls = 0
    const add = tool('add', async () => ++calls)
    const batch = callTools([['add'], ['add'], ['add'], ['add']], { atOnce, most: 2 })
    const { seen, run } = trial([add], [batch])
    assert.deepEqual(kinds(await outcomes(seen)), ['ok', 'ok', 'refused', 'refused'])
    assert.equal(calls, 2, `${atOnce} at once`)
    assert.equal(run.spent['tools'], 2)
  }
})

test('[R21.3] the limit of tool calls holds over batches and under parallel calls', async () => {
  for (const atOnce of [1, 3]) {
    let calls = 0
    const add = tool('add', async () => ++calls)
    const batch = callTools([['add'], ['add'], ['add']], { atOnce })
    const { seen, run } = trial([add], [batch, batch], { limits: { tools: 4 } })
    const all = (await seen).flatMap((one) => (one.type === 'tools-called' ? one.outcomes : []))
    assert.deepEqual(kinds(all), ['ok', 'ok', 'ok', 'ok', 'refused', 'refused'])
    const last = all.at(-1)
    assert.ok(last?.type === 'refused' && last.limit === 'tools')
    assert.deepEqual([calls, run.spent['tools']], [4, 4])
  }
})

/** Fails so many times before it works. */
function flaky(
  failures: number,
  code: 'NET_TIMEOUT' | 'RATE_LIMIT' | 'TOOL_ERROR',
  more: Parameters<typeof tool>[2] = {},
): { tool: Tool; calls: () => number } {
  let calls = 0
  const run = (): Json => {
    if (++calls <= failures) throw new ToolError(code, `failure ${calls}`)
    return calls
  }
  return { tool: tool('read', run, more), calls: () => calls }
}

test('[R4.2] [R13.4] [R21.1] [DD-12] a network failure is retried after half a second, then one', async () => {
  for (const code of ['NET_TIMEOUT', 'RATE_LIMIT'] as const) {
    const { tool: read } = flaky(2, code, { retries: 2 })
    const { seen, run, clock, events } = trial([read], [callTools([['read']])])
    const began = clock.now()
    assert.deepEqual(values(await outcomes(seen)), [3])
    const took = clock.now() - began
    assert.ok(took >= 1200 && took <= 2300, String(took))
    assert.equal(run.spent['tools'], 3, 'each try counts')
    const waits = events.flatMap((event) => (event.type === 'retry-wait' ? [event.waitMs] : []))
    assert.equal(waits.length, 2)
    const [first = 0, second = 0] = waits
    assert.ok(first >= 400 && first <= 600 && second >= 800 && second <= 1200, waits.join())
    assert.equal(clock.pending, 0)
  }
})

test('[R21.2] [R21.5] a tool is retried as often as it allows, and its last failure stays', async () => {
  const { tool: read, calls } = flaky(9, 'NET_TIMEOUT', { retries: 1 })
  const { seen } = trial([read], [callTools([['read']])])
  assert.deepEqual(await outcomes(seen), [
    { type: 'error', code: 'NET_TIMEOUT', message: 'failure 2' },
  ])
  assert.equal(calls(), 2)
})

test('[DD-12] only network failures are retried, and never an acting tool', async () => {
  const broken = flaky(1, 'TOOL_ERROR', { retries: 2 })
  assert.deepEqual(kinds(await outcomes(trial([broken.tool], [callTools([['read']])]).seen)), [
    'TOOL_ERROR',
  ])
  const acting = flaky(1, 'NET_TIMEOUT', { retries: 2, does: 'acts' })
  assert.deepEqual(kinds(await outcomes(trial([acting.tool], [callTools([['read']])]).seen)), [
    'NET_TIMEOUT',
  ])
  assert.deepEqual([broken.calls(), acting.calls()], [1, 1])
})

test('[R21.3] retries do not exceed the limit of tool calls, nor that of the batch', async () => {
  const limited = flaky(9, 'NET_TIMEOUT', { retries: 5 })
  const one = trial([limited.tool], [callTools([['read']])], { limits: { tools: 2 } })
  assert.deepEqual(kinds(await outcomes(one.seen)), ['NET_TIMEOUT'])
  assert.equal(limited.calls(), 2)
  const most = flaky(9, 'NET_TIMEOUT', { retries: 5 })
  const two = trial([most.tool], [callTools([['read'], ['read']], { most: 3 })])
  assert.deepEqual(kinds(await outcomes(two.seen)), ['NET_TIMEOUT', 'refused'])
  assert.equal(most.calls(), 3)
})

test('[DD-13] the run’s time limit holds within a batch: late calls are not started', async () => {
  const log: string[] = []
  const { tool: slower, begin } = slowTool(log, { timeoutMs: 60_000 })
  const made = trial([slower], [callTools(slow(3000, 3000, 3000, 3000))], {
    limits: { seconds: 5 },
  })
  begin(made)
  const began = made.clock.now()
  assert.deepEqual(kinds(await outcomes(made.seen)), ['ok', 'refused', 'refused', 'refused'])
  assert.ok(made.clock.now() - began < 7000)
  assert.deepEqual(log, ['0 begins', '0 ends', '1 begins'])
  assert.equal(made.run.spent['seconds'], 5)
})

test('[DD-22] a cancel ends a batch: calls in flight are abandoned, no more start, finished ones are reported', async () => {
  const log: string[] = []
  const { tool: acting, begin } = slowTool(log, { does: 'acts' })
  const made = trial([acting], [callTools(slow(100, 9000, 100)), callTools(slow(1))])
  begin(made)
  while (!log.includes('1 begins')) await made.clock.advance(10)
  made.run.cancel()
  const [called, canceled, ...rest] = await made.seen
  assert.ok(called?.type === 'tools-called')
  assert.deepEqual(kinds(called.outcomes), ['ok', 'unknown', 'TOOL_ERROR'])
  assert.deepEqual(canceled, { type: 'canceled', by: 'user' })
  assert.deepEqual(rest, [])
  assert.ok(!log.includes('2 begins'))
})

test('[DD-22] a batch without any result after a cancel is reported as canceled', async () => {
  const { tool: slower, begin } = slowTool()
  const made = trial([slower], [callTools(slow(9000, 9000))])
  begin(made)
  await settled()
  made.run.cancel()
  assert.deepEqual(await made.seen, [{ type: 'canceled', by: 'user' }])
})

test('[DD-22] a cancel ends the wait for a retry', async () => {
  const { tool: read, calls } = flaky(9, 'NET_TIMEOUT', { retries: 5 })
  const { run, seen, clock } = trial([read], [callTools([['read']])])
  await settled()
  run.cancel()
  assert.deepEqual(await seen, [{ type: 'canceled', by: 'user' }])
  assert.deepEqual([calls(), run.spent['tools']], [1, 1])
  assert.equal(clock.pending, 0)
})

test('progress is emitted with its call', async () => {
  const file = tool('file', (_input, context) => {
    context.progress({ done: 0.5 })
    return null
  })
  const { seen, events } = trial([file], [callTools([['file']])])
  await seen
  const told = events.filter((event) => event.type === 'tool-progress')
  assert.deepEqual(only(told), {
    type: 'tool-progress',
    path: '',
    seq: 0,
    call: 'c0',
    data: { done: 0.5 },
  })
})

test('files are recorded with the call that made them', async () => {
  const file = tool('file', async (input, { artifacts }) => {
    await artifacts.write(String(input['name']), new Uint8Array(4))
    return null
  })
  const names = ['a.svg', 'b.svg']
  const { seen } = trial(
    [file],
    [
      callTools(
        names.map((name) => ['file', { name }]),
        { atOnce: 2 },
      ),
    ],
  )
  const made = (await outcomes(seen)).map((one) => one.type === 'ok' && one.artifacts)
  assert.deepEqual(
    made,
    names.map((name) => [
      {
        name,
        path: `/artifacts/${name}`,
        mediaType: 'application/octet-stream',
        bytes: 4,
        sha256: '0'.repeat(64),
      },
    ]),
  )
})

test('[DD-16] the key of a call is the same over retries, and unique in the run', async () => {
  const keys: string[] = []
  let calls = 0
  const put = tool(
    'put',
    (_input, { key }) => {
      keys.push(key)
      if (++calls === 1) throw new ToolError('NET_TIMEOUT', 'once')
      return null
    },
    { does: 'idempotent', retries: 1 },
  )
  const batch = callTools([['put'], ['put']])
  const { seen, run } = trial([put], [batch, batch])
  await seen
  assert.deepEqual(
    keys,
    ['0:0', '0:0', '0:1', '1:0', '1:1'].map((place) => `${run.id}:${place}`),
  )
})

test('parallel batches of one step have separate keys, intents and outcomes', async () => {
  const keys: string[] = []
  const act = tool(
    'act',
    (input, { key }) => {
      keys.push(key)
      return String(input['what'])
    },
    { does: 'acts' },
  )
  const journal = new TextJournal()
  const pair = (what: string): CallTools =>
    callTools([
      ['act', { what: `${what}1` }],
      ['act', { what: `${what}2` }],
    ])
  const { seen } = trial([act], [{ type: 'together', effects: [pair('a'), pair('b')] }], {
    journal,
  })
  const together = only(await seen)
  assert.ok(together.type === 'together')
  const told = together.observations.map(
    (one) => one.type === 'tools-called' && values(one.outcomes),
  )
  assert.deepEqual(told, [
    ['a1', 'a2'],
    ['b1', 'b2'],
  ])
  assert.equal(new Set(keys).size, 4)
  const settledCalls = journal
    .read()
    .flatMap((entry) => (entry.type === 'settled' ? [entry.call] : []))
  assert.deepEqual(new Set(settledCalls), new Set([0, 1, 2, 3]))
})

test('a tool that acts or is idempotent is recorded before it runs, and its outcome before the next call', async () => {
  const journal = new TextJournal()
  const onRecord: string[] = []
  const act = tool(
    'act',
    () => {
      onRecord.push(
        journal
          .read()
          .map(({ type }) => type)
          .join(' '),
      )
      return null
    },
    { does: 'acts' },
  )
  const put = tool(
    'put',
    () => {
      onRecord.push(
        journal
          .read()
          .map(({ type }) => type)
          .join(' '),
      )
      return null
    },
    { does: 'idempotent' },
  )
  const { seen, run } = trial([act, put], [callTools([['act'], ['put'], ['act']])], { journal })
  await seen
  assert.deepEqual(onRecord, [
    'started intended',
    'started intended settled intended',
    'started intended settled intended settled intended',
  ])
  assert.deepEqual(journal.read().slice(1, 3), [
    { type: 'intended', path: '', seq: 0, call: 0, key: `${run.id}:0:0` },
    { type: 'settled', path: '', seq: 0, call: 0, outcome: { type: 'ok', value: null } },
  ])
})

test('a reading tool has no entry of its own', async () => {
  const journal = new TextJournal()
  const add = tool('add', () => 1)
  const { seen } = trial([add], [callTools([['add'], ['add']])], { journal })
  await seen
  assert.deepEqual(
    journal.read().map(({ type }) => type),
    ['started', 'closed', 'ended'],
  )
})

test('a model and tools in parallel share the ledger', async () => {
  const add = tool('add', () => 1)
  const together = {
    type: 'together',
    effects: [generate(), callTools([['add'], ['add']])],
  } as const
  const made = world({
    tools: [add],
    models: { small: asBound(scriptedModel(['345'])) },
    limits: { tools: 1, tokens: 5000 },
  })
  const run = startRun(performing([together]), null, made.services)
  const seen = only((await toEnd(run, made.clock)).result)
  assert.ok(seen.type === 'together')
  const [generated, called] = seen.observations
  assert.equal(generated?.type, 'generated')
  assert.ok(called?.type === 'tools-called')
  assert.deepEqual(kinds(called.outcomes), ['ok', 'refused'])
})
