import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import type { RunEnded } from '../../echelon/src/core/observability/run-record.ts'
import { daysIn } from './day.ts'
import { readUsage, usageFile } from './usage-file.ts'
import { usageIn, usageOf } from './usage-record.ts'

const ENDED: RunEnded = {
  type: 'run-ended',
  ts: '2026-11-22T08:00:00.000+07:00',
  runId: 'run-1',
  taskId: 'task-1',
  agent: 'decide',
  mode: 'fallback_only',
  finishReason: 'success',
  limit: null,
  verified: true,
  seconds: 1.23456,
  toolCalls: 3,
  actSteps: 2,
  rungs: [
    {
      tier: 'small',
      model: 'openai/tiny',
      llmCalls: 2,
      promptTokens: 700,
      completionTokens: 50,
      knownCost: 0.25,
      unpricedCalls: 0,
    },
    {
      tier: 'big',
      model: 'openai/large',
      llmCalls: 3,
      promptTokens: 1000,
      completionTokens: 100,
      knownCost: 0.5,
      unpricedCalls: 1,
    },
  ],
  artifacts: [{ name: 'plot of the secret plan.png', bytes: 10, sha256: 'ab' }],
}

function pathFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-usage-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'usage.jsonl')
}

const dayOf = daysIn('Asia/Bangkok')

suite('a usage record', () => {
  test('[R20.1, R20.2, R20.3] reports calls, tokens and cost per rung and in total', () => {
    assert.deepEqual(usageOf(ENDED), {
      kind: 'usage',
      ts: '2026-11-22T08:00:00.000+07:00',
      run_id: 'run-1',
      mode: 'fallback_only',
      finish_reason: 'success',
      verified: true,
      seconds: 1.235,
      tool_calls: 3,
      act_steps: 2,
      rungs: [
        {
          tier: 'small',
          model: 'openai/tiny',
          llm_calls: 2,
          prompt_tokens: 700,
          completion_tokens: 50,
          cost: 0.25,
          known_cost: 0.25,
          unpriced_calls: 0,
        },
        {
          tier: 'big',
          model: 'openai/large',
          llm_calls: 3,
          prompt_tokens: 1000,
          completion_tokens: 100,
          cost: null,
          known_cost: 0.5,
          unpriced_calls: 1,
        },
      ],
      total_tokens: 1850,
      cost: null,
    })
  })

  test('reports the purpose of a run other than its answer', () => {
    const evaluated = usageOf(ENDED, 'evaluation')
    assert.deepEqual(evaluated, { ...usageOf(ENDED), purpose: 'evaluation' })
    assert.deepEqual(usageIn(JSON.stringify(evaluated)), evaluated)
    assert.equal(usageIn(JSON.stringify({ ...evaluated, purpose: 1 })), 'it is not a usage record')
  })

  test('an unknown price makes the cost unknown, never 0', () => {
    const [small] = ENDED.rungs
    assert.ok(small !== undefined)
    assert.equal(usageOf({ ...ENDED, rungs: [small] }).cost, 0.25)
    const unknown = { ...small, knownCost: 0, unpricedCalls: 1 }
    assert.equal(usageOf({ ...ENDED, rungs: [small, unknown] }).cost, null)
  })
})

