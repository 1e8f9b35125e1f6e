import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { type Assistant, createAssistant } from '@echelon/assist'
import { isEvaluations, isPlans } from '../../packages/assist/src/session/memories.ts'
import type { RunStore } from '../../packages/echelon/src/core/store/run-store.ts'
import type { Store } from '../../packages/echelon/src/core/store/store.ts'
import { openStore } from '@echelon/store'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { asBound, promptText, scriptedModel, SetClock } from 'echelon/testing'
import { CANARY, FLATTERY, INTENT, judged, planned, readDraft, readUser } from './fixtures.ts'
import { AT, plain } from './turns.ts'

/** Models that give the same answer on every call. */
function modelsOf() {
  const planner = scriptedModel([], {
    modelId: 'planner',
    beyond: (call) =>
      promptText(call).includes('non_goal: sycophancy')
        ? planned({ approach: 'plain_words', reason: 'it flattered', focus: [`ask ${CANARY}`] })
        : planned(),
  })
  const executor = scriptedModel([], {
    modelId: 'executor',
    beyond: (call) =>
      promptText(call).includes('plain words')
        ? `What would ${CANARY} miss?`
        : `${FLATTERY}, ${CANARY}!`,
  })
  const evaluator = scriptedModel([], { modelId: 'evaluator', beyond: judged() })
  return { planner, executor, evaluator }
}

type Models = ReturnType<typeof modelsOf>

const assistantOf = (store: Store, models: Models = modelsOf()): Assistant =>
  createAssistant({
    planner: asBound(models.planner),
    executor: asBound(models.executor),
    evaluator: asBound(models.evaluator),
    store,
    readUser,
    readDraft,
    clock: new SetClock(AT),
  })

const SAID = `Should ${CANARY} move?`
const withIntent = async (store: Store): Promise<void> => {
  await store.memories.write('intent', plain(INTENT), { key: 'user' })
}

describe('[L-5] a conversation', () => {
  test('is deleted at its end from journal, store and cache, to the byte; plans and evaluations stay', async (t) => {
    const path = join(await folderFor(t), 'assist.db')
    const holding = async (): Promise<readonly string[]> => {
      const names = await readdir(dirname(path))
      const texts = await Promise.all(names.map((name) => readFile(join(dirname(path), name))))
      return names.filter((_, index) => texts[index]?.includes(CANARY))
    }
    const store = await openStore(path)
    t.after(() => store.close())
    await withIntent(store)
    const assistant = assistantOf(store)
    const session = await assistant.openSession('ada')
    assert.equal(session.isDisposable, true)
    const { text } = await assistant.run(SAID, { session }).result
    assert.equal(text, `What would ${CANARY} miss?`)
    await assistant.run(`And ${CANARY} again?`, { session }).result
    assert.equal(session.messages.length, 4)
    await store.cache.set('answer', CANARY, 60_000, session.id)
    assert.notDeepEqual(await holding(), [], 'while it lasts it is on record')
    assert.equal((await store.runs.list({ session: 'ada' })).length, 2)

    await session.end()
    assert.deepEqual(await holding(), [])
    assert.deepEqual(session.messages, [])
    assert.equal(await store.sessions.load('ada'), undefined)
    assert.deepEqual(await store.runs.list({ session: 'ada' }), [])
    assert.throws(() => assistant.run('hi', { session }), /is over/)
    const plans = (await store.memories.read('plans')).value
    const evaluations = (await store.memories.read('evaluations')).value
    assert.ok(isPlans(plans) && isEvaluations(evaluations))
    assert.equal(plans.current_plan.approach, 'plain_words')
    assert.deepEqual(
      evaluations.recent_evaluations.map(({ outcome }) => outcome),
      ['non_goal: sycophancy', 'on_intent: plain_words', 'on_intent: plain_words'],
    )
    await store.close()
    assert.deepEqual(await holding(), [])
  })

  test('leaves nothing on record without a turn', async () => {
    const store = await openStore(':memory:')
    await withIntent(store)
    await assistantOf(store).run(SAID).result
    assert.deepEqual(await store.runs.list(), [])
    assert.deepEqual(await store.sessions.list(), [])
  })

  test('that is to be kept continues in another process, one turn at a time', async (t) => {
    const store = await openStore(join(await folderFor(t), 'assist.db'))
    t.after(() => store.close())
    await withIntent(store)
    const first = assistantOf(store)
    const session = await first.openSession('ada', { keep: true })
    const run = first.run(SAID, { session })
    assert.throws(() => first.run('and?', { session }), /under way/)
    await run.result
    await session.end()
    const second = assistantOf(store)
    const again = await second.openSession('ada', { keep: true })
    assert.equal(again.messages.length, 2)
    await second.run('And then?', { session: again }).result
    assert.equal(again.messages.length, 4)
    const stale = await first.openSession('ada', { keep: true })
    await second.run('And now?', { session: again }).result
    await assert.rejects(first.run('hi', { session: stale }).result, /another process continued/)
  })
})

