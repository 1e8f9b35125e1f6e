import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { EchelonError } from '../../../core/value/error.ts'
import type { Json } from '../../../core/value/json.ts'
import type { ResultStore } from '../../../core/store/result-store.ts'
import { openStore } from '../../../../../store/src/sqlite/in-tests.ts'
import { SetClock } from '../../../testing/set-clock.ts'
import { type KeyedExecution, LastingKeys } from './lasting-keys.ts'

/** Simulates several processes on one store and one clock. */
class Scene {
  readonly clock: SetClock
  readonly results: ResultStore
  readonly begun: string[] = []
  readonly onRecord = new Set<string>()
  #runs = 0

  private constructor(clock: SetClock, results: ResultStore) {
    this.clock = clock
    this.results = results
  }

  static async open(): Promise<Scene> {
    const clock = new SetClock()
    return new Scene(clock, (await openStore(':memory:', { clock })).results)
  }

  process(more: Partial<KeyedExecution<Json>> = {}): KeyedExecution<Json> {
    return {
      input: 'input',
      newRun: () => `r${++this.#runs}`,
      signal: new AbortController().signal,
      execute: async (run) => {
        this.begun.push(run)
        return { result: Promise.resolve(`by ${run}`), partial: () => 'part' }
      },
      isBegun: async (run) => this.onRecord.has(run),
      nothingYet: () => 'nothing yet',
      keep: (result) => result !== 'canceled',
      read: (stored) => stored,
      ...more,
    }
  }

  begin(execution: KeyedExecution<Json>): ReturnType<LastingKeys<Json>['begin']> {
    return new LastingKeys<Json>(this.results, this.clock).begin('key', execution)
  }

  result(more: Partial<KeyedExecution<Json>> = {}): Promise<Json> {
    return this.clock.runUntil(this.begin(this.process(more)).result)
  }
}

const failing =
  (reason: Error): KeyedExecution<Json>['execute'] =>
  async () => ({ result: Promise.reject(reason), partial: () => 'part' })

const isError =
  (code: EchelonError['code']) =>
  (error: unknown): boolean =>
    error instanceof EchelonError && error.code === code

suite('executions by key, in all processes', () => {
  test('[DD-22] a later caller waits for the first and executes nothing', async () => {
    const it = await Scene.open()
    const first = Promise.withResolvers<Json>()
    const execute = async (): ReturnType<KeyedExecution<Json>['execute']> => ({
      result: first.promise,
      partial: () => 'part',
    })
    const began = it.begin(it.process({ execute }))
    const others = [it.begin(it.process()), it.begin(it.process())]
    for (let second = 0; second < 5; second++) await it.clock.advance(1000)
    assert.deepEqual([began.partial(), others[0]?.partial()], ['part', 'nothing yet'])
    first.resolve({ answer: 345 })
    for (const { result } of others) {
      assert.deepEqual(await it.clock.runUntil(result), { answer: 345 })
    }
    assert.deepEqual(it.begun, [])
    await assert.rejects(it.result({ input: 'another' }), isError('KEY_REUSED'))
  })

  test("[DD-22] a caller that stops waiting does not end another process's execution", async () => {
    const it = await Scene.open()
    const first = Promise.withResolvers<Json>()
    const execute = async (): ReturnType<KeyedExecution<Json>['execute']> => ({
      result: first.promise,
      partial: () => 'part',
    })
    const began = it.begin(it.process({ execute }))
    const leaving = new AbortController()
    const left = it.begin(it.process({ signal: leaving.signal }))
    await it.clock.advance(1000)
    leaving.abort()
    assert.equal(await left.result, 'nothing yet')
    first.resolve('whole')
    assert.equal(await began.result, 'whole')
    assert.equal(it.clock.pending, 0)
  })

  test('[DD-22] canceled executions, and those that failed before they began, are not kept', async () => {
    const it = await Scene.open()
    const canceled = async (): ReturnType<KeyedExecution<Json>['execute']> => ({
      result: Promise.resolve('canceled'),
      partial: () => 'part',
    })
    assert.equal(await it.result({ execute: canceled }), 'canceled')
    const missing = new EchelonError('MISSING_KEY', 'no key')
    await assert.rejects(it.result({ execute: failing(missing) }), missing)
    assert.equal(await it.result({ input: 'another' }), 'by r3')
  })

  test('[DD-22] a failed execution on record is resumed as the same run', async () => {
    const it = await Scene.open()
    it.onRecord.add('r1')
    const full = new EchelonError('JOURNAL_FAILED', 'the disk is full')
    await assert.rejects(it.result({ execute: failing(full) }), full)
    await assert.rejects(it.result({ input: 'another' }), isError('KEY_REUSED'))
    assert.equal(await it.result(), 'by r1')
  })

  test("[DD-22] while another process works on a dead process's run, the caller waits for its end", async () => {
    const it = await Scene.open()
    it.onRecord.add('r1')
    let busy = 3
    const execute: KeyedExecution<Json>['execute'] = async (run) => {
      const other = new EchelonError('RUN_BUSY', 'a live process works on it')
      const result = busy-- > 0 ? Promise.reject(other) : Promise.resolve(`end of ${run}`)
      return { result, partial: () => 'part' }
    }
    assert.equal(await it.result({ execute }), 'end of r1')
    assert.equal(busy, -1)
  })

  test('[DD-22] a process that stalled before the start, and finds the run begun, waits for its end', async () => {
    const it = await Scene.open()
    it.onRecord.add('r1')
    const begun = new EchelonError('INVALID_INPUT', 'there is one', { details: { run: 'r1' } })
    let tries = 0
    const execute: KeyedExecution<Json>['execute'] = async (run) => {
      const result = ++tries === 1 ? Promise.reject(begun) : Promise.resolve(`end of ${run}`)
      return { result, partial: () => 'part' }
    }
    assert.equal(await it.result({ execute }), 'end of r1')
    const other = new EchelonError('INVALID_INPUT', 'the question is not text')
    await assert.rejects((await Scene.open()).result({ execute: failing(other) }), other)
  })

  test('[DD-22] a run canceled before its process died is started again', async () => {
    const it = await Scene.open()
    const runs: string[] = []
    const execute: KeyedExecution<Json>['execute'] = async (run) => {
      runs.push(run)
      if (runs.length === 1) return undefined
      return { result: Promise.resolve(`by ${run}`), partial: () => 'part' }
    }
    assert.equal(await it.result({ execute }), 'by r2')
    assert.deepEqual(runs, ['r1', 'r2'])
  })
})
