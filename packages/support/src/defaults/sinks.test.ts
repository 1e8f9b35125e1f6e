import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import type { ContractCase } from '../../../echelon/src/testing/contract.ts'
import { telemetrySinkContract } from '../testing/telemetry-sink-contract.ts'
import { MockSink } from '../mock-sink.ts'
import { STAGES, type TelemetryEvent } from '../primitives/telemetry-sink.ts'
import { PrintSink } from './print-sink.ts'
import { SQLiteSink } from './sqlite-sink.ts'

const folder = await mkdtemp(join(tmpdir(), 'echelon-stages-'))
const opened: SQLiteSink[] = []
after(async () => {
  for (const sink of opened) await sink.close()
  await rm(folder, { recursive: true })
})

let files = 0

function openSink(path = join(folder, `${files++}`, 'events.db')) {
  const problems: string[] = []
  const sink = new SQLiteSink(path, { onProblem: (sentence) => problems.push(sentence) })
  opened.push(sink)
  return { sink, problems, path }
}

function holds(what: string, cases: readonly ContractCase[]): void {
  describe(`[S-7] the contract of a telemetry sink: ${what}`, () => {
    for (const { name, holds } of cases) test(name, holds)
  })
}

holds(
  'a list',
  telemetrySinkContract(() => {
    const events: TelemetryEvent[] = []
    return { sink: new MockSink(events), kept: () => events.map((event) => JSON.stringify(event)) }
  }),
)

holds(
  'a stream',
  telemetrySinkContract(() => {
    const printed: string[] = []
    const stream = { write: (text: string): unknown => printed.push(text) }
    return {
      sink: new PrintSink(stream),
      kept: () => printed,
      obstruct: () => {
        stream.write = () => {
          throw new Error('write after end')
        }
      },
    }
  }),
)

holds(
  'a file',
  telemetrySinkContract(async () => {
    const { sink, path } = openSink()
    return {
      sink,
      async kept() {
        await sink.flush()
        using db = new DatabaseSync(path, { readOnly: true })
        return db
          .prepare('select * from events order by n')
          .all()
          .map((row) => JSON.stringify(row))
      },
      obstruct: async () => await writeFile(join(path, '..'), 'a file where the folder should be'),
    }
  }),
)

const event = (over: Partial<TelemetryEvent> = {}): TelemetryEvent => ({
  timestamp: '2025-10-18T09:30:00.000Z',
  session_id: 'test-1',
  interaction_id: 'i1',
  stage: 'intent_classified',
  level: 'info',
  payload: { intent_id: 'order_status', confidence: 0.98, params: { order_id: 'O-12345' } },
  ...over,
})

const printed = (one: TelemetryEvent): string => {
  const lines: string[] = []
  new PrintSink({ write: (text) => lines.push(text) }).record(one)
  return lines.join('')
}

test('[S-7] a stage is printed as one readable line', () => {
  assert.equal(
    printed(event()),
    '2025-10-18T09:30:00.000Z [test-1] intent_classified  intent_id=order_status confidence=0.98 params={"order_id":"O-12345"}\n',
  )
  assert.equal(
    printed(event({ stage: 'received', level: 'error', payload: {} })),
    '2025-10-18T09:30:00.000Z [test-1] received           ERROR\n',
  )
})

test('[S-7] printed text stays on one line, and cannot control the terminal', () => {
  const payload = { text: 'a\nb\u001B[2Jc\u202Ed\u2028e\u0007', long: 'x'.repeat(5000) }
  const line = printed(event({ session_id: 'one\ntwo\u001B]0;title\u0007', payload }))
  assert.equal(line.split('\n').length, 2)
  assert.doesNotMatch(line.slice(0, -1), /[\p{Cc}\p{Cf}\p{Zl}]/u)
  assert.ok(line.length < 1000)
})

test('[S-7] without a stream, prints to standard output', async (t) => {
  const lines: string[] = []
  t.mock.method(process.stdout, 'write', (text: string) => lines.push(text) > 0)
  new PrintSink().record(event())
  t.mock.restoreAll()
  assert.equal(lines.length, 1)
})

test("[S-7] the file returns a session's events, also to the next process", async () => {
  const { sink, path, problems } = openSink()
  const mine = STAGES.map((stage) => event({ stage, session_id: 'mine' }))
  for (const one of mine) {
    sink.record(one)
    sink.record(event({ session_id: 'other' }))
  }
  assert.deepEqual(await sink.events('mine'), mine)
  assert.deepEqual(await sink.events('nobody'), [])
  await sink.close()
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  const next = openSink(path).sink
  assert.equal((await next.events('other')).length, STAGES.length)
  next.record(event({ session_id: 'mine', level: 'warning' }))
  assert.equal((await next.events('mine')).length, STAGES.length + 1)
  assert.deepEqual(problems, [])
})

test('[S-7] two processes write the same file at once', async () => {
  const { sink, path } = openSink()
  const other = openSink(path).sink
  for (let nth = 0; nth < 50; nth++) {
    sink.record(event({ payload: { nth } }))
    other.record(event({ payload: { nth } }))
    if (nth % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all([sink.flush(), other.flush()])
  assert.equal((await sink.events('test-1')).length, 100)
})

test('[S-7] a file that cannot be written is reported once, and written once it can be', async () => {
  const { sink, path, problems } = openSink()
  const place = join(path, '..')
  await writeFile(place, 'a file where the folder should be')
  for (let nth = 0; nth < 3; nth++) {
    sink.record(event({ payload: { nth } }))
    await sink.flush()
  }
  assert.equal(problems.length, 1)
  assert.match(problems[0] ?? '', /^events cannot be written to .*events\.db \(.*\); they wait/)
  await rm(place)
  assert.equal((await sink.events('test-1')).length, 3, 'nothing is lost')
  assert.equal(problems.length, 1)
})

test('[S-7] a file that accepts nothing for a while is reported once, and the oldest waiting events are dropped first', async () => {
  const problems: string[] = []
  const path = join(folder, 'full', 'events.db')
  const onProblem = (sentence: string): void => void problems.push(sentence)
  const sink = new SQLiteSink(path, { onProblem, mostWaiting: 5 })
  opened.push(sink)
  sink.record(event({ payload: { nth: 'first' } }))
  await sink.flush()
  const lock = new DatabaseSync(path)
  lock.exec('begin immediate')
  for (let nth = 0; nth < 8; nth++) sink.record(event({ payload: { nth } }))
  await sink.flush()
  assert.equal(problems.length, 1)
  lock.exec('rollback')
  lock.close()
  const kept = await sink.events('test-1')
  assert.deepEqual(
    kept.map(({ payload }) => payload['nth']),
    ['first', 3, 4, 5, 6, 7],
  )
  const listening = new SQLiteSink(join(folder, 'full', 'events.db', 'x'), {
    onProblem: () => {
      throw new Error('a listener that fails')
    },
  })
  listening.record(event())
  await listening.flush()
})

test("[S-7] another program's file is not written", async () => {
  const { sink, path, problems } = openSink(join(folder, 'foreign.db'))
  const foreign = new DatabaseSync(path)
  foreign.exec('create table mine (x); pragma user_version = 1')
  foreign.close()
  sink.record(event())
  await sink.flush()
  assert.match(problems[0] ?? '', /is a database of another program/)
  await assert.rejects(sink.events('test-1'), { code: 'STORE_UNUSABLE' })
})