describe('an aborted turn', () => {
  test('leaves the conversation as it was, and shows no draft', async () => {
    const store = await openStore(':memory:')
    await withIntent(store)
    const never = scriptedModel([], { beyond: { text: 'late', delayMs: Infinity } })
    const assistant = createAssistant({ model: asBound(never), planner: null, store })
    const session = await assistant.openSession('ada')
    const run = assistant.run(SAID, { session })
    for await (const event of run) {
      if (event.type === 'step-start' && event.role === 'executor') run.cancel()
    }
    const { outcome, text } = await run.result
    assert.deepEqual([outcome, text], ['canceled', ''])
    assert.deepEqual(session.messages, [])
  })

  test('[L-14] ends at once if the user says stop meanwhile', async () => {
    const model = scriptedModel([], { beyond: FLATTERY })
    const assistant = createAssistant({ model: asBound(model), planner: null, readUser, readDraft })
    const run = assistant.run(SAID)
    for await (const event of run) {
      if (event.type === 'step-start' && event.role === 'executor') run.hear('Stop!')
    }
    const { outcome, text } = await run.result
    assert.deepEqual([outcome, text], ['stopped', 'I stop here.'])
    assert.equal(model.calls.length, 1)
  })

  test('[L-8] writes a new draft when the user corrects themselves meanwhile, and shows only that draft', async () => {
    const model = scriptedModel(['About Graz.', 'About Linz.'])
    const assistant = createAssistant({
      executor: asBound(model),
      planner: null,
      evaluator: null,
      readUser,
      readDraft,
    })
    const run = assistant.run('Should I move to Graz?')
    let isCorrected = false
    for await (const event of run) {
      if (isCorrected || event.type !== 'step-start' || event.role !== 'executor') continue
      isCorrected = true
      run.hear('Sorry, I meant Linz.')
    }
    assert.equal((await run.result).text, 'About Linz.')
    const [first, second] = model.calls.map(promptText)
    assert.doesNotMatch(first ?? '', /Linz/)
    assert.match(second ?? '', /I meant Linz/)
  })

  test('reports a model that cannot be loaded, or an empty message', async () => {
    const assistant = createAssistant({ model: 'nobody/none' })
    const session = await assistant.openSession()
    await assert.rejects(assistant.run('hi', { session }).result, /nobody/)
    await assert.rejects(assistant.run('hi', { session }).result, /nobody/, 'it is not busy')
    assert.throws(() => assistant.run(' '), /1 to 20000 characters/)
    assert.throws(() => assistant.run('a'.repeat(20_001)), /1 to 20000 characters/)
    await assert.rejects(assistant.openSession(''), /id of a session/)
    await assert.rejects(assistant.resume('r'), /has no store/)
  })
})

const LEASE_MS = 30_000

/** A journal that fails at one append, before or just after writing. */
function breakingAt(runs: RunStore, at: number, isWritten: boolean): RunStore {
  let appends = 0
  return new Proxy(runs, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (typeof found !== 'function') return found
      if (name !== 'append') return found.bind(target)
      return async (...given: Parameters<RunStore['append']>) => {
        if (++appends === at) {
          if (isWritten) await target.append(...given)
          throw new Error('the power is gone')
        }
        await target.append(...given)
      }
    },
  })
}

test('[L-8, L-12] a turn interrupted at any step resumes there: nothing is evaluated or stored twice', async () => {
  let crashes = 0
  for (let at = 1; ; at++) {
    const ended = await Promise.all(
      [false, true].map(async (isWritten) => {
        const machine = { clock: new SetClock(AT), leaseMs: LEASE_MS }
        const dying = await openStore(':memory:', machine)
        const store = await openStore(dying.path, machine)
        await withIntent(store)
        const models = modelsOf()
        const runs = breakingAt(dying.runs, at, isWritten)
        const { sessions, results, memories, notes, cache, events, artifacts, audit } = dying
        const kept = { sessions, results, memories, notes, cache, events, artifacts, audit }
        const broken = { ...kept, runs, close: () => dying.close() }
        const first = assistantOf(broken, models)
        const session = await first.openSession('ada', { keep: true })
        const run = first.run(SAID, { session, runId: 'turn' })
        const isWhole = await run.result.then(
          () => true,
          () => false,
        )
        await machine.clock.advance(LEASE_MS + 1)
        const isOnRecord = (await store.runs.read('turn')).length > 0
        const second = assistantOf(store, models)
        if (!isWhole && isOnRecord) {
          crashes++
          const { text, outcome } = await (await second.resume('turn')).result
          assert.deepEqual([text, outcome], [`What would ${CANARY} miss?`, 'answered'])
        }
        if (isWhole || isOnRecord) {
          const { value } = await store.memories.read('evaluations', null)
          assert.ok(isEvaluations(value))
          assert.equal(value.recent_evaluations.length, 2, `cut at ${at}`)
          const plans = (await store.memories.read('plans', null)).value
          assert.ok(isPlans(plans))
          assert.equal(plans.revision_history.length, 2)
          const calls = [models.planner, models.executor, models.evaluator].map(
            (model) => model.calls.length,
          )
          const sum = calls.reduce((all, one) => all + one, 0)
          assert.ok(sum <= 6, `at most the call that was open is made again, not ${calls.join()}`)
          const stored = await store.sessions.load('ada')
          assert.equal(stored?.messages.length, 2)
        }
        return isWhole
      }),
    )
    if (ended.every(Boolean)) break
  }
  assert.ok(crashes > 10, `${crashes} crashes`)
})
