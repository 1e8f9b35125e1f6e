import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { condensed } from '../../packages/echelon/src/core/journal/condensed.ts'
import type { Effect } from '../../packages/echelon/src/core/agent/effect.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { MemoryStore } from '../../packages/echelon/src/core/agent/ports.ts'
import { Thread, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { forkRun } from '../../packages/echelon/src/runtime/journal/fork-run.ts'
import { listSteps } from '../../packages/echelon/src/runtime/journal/journaled-steps.ts'
import { replayRun, stateAt } from '../../packages/echelon/src/runtime/journal/replay.ts'
import { resumeRun } from '../../packages/echelon/src/runtime/resume.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import { openStore } from '@echelon/store'
import { KeptJournal } from './kept-journal.ts'
import { ask, callTools, performing, settled, type Step, tool, world, type World } from './kit.ts'

/** External effects of all runs. */
interface Outside {
  readonly acts: Json[]
  readonly reads: Json[]
  readonly notes: Json[]
}

function outside(journal: Journal): { readonly at: World; readonly done: Outside } {
  const done: Outside = { acts: [], reads: [], notes: [] }
  const act = tool(
    'act',
    ({ on }) => {
      done.acts.push(String(on))
      return `act ${done.acts.length}`
    },
    { does: 'acts' },
  )
  const read = tool('read', ({ on }) => {
    done.reads.push(String(on))
    return `read ${done.reads.length}`
  })
  const memory: MemoryStore = {
    read: async () => ({ value: done.notes.at(-1) ?? null, version: done.notes.length }),
    write: async (_memory, value) => done.notes.push(value),
  }
  return { at: world({ journal, memory, tools: [act, read] }), done }
}

const actOn = (on: string): Effect => callTools([['act', { on }]])
const recall: Effect = { type: 'recall', actor: 'all', memory: 'notes' }
const remember = (value: Json): Effect => ({
  type: 'remember',
  actor: 'all',
  memory: 'notes',
  value,
})

const STEPS: readonly Step[] = [
  actOn('one'),
  callTools([['read', { on: 'a' }]]),
  remember('first'),
  actOn('two'),
  recall,
  callTools([
    ['read', { on: 'b' }],
    ['act', { on: 'three' }],
  ]),
  remember('second'),
]

async function whole(): Promise<{
  readonly journal: KeptJournal
  readonly at: World
  readonly done: Outside
}> {
  const journal = new KeptJournal()
  const { at, done } = outside(journal)
  await startRun(performing(STEPS), 'go', at.services, { runId: 'r' }).result
  return { journal, at, done }
}

describe('a fork', () => {
  test('is a separate run with the spending of the original, and repeats nothing', async () => {
    for (let step = 0; step <= STEPS.length; step++) {
      const { journal, at, done } = await whole()
      const before = structuredClone(done)
      const original = await startRun(
        performing(STEPS),
        'go',
        outside(new KeptJournal()).at.services,
      ).result
      const fork = forkRun(performing(STEPS), journal.read('r'), {
        services: at.services,
        at: step,
        runId: 'f',
      })
      assert.deepEqual((await fork.result).result, original.result)
      assert.deepEqual(done, before, `forked at ${step}`)
      assert.equal(fork.spent['steps'], STEPS.length)
      const [started] = journal.read('f')
      assert.ok(started?.type === 'started')
      const forkedAt = at.services.clock.now()
      assert.deepEqual(started.forkedFrom, { run: 'r', at: step, forkedAt })
      assert.equal(started.runId, 'f')
      assert.ok(!journal.types('f').includes('resumed'))
      assert.equal(journal.types('r').filter((type) => type === 'ended').length, 1)
      // The new journal is that of an ordinary run.
      const again = resumeRun(performing(STEPS), journal.read('f'), { services: at.services })
      assert.deepEqual((await again.result).result, original.result)
    }
  })

  test('may not act differently, unless the tool is named', async () => {
    const { journal, at, done } = await whole()
    const other = performing([...STEPS.slice(0, 3), actOn('four'), actOn('four')])
    const options = { services: at.services, at: 3 }
    const denied = await forkRun(other, journal.read('r'), { ...options, runId: 'f1' }).result
    assert.match(JSON.stringify(denied.result.at(-1)), /act is denied in a fork.*name it in act/)
    assert.equal(done.acts.length, 3)
    const allowed = { ...options, runId: 'f2', act: ['act'] }
    const acted = await forkRun(other, journal.read('r'), allowed).result
    assert.match(JSON.stringify(acted.result.at(-1)), /"ok","value":"act 5"/)
    assert.deepEqual(done.acts.slice(3), ['four', 'four'])
  })

  test('uses each recorded call once, also when another process resumes it', async () => {
    const { journal, at, done } = await whole()
    const twice = performing([...STEPS.slice(0, 3), actOn('two'), ask('go on?'), actOn('two')])
    const suspending = { ...at.services, suspend: { afterMs: 10 } }
    const options = { services: suspending, at: 3, runId: 'f' }
    const fork = forkRun(twice, journal.read('r'), options)
    await settled()
    await at.clock.advance(10)
    await assert.rejects(fork.result, { code: 'RUN_SUSPENDED' })
    journal.put('f', { type: 'replied', request: 'f:4', reply: 1, at: 1 })
    const again = resumeRun(twice, journal.read('f'), { services: at.services })
    const { result } = await again.result
    assert.match(JSON.stringify(result.at(3)), /"ok","value":"act 2"/)
    assert.match(JSON.stringify(result.at(-1)), /denied in a fork/)
    assert.equal(done.acts.length, 3)
  })

  test('may not act at all when the original run was deleted', async () => {
    const { journal, at, done } = await whole()
    const fork = forkRun(
      performing([...STEPS.slice(0, 3), ask('?'), actOn('two')]),
      journal.read('r'),
      {
        services: { ...at.services, suspend: { afterMs: 0 } },
        at: 3,
        runId: 'f',
      },
    )
    await settled()
    await at.clock.advance(10)
    await assert.rejects(fork.result, { code: 'RUN_SUSPENDED' })
    const gone: Journal = {
      append: (run, entries) => journal.append(run, entries),
      read: (run) => (run === 'r' ? [] : journal.read(run)),
    }
    journal.put('f', { type: 'replied', request: 'f:3', reply: 1, at: 1 })
    const services = { ...at.services, journal: gone }
    const steps = performing([...STEPS.slice(0, 3), ask('?'), actOn('two')])
    const { result } = await resumeRun(steps, journal.read('f'), { services }).result
    assert.match(JSON.stringify(result.at(-1)), /denied in a fork/)
    assert.equal(done.acts.length, 3)
  })

  test('writes only memories that are named; reads return the recorded values', async () => {
    const { journal, at, done } = await whole()
    const other = performing([...STEPS.slice(0, 5), remember('other'), recall])
    const options = { services: at.services, at: 4 }
    const kept = await forkRun(other, journal.read('r'), { ...options, runId: 'f1' }).result
    assert.deepEqual(kept.result.at(4), { type: 'recalled', value: 'first', version: 1 })
    assert.match(JSON.stringify(kept.result.at(5)), /is not written in a fork/)
    assert.equal(done.notes.length, 2)
    const written = { ...options, runId: 'f2', memories: ['notes'] }
    const { result } = await forkRun(other, journal.read('r'), written).result
    assert.deepEqual(result.at(-1), { type: 'recalled', value: 'other', version: 3 })
  })

  test('does not repeat an act of unknown outcome', async () => {
    const { journal, at, done } = await whole()
    const entries = journal.read('r')
    const cut = entries.findIndex((entry) => entry.type === 'settled' && entry.seq === 3)
    const fork = forkRun(performing(STEPS), entries.slice(0, cut), { services: at.services, at: 3 })
    const { result } = await fork.result
    assert.match(
      JSON.stringify(result.at(3)),
      /was running when the recording ended, and may have acted/,
    )
    assert.equal(done.acts.filter((on) => on === 'two').length, 1)
  })

  test('rejects unknown names and steps that were never reached', async () => {
    const { journal, at } = await whole()
    const { services } = at
    const entries = journal.read('r')
    for (const step of [-1, 0.5, STEPS.length + 1]) {
      assert.throws(() => forkRun(performing(STEPS), entries, { services, at: step }), {
        code: 'INVALID_INPUT',
      })
    }
    const named = forkRun(performing(STEPS), entries, { services, at: 1, act: ['atc'] })
    await assert.rejects(named.result, { code: 'INVALID_INPUT', message: /there are act, read/ })
    const models = { none: 'a/b' }
    assert.throws(() => forkRun(performing(STEPS), entries, { services, at: 1, models }), {
      code: 'INVALID_INPUT',
    })
  })

  test('of a turn has the earlier messages, but is not a turn of the session', async () => {
    const journal = new KeptJournal()
    const { at } = outside(journal)
    const history = Thread.of([userMessage('before')])
    const keep = (): never => assert.fail('nothing of it is kept')
    const session = { id: 's', history }
    const steps = performing([actOn('one')])
    await startRun(steps, 'go', at.services, { runId: 'r', session }).result
    const options = { services: at.services, at: 0, runId: 'f', session: { ...session, keep } }
    await forkRun(steps, journal.read('r'), options).result
    const [started] = journal.read('f')
    assert.ok(started?.type === 'started')
    assert.equal(started.session, undefined)
    assert.equal(started.forkedFrom?.session?.length, 1)
    const { session: _none, ...without } = options
    assert.throws(() => forkRun(steps, journal.read('r'), without), { code: 'INVALID_INPUT' })
  })

  test('begins at the snapshot if the first entries were deleted', async () => {
    const { journal, at, done } = await whole()
    const snapshot = journal.snapshot('r')
    assert.equal(snapshot?.seq, 4)
    const loading = { ...performing(STEPS), load: loadPerformed }
    const shorter = condensed(journal.read('r'), snapshot)
    for (const step of [4, 5]) {
      const runId = `f${step}`
      const fork = forkRun(loading, shorter, { services: at.services, at: step, runId })
      assert.equal((await fork.result).result.length, STEPS.length)
      assert.equal(journal.types(runId)[1], 'dropped')
      const again = resumeRun(loading, journal.read(runId), { services: at.services })
      assert.equal((await again.result).result.length, STEPS.length)
    }
    assert.equal(done.acts.length, 3)
    assert.throws(() => forkRun(loading, shorter, { services: at.services, at: 3 }), {
      message: /give an at from 4 to 7/,
    })
    assert.deepEqual(stateAt(loading, shorter, 5), stateAt(performing(STEPS), journal.read('r'), 5))
    assert.equal(listSteps(shorter).length, 3)
  })
})

const loadPerformed = (stored: unknown): ReturnType<ReturnType<typeof performing>['load']> =>
  JSON.parse(JSON.stringify(stored))

describe('the steps of a run', () => {
  test('are listed from its journal alone, with the original state before each', async () => {
    const { journal } = await whole()
    const entries = journal.read('r')
    const steps = listSteps(entries)
    assert.deepEqual(
      steps.map(({ seq, seen }) => [seq, seen?.type]),
      [
        [0, 'tools-called'],
        [1, 'tools-called'],
        [2, 'remembered'],
        [3, 'tools-called'],
        [4, 'recalled'],
        [5, 'tools-called'],
        [6, 'remembered'],
      ],
    )
    const definition = performing(STEPS)
    assert.equal(stateAt(definition, entries, 0).next, 0)
    for (const { seq, moved, spent } of replayRun(definition, entries)) {
      assert.deepEqual(stateAt(definition, entries, seq + 1), moved.state)
      assert.deepEqual(steps[seq]?.spent, spent)
    }
    assert.throws(() => stateAt(definition, entries, 8), { message: /give a number from 0 to 7/ })
  })

  test('include an open step last, with its requests', async () => {
    const journal = new KeptJournal()
    const { at } = outside(journal)
    const run = startRun(performing([ask('one?'), ask('two?')]), 'go', at.services, { runId: 'r' })
    await settled()
    run.respond('r:0', 'yes')
    await settled()
    const steps = listSteps(journal.read('r'))
    assert.deepEqual(
      steps.map(({ seq, at: closed, requests }) => [seq, closed === null, requests[0]?.reply]),
      [
        [0, false, 'yes'],
        [1, true, null],
      ],
    )
    run.cancel()
    await run.result
    assert.deepEqual(listSteps([]), [])
  })
})

const folderFor = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-fork-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('in a file: a run waits, is answered by another store, forked long after, and all is listed', async (t) => {
  const file = join(folderFor(t), 'state.db')
  const [mine, theirs] = [await openStore(file), await openStore(file)]
  const { at, done } = outside(mine.runs)
  const steps = [actOn('one'), ask('go on?'), actOn('two')]
  const made = { command: 'try' }
  const services = { ...at.services, suspend: { afterMs: 0 } }
  const run = startRun(performing(steps), 'go', services, { runId: 'r', made })
  await settled()
  await at.clock.advance(10)
  await assert.rejects(run.result, { code: 'RUN_SUSPENDED' })
  const waiting = await theirs.runs.find('r')
  assert.equal(waiting?.status, 'waiting')
  assert.deepEqual(waiting.made, made)
  assert.equal((await mine.runs.snapshot('r'))?.seq, 1)
  await theirs.runs.reply('r', 'r:1', 'yes')
  assert.deepEqual(
    (await theirs.runs.due()).map(({ id }) => id),
    ['r'],
  )
  const there = outside(theirs.runs).at.services
  const again = resumeRun(performing(steps), await theirs.runs.read('r'), { services: there })
  assert.equal((await again.result).status, 'finished')
  const fork = forkRun(performing(steps), await mine.runs.read('r'), {
    services: at.services,
    at: 2,
    runId: 'f',
  })
  assert.equal((await fork.result).result.length, 3)
  assert.equal((await theirs.runs.find('f'))?.forkedFrom, 'r')
  assert.deepEqual(done.acts, ['one'])
  await mine.close()
  await theirs.close()
})

test('a reply that arrives while a run is being suspended is not lost', async (t) => {
  const file = join(folderFor(t), 'state.db')
  const [mine, theirs] = [await openStore(file), await openStore(file)]
  const { at } = outside(mine.runs)
  startRun(performing([ask('go on?')]), 'go', at.services, { runId: 'r' })
  await settled()
  const replying = theirs.runs.reply('r', 'r:0', 'yes')
  mine.runs.leave('r', { type: 'suspended' })
  await replying
  assert.deepEqual(
    (await theirs.runs.due()).map(({ id }) => id),
    ['r'],
  )
  await mine.close()
  await theirs.close()
})