suite('the usage file', () => {
  test('[R20.5, DD-28] reads back what was written, and is private to its owner', async (t) => {
    const path = pathFor(t)
    const usage = usageOf(ENDED)
    usageFile(path).add(usage)
    usageFile(path).add({ ...usage, run_id: 'run-2' })
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const { records, unreadable } = await readUsage(path)
    assert.deepEqual(records, [usage, { ...usage, run_id: 'run-2' }])
    assert.deepEqual(unreadable, [])
    assert.deepEqual(await readUsage(`${path}.not`), { records: [], unreadable: [] })
    symlinkSync(path, `${path}.link`)
    assert.throws(() => usageFile(`${path}.link`).add(usage))
  })

  test('reports and skips a torn or foreign line, and reads on', async (t) => {
    const path = pathFor(t)
    const book = usageFile(path)
    const usage = usageOf(ENDED)
    book.add(usage)
    truncateSync(path, statSync(path).size - 20)
    book.add({ ...usage, run_id: 'run-2' })
    appendFileSync(path, '{"kind":"log"}\n\u0000\n[]\n')
    book.add({ ...usage, run_id: 'run-3' })
    const { records, unreadable } = await readUsage(path)
    assert.deepEqual(
      records.map(({ run_id }) => run_id),
      ['run-2', 'run-3'],
    )
    assert.deepEqual(
      unreadable.map(({ line }) => line),
      [1, 3, 4, 5],
    )
    for (const { reason } of unreadable) assert.match(reason, /^it is not (JSON|a usage record)/)
    assert.equal(book.costOn('2026-11-22', dayOf).known, 1.5)
  })

  test('skips an empty line, which a process adds while another is writing', async (t) => {
    const path = pathFor(t)
    const usage = usageOf(ENDED)
    usageFile(path).add(usage)
    appendFileSync(path, '\n')
    usageFile(path).add({ ...usage, run_id: 'run-2' })
    const { records, unreadable } = await readUsage(path)
    assert.deepEqual([records.length, unreadable], [2, []])
    assert.equal(usageFile(path).costOn('2026-11-22', dayOf).known, 1.5)
  })

  test('property: any line can be read, and only a complete record counts', () => {
    const line = JSON.stringify(usageOf(ENDED))
    fc.assert(
      fc.property(fc.nat(line.length - 2), (length) => {
        assert.equal(typeof usageIn(line.slice(0, length + 1)), 'string')
      }),
    )
    const names = Object.keys(usageOf(ENDED))
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
        const read = usageIn(JSON.stringify({ ...usageOf(ENDED), [name]: value }))
        if (typeof read !== 'string') assert.deepEqual(usageIn(JSON.stringify(read)), read)
      }),
    )
    assert.equal(typeof usageIn(line.replace('"ts":"2026', '"ts":"someday 2026')), 'string')
    assert.equal(typeof usageIn(line.replace('"llm_calls":2', '"llm_calls":-2')), 'string')
  })

  test('the last record of a resumed run counts', async (t) => {
    const path = pathFor(t)
    const book = usageFile(path)
    const [small] = ENDED.rungs
    assert.ok(small !== undefined)
    const failed = usageOf({ ...ENDED, finishReason: 'failed', rungs: [small] })
    book.add(failed)
    book.add({ ...failed, run_id: 'run-2' })
    assert.equal(book.costOn('2026-11-22', dayOf).known, 0.5)
    book.add(usageOf(ENDED))
    const { records } = await readUsage(path)
    assert.deepEqual(
      records.map(({ run_id, finish_reason }) => [run_id, finish_reason]),
      [
        ['run-2', 'failed'],
        ['run-1', 'success'],
      ],
    )
    for (const one of [book, usageFile(path)]) {
      assert.deepEqual(one.costOn('2026-11-22', dayOf), { known: 1, unpricedCalls: 1 })
    }
  })

  test('property: the cost of a day is the sum of its runs from all processes', (t) => {
    const path = pathFor(t)
    const [small] = ENDED.rungs
    assert.ok(small !== undefined)
    let run = 0
    const sums = new Map<string, number>()
    const book = usageFile(path)
    // Timestamps increase; half dollars add up exactly.
    for (const day of ['2026-11-20', '2026-11-21', '2026-11-22']) {
      fc.assert(
        fc.property(fc.nat(9), fc.boolean(), (halves, fresh) => {
          const rungs = [{ ...small, knownCost: halves / 2 }]
          const runId = `run-${++run}`
          usageFile(path).add(usageOf({ ...ENDED, ts: `${day}T12:00:00.000Z`, runId, rungs }))
          sums.set(day, (sums.get(day) ?? 0) + halves / 2)
          const asked = fresh ? usageFile(path) : book
          assert.equal(asked.costOn(day, daysIn('UTC')).known, sums.get(day))
        }),
        { numRuns: 30 },
      )
    }
    assert.equal(usageFile(path).costOn('2026-11-23', daysIn('UTC')).known, 0)
  })

  test('keeps everything that several processes add at the same time', async (t) => {
    const path = pathFor(t)
    const module = JSON.stringify(import.meta.resolve('./usage-file.ts'))
    const code = `
      import { usageFile } from ${module}
      const [path, name, usage] = process.argv.slice(1)
      const book = usageFile(path)
      for (let i = 0; i < 50; i++) book.add({ ...JSON.parse(usage), run_id: name + i })`
    const usage = JSON.stringify(usageOf(ENDED))
    const options = ['--conditions=echelon-source', '--input-type=module']
    const children = ['a', 'b', 'c'].map((name) =>
      spawn(process.execPath, [...options, '--eval', code, path, name, usage]),
    )
    await Promise.all(children.map((child) => once(child, 'exit')))
    const { records, unreadable } = await readUsage(path)
    assert.deepEqual([records.length, unreadable.length], [150, 0])
  })
})
