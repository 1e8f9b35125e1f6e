import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type CaseResult,
  createReloadingDecider,
  type ReloadingDecider,
} from '../../packages/echelon/src/decide.ts'
import { createRegistry } from '../../packages/echelon/src/providers/registry.ts'
import { asBound, scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import { IS_WHOLE } from '../share.ts'
import { calc, MATH_TASK, planOf, TOOLS } from './fixtures.ts'

/** The small model plans wrong as long as it has calls; the number of calls shows its limit. */
const configWith = (calls: number): string => `
models: {small_model: scripted/slow, big_model: scripted/slow}
budget: {max_llm_calls_small: ${calls}, max_llm_calls_big: 1, max_tool_calls: 99, max_checks: 99}
act: {max_steps: 99, no_progress_patience: 99}
`
const WRONG_PLAN = planOf(calc('1 + 1'))

const INVALID = [configWith(-1), 'budget: [', configWith(1).replace('models', 'model'), '- x']

interface World {
  readonly decider: ReloadingDecider
  /** Writes the file and waits until the change is noticed. */
  readonly change: (text: string) => Promise<void>
  /** Writes the file without waiting. */
  readonly put: (text: string) => void
  /** The calls of a valid configuration, or `invalid`, in the order of notification. */
  readonly told: (number | 'invalid')[]
  /** Holds back every answer of the model until then. */
  readonly release: () => void
  /** Calls of the model. */
  readonly calls: readonly unknown[]
}

async function world(t: TestContext, isHeld = false): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-reload-'))
  const file = join(folder, 'config.yaml')
  const told: (number | 'invalid')[] = []
  const put = (text: string): void => {
    writeFileSync(`${file}~`, text)
    renameSync(`${file}~`, file)
  }
  put(configWith(1))
  const gate = Promise.withResolvers<void>()
  if (!isHeld) gate.resolve()
  const model = scriptedModel(
    Array.from({ length: 5000 }, () => ({ text: WRONG_PLAN, delayMs: 1 })),
    { sleep: () => gate.promise.then(() => wait(1)) },
  )
  const provider = {
    key: 'scripted',
    summary: 'a slow model',
    models: [],
    load: () => Promise.resolve(asBound(model, 'scripted/slow')),
  }
  const decider = await createReloadingDecider(
    {
      file,
      env: {},
      settleMs: 5,
      onChange: ({ settings }) => void told.push(settings.budget.max_llm_calls_small),
      onInvalid: () => void told.push('invalid'),
    },
    {
      registry: createRegistry({ scripted: () => Promise.resolve(provider) }),
      tools: TOOLS,
      artifacts: folder,
    },
  )
  t.after(() => {
    decider.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const change = async (text: string): Promise<void> => {
    const before = told.length
    put(text)
    while (told.length === before) await wait(2)
  }
  return { decider, change, put, told, release: () => gate.resolve(), calls: model.calls }
}

const callsOf = ({ config }: ReloadingDecider): number => config.settings.budget.max_llm_calls_small

interface Running {
  /** The configuration at the start. */
  readonly limit: number
  readonly result: Promise<CaseResult>
}

async function allKeptTheirLimits(running: readonly Running[]): Promise<void> {
  const results = await Promise.all(running.map(({ result }) => result))
  assert.deepEqual(
    results.map(({ counters, finish_reason }) => [counters.llm_calls_small, finish_reason]),
    running.map(({ limit }) => [limit, 'big_fail']),
  )
}

/** Changes under load. */
const ROUNDS = IS_WHOLE ? 150 : 40

/** A change that goes unnoticed must end the tests, which wait for it. */
const GUARD = { timeout: 120_000 }

suite('[DD-17] a decider that follows its configuration', GUARD, () => {
  test('lets each run keep its initial configuration, despite later changes', async (t) => {
    const { decider, change, told, release } = await world(t, true)
    const texts = [2, 'invalid', 3, 'invalid', 1, 4, 'invalid', 2] as const
    const running: Running[] = []
    const begin = (): void => {
      for (let each = 0; each < 12; each++) {
        running.push({ limit: callsOf(decider), result: decider.runCase(MATH_TASK) })
      }
    }
    begin()
    let last = 1
    for (const [index, text] of texts.entries()) {
      await change(text === 'invalid' ? (INVALID[index % INVALID.length] ?? '') : configWith(text))
      if (text !== 'invalid') last = text
      assert.equal(callsOf(decider), last)
      begin()
    }
    release()
    await allKeptTheirLimits(running)
    assert.deepEqual(told, texts)
    assert.equal(new Set(running.map(({ limit }) => limit)).size, 4)
  })

  test('under load: cases end while the file changes faster', async (t) => {
    const { decider, put, told } = await world(t)
    const running: Running[] = []
    for (let round = 0; round < ROUNDS; round++) {
      put(round % 3 === 2 ? (INVALID[round % INVALID.length] ?? '') : configWith(1 + (round % 5)))
      for (let each = 0; each < 2; each++) {
        running.push({ limit: callsOf(decider), result: decider.runCase(MATH_TASK) })
      }
      await wait(3)
    }
    await allKeptTheirLimits(running)
    // A limit that no round had.
    put(configWith(6))
    while (callsOf(decider) !== 6) await wait(2)
    assert.equal(told.at(-1), 6)
  })

  test('keeps idempotency keys across changes', async (t) => {
    const { decider, change, release, calls } = await world(t, true)
    const key = { idempotencyKey: 'order-1' }
    const first = decider.runCase(MATH_TASK, key)
    await change(
      `${configWith(3)}\nrun: {mode: fallback_only}`.replace('max_steps: 99', 'max_steps: 1'),
    )
    const second = decider.runCase(MATH_TASK, key)
    release()
    assert.equal(await first, await second)
    await change(configWith(2))
    const made = calls.length
    assert.equal(await decider.runCase(MATH_TASK, key), await first)
    assert.deepEqual([made, calls.length], [2, 2])
    await assert.rejects(decider.runCase('What is 1 + 1?', key), { code: 'KEY_REUSED' })
  })

  test('rejects a configuration that it could not be built from', async (t) => {
    const { decider, change, told } = await world(t)
    await change(`${configWith(2)}\ntools: {ploter: {retries: 1}}`)
    assert.deepEqual([told, callsOf(decider)], [['invalid'], 1])
    await change(`${configWith(2)}\ntools: {plotter: {retries: 1}}`)
    assert.equal(callsOf(decider), 2)
  })

  test('can be watched through a run, and closed', async (t) => {
    const { decider } = await world(t)
    const { result, run } = await decider.start(MATH_TASK)
    decider.close()
    assert.equal((await result).run_id, run.id)
  })
})
