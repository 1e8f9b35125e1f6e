import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { EchelonError } from '../../../echelon/src/core/value/error.ts'
import { DEFAULT_INTENT } from '../intent/intent.ts'
import { NO_EVALUATIONS } from '../evaluation/kept-evaluations.ts'
import { evaluationsValue, plansValue } from '../session/memory-values.ts'
import { DEFAULT_PLAN } from '../plan/planner.ts'
import { memoryFolder, type MemoryFolder, type MemoryFolderOptions } from './memory-folder.ts'

function folder(t: TestContext, options: MemoryFolderOptions = {}): MemoryFolder {
  const path = mkdtempSync(join(tmpdir(), 'memory-folder-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return memoryFolder(join(path, 'memory'), options)
}

const says = (code: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof EchelonError)
  assert.equal(error.code, code)
  assert.match(error.message, message)
  return true
}

const NOW = Date.UTC(2026, 5, 1)
const PLANS = plansValue({ current_plan: DEFAULT_PLAN, revision_history: [] })

const evaluation = (daysAgo: number, outcome = 'on_intent: listen') => ({
  timestamp: new Date(NOW - daysAgo * 86_400_000).toISOString(),
  outcome,
  matched_intent: true,
  revision_triggered: false,
  target: 'planner' as const,
})

describe('intent.json', () => {
  test('[L-1] [L-2] is written only by init, with the document’s shape and values', async (t) => {
    const memory = folder(t)
    assert.deepEqual(await memory.read('intent'), { value: null, version: 0 })
    assert.deepEqual(await memory.intent(), DEFAULT_INTENT)
    assert.throws(() => statSync(memory.path))
    assert.deepEqual([await memory.init(), await memory.init()], [true, false])
    const text = readFileSync(memory.intentFile, 'utf8')
    assert.deepEqual(JSON.parse(text), DEFAULT_INTENT)
    assert.ok(text.split('\n').length < 20)
    assert.equal(statSync(memory.intentFile).mode & 0o777, 0o600)
    assert.equal(statSync(memory.path).mode & 0o777, 0o700)
  })

  test('[L-2] is never written by a run; setIntent is the user’s act', async (t) => {
    const memory = folder(t)
    await assert.rejects(
      memory.write('intent', { ...DEFAULT_INTENT }, { key: 'k' }),
      says('NOT_PERMITTED', /runs cannot write the intent/),
    )
    const first = await memory.setIntent({ ...DEFAULT_INTENT, current_success: 'Be calm' })
    const second = await memory.setIntent({ ...DEFAULT_INTENT, current_success: 'Be calmer' })
    assert.ok(second > first)
    assert.equal((await memory.intent()).current_success, 'Be calmer')
    assert.equal((await memory.read('intent')).version, second)
  })

  test('[L-2] accepts 49 lines and refuses 50, by hand and through setIntent', async (t) => {
    const memory = folder(t)
    const lines = (count: number): string => {
      const stars = Array.from({ length: count - 8 }, (_, at) => `    "star ${at}"`)
      const { north_stars: _, current_success: success, ...rest } = DEFAULT_INTENT
      const tail = Object.entries(rest).map(
        ([key, value]) => `  "${key}": ${JSON.stringify(value)}`,
      )
      const head = ['{', `  "current_success": ${JSON.stringify(success)},`, '  "north_stars": [']
      return [...head, stars.join(',\n'), '  ],', tail.join(',\n'), '}', ''].join('\n')
    }
    const good = lines(49)
    assert.equal(good.trimEnd().split('\n').length, 49)
    await memory.setIntent(good)
    assert.equal(readFileSync(memory.intentFile, 'utf8'), good)
    await assert.rejects(memory.setIntent(lines(50)), says('INVALID_INPUT', /fewer than 50 lines/))
    writeFileSync(memory.intentFile, lines(50))
    await assert.rejects(memory.read('intent'), says('INVALID_INPUT', /json:50: .*has 50;/))
  })

  test('[L-1] reports an error with its line, and never writes over it', async (t) => {
    const memory = folder(t)
    await memory.init()
    const text = readFileSync(memory.intentFile, 'utf8')
    const cases: readonly (readonly [string, RegExp])[] = [
      [text.replace('"non_goals"', '"nongoals"'), /json:4: nongoals is not known here/],
      [text.replace('"Be a', '7, "Be a'), /json:3: this is not JSON/],
      [
        text.replace(/"current_success": .*,/, '"current_success": 7,'),
        /json:3: current_success: /,
      ],
      [text.replace('"non_goals"', '"north_stars"'), /json:4: .*unique/],
      [
        `${text.trimEnd().slice(0, -2)},\n"patterns": {"x": ["a"]}}`,
        /x is neither a non-goal nor a stop/,
      ],
      [
        `${text.trimEnd().slice(0, -2)},\n"patterns": {"sycophancy": ["("]}}`,
        /json:\d+: patterns.sycophancy.0: the pattern is not a regular expression/,
      ],
      [text.slice(0, 40), /this is not JSON/],
      ['', /this is not JSON/],
    ]
    for (const [wrong, message] of cases) {
      writeFileSync(memory.intentFile, wrong)
      await assert.rejects(memory.intent(), says('INVALID_INPUT', message))
      assert.equal(readFileSync(memory.intentFile, 'utf8'), wrong)
    }
    assert.equal(await memory.init(), false)
  })

  test('reports an edit that another one overtook, and changes nothing', async (t) => {
    const memory = folder(t)
    await memory.init()
    const before = await memory.intentText()
    await memoryFolder(memory.path).setIntent({ ...DEFAULT_INTENT, current_success: 'Theirs' })
    const mine = before.replace('cognitive', 'silent')
    await assert.rejects(
      memory.setIntent(mine, { ifText: before }),
      says('INVALID_INPUT', /changed by somebody else meanwhile/),
    )
    assert.equal((await memory.intent()).current_success, 'Theirs')
  })
})

describe('[L-4] plans.json', () => {
  test('holds the document’s fields in readable form', async (t) => {
    const memory = folder(t)
    await memory.write('plans', PLANS, { key: 'k' })
    const text = readFileSync(join(memory.path, 'plans.json'), 'utf8')
    assert.deepEqual(JSON.parse(text), PLANS)
    assert.match(text, /"constraints": \["no tactical without strategic context"\]/)
  })

  test('keeps the last 50 revisions', async (t) => {
    const memory = folder(t)
    const revision_history = Array.from({ length: 60 }, (_, at) => ({
      timestamp: '2026-01-01T00:00:00Z',
      plan: DEFAULT_PLAN,
      reason: `reason ${at}`,
    }))
    const value = plansValue({ current_plan: DEFAULT_PLAN, revision_history })
    await memory.write('plans', value, { key: 'k' })
    const text = readFileSync(join(memory.path, 'plans.json'), 'utf8')
    assert.equal(text.match(/"reason \d+"/g)?.length, 50)
    assert.match(text, /"reason 59"/)
  })

  test('refuses to write over an invalid file, and refuses an invalid value', async (t) => {
    const memory = folder(t)
    await memory.write('plans', PLANS, { key: 'a' })
    const file = join(memory.path, 'plans.json')
    await assert.rejects(
      memory.write('plans', 7, { key: 'b' }),
      says('INVALID_INPUT', /the new plans/),
    )
    writeFileSync(file, '{ "current_plan": {} }')
    await assert.rejects(
      memory.write('plans', PLANS, { key: 'c' }),
      says('INVALID_INPUT', /json:1: /),
    )
    assert.equal(readFileSync(file, 'utf8'), '{ "current_plan": {} }')
  })
})

describe('[L-7] evaluations.json', () => {
  test('drops old and excess entries, and keeps the patterns', async (t) => {
    const memory = folder(t, { now: () => NOW, mostEvaluations: 3 })
    const patterns = { repeated_failures: ['tactical_drift'], successful_approaches: [] }
    const recent_evaluations = [40, 31, 29, 3, 2, 1].map((days) => evaluation(days))
    await memory.write('evaluations', evaluationsValue({ recent_evaluations, patterns }), {
      key: 'k',
    })
    const kept: unknown = JSON.parse(readFileSync(join(memory.path, 'evaluations.json'), 'utf8'))
    const last = [3, 2, 1].map((days) => evaluation(days))
    assert.deepEqual(kept, { recent_evaluations: last, patterns })
  })

  test('omits expired entries on read, without a write', async (t) => {
    let now = NOW
    const memory = folder(t, { now: () => now })
    const value = evaluationsValue({ ...NO_EVALUATIONS, recent_evaluations: [evaluation(1)] })
    await memory.write('evaluations', value, { key: 'k' })
    assert.deepEqual((await memory.read('evaluations')).value, value)
    now += 30 * 86_400_000
    assert.deepEqual((await memory.read('evaluations')).value, evaluationsValue(NO_EVALUATIONS))
  })
})

describe('writes of several processes', () => {
  test('a write over an unread version is a conflict; under its key it is done once', async (t) => {
    const mine = folder(t)
    const theirs = memoryFolder(mine.path)
    const first = await mine.write('plans', PLANS, { key: 'a', ifVersion: 0 })
    assert.equal(await theirs.write('plans', PLANS, { key: 'b', ifVersion: 0 }), 'conflict')
    const second = await theirs.write('plans', PLANS, { key: 'c', ifVersion: Number(first) })
    assert.ok(Number(second) > Number(first))
    assert.equal(await mine.write('plans', PLANS, { key: 'a', ifVersion: 0 }), first)
    assert.equal(await mine.write('plans', PLANS, { key: 'b', ifVersion: 0 }), 'conflict')
    assert.equal((await mine.read('plans')).version, second)
  })

  test('an edit by hand is a version of its own', async (t) => {
    const memory = folder(t)
    const version = Number(await memory.write('plans', PLANS, { key: 'a' }))
    const file = join(memory.path, 'plans.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"L3"', '"L4"'))
    assert.ok((await memory.read('plans')).version > version)
    assert.equal(await memory.write('plans', PLANS, { key: 'b', ifVersion: version }), 'conflict')
  })

  test('of many simultaneous writes over one version one succeeds, and nothing is left over', async (t) => {
    const memory = folder(t)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, nth) =>
        memoryFolder(memory.path).write('plans', PLANS, { key: `k${nth}`, ifVersion: 0 }),
      ),
    )
    assert.equal(answers.filter((answer) => answer !== 'conflict').length, 1)
    assert.deepEqual(readdirSync(memory.path).toSorted(), ['.versions.json', 'plans.json'])
  })

  test('a writer that died before the file was written has done nothing', async (t) => {
    const memory = folder(t)
    const first = Number(await memory.write('plans', PLANS, { key: 'a' }))
    const text = readFileSync(join(memory.path, 'plans.json'), 'utf8')
    const other = { ...PLANS, current_plan: { ...DEFAULT_PLAN, altitude: 'L4' } }
    const second = await memory.write('plans', other, { key: 'b', ifVersion: first })
    // Simulate a process that dies between the two files.
    writeFileSync(join(memory.path, 'plans.json'), text)
    assert.equal((await memory.read('plans')).version, first)
    assert.equal(await memory.write('plans', other, { key: 'b', ifVersion: first }), second)
    assert.deepEqual((await memory.read('plans')).value, other)
  })

  test('a memory of another name is refused', async (t) => {
    await assert.rejects(folder(t).read('other'), says('INVALID_INPUT', /intent, plans, eval/))
  })
})
