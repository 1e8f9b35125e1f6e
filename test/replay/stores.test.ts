import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentOptions, createAgent, defineTool, type Tool } from 'echelon/chat'
import { caching, parallel, providerHealth } from 'echelon/middleware'
import { forkRecording, recordRun, replayRecording } from 'echelon/replay'
import type { AgentDefinition, Json, MemoryStore } from 'echelon/runtime'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { z } from 'zod'
import { assertExact, converse, folderFor, recordAndReplay } from './replayed.ts'

const model = (...answers: readonly ScriptedAnswer[]) =>
  asBound(scriptedModel([...answers]), 'test/scripted')

const calls = (tool: string): ScriptedAnswer => ({ toolCalls: [{ tool, input: {} }] })

interface State {
  readonly phase: 'recall' | 'remember' | 'done'
  readonly visits: number
  readonly version: number
  readonly said: string
}

const START: State = { phase: 'recall', visits: 0, version: 0, said: '' }

/** Reads its count and writes one more; reads again after a conflict. */
const greeter: AgentDefinition<string, State, string> = {
  name: 'greeter',
  version: 1,
  actors: { host: { reads: ['visits'], writes: ['visits'] } },
  start: () => ({ state: START }),
  next({ phase, visits: value, version: ifVersion, said }) {
    if (phase === 'done') return { type: 'finish', result: said, reason: 'greeted' }
    if (phase === 'recall') return { type: 'recall', actor: 'host', memory: 'visits' }
    return { type: 'remember', actor: 'host', memory: 'visits', value, ifVersion }
  },
  observe(state, seen) {
    if (seen.type === 'recalled') {
      const visits = Number(seen.value) + 1
      return { state: { ...state, phase: 'remember', visits, version: seen.version } }
    }
    if (seen.type === 'remembered') {
      return { state: { ...state, phase: 'done', said: `visit ${state.visits}` } }
    }
    if (seen.type !== 'failed') return { state: { ...state, phase: 'done', said: seen.type } }
    const { code, message } = seen.error
    if (code === 'conflict') return { state: { ...state, phase: 'recall' } }
    return { state: { ...state, phase: 'done', said: message } }
  },
  load: () => START,
}

const greet = defineTool({
  name: 'greet',
  description: 'greets',
  input: z.object({}),
  does: 'acts',
  delegates: true,
  async run(_, { child }) {
    const end = await child?.({ definition: greeter, input: 'Ada', surroundings: {} })
    return end?.result ?? 'nobody'
  },
})

/** A memory that counts its calls, and fails or conflicts on request. */
function memory(odd: readonly ('conflict' | 'throws' | 'well')[] = []) {
  const asked: string[] = []
  let now: { readonly value: Json; readonly version: number } = { value: 0, version: 0 }
  const does = [...odd]
  const store: MemoryStore = {
    async read(name) {
      asked.push(`read ${name}`)
      await wait(1)
      return now
    },
    async write(name, value) {
      asked.push(`write ${name} ${JSON.stringify(value)}`)
      await wait(1)
      const how = does.shift()
      if (how === 'throws') throw new Error('the disk is full')
      if (how === 'conflict') return 'conflict'
      now = { value, version: now.version + 1 }
      return now.version
    },
  }
  return { store, asked }
}

const options = (store: MemoryStore, said = 'Greeted.'): AgentOptions => ({
  model: model(calls('greet'), said),
  tools: [greet],
  memory: store,
})

test('[C-34] a memory is recorded and replayed, and a replay never reaches the store', async (t) => {
  for (const odd of [[], ['conflict'], ['throws']] as const) {
    const [real, untouched] = [memory(odd), memory()]
    const stores = [real.store, untouched.store]
    const ran = await recordAndReplay(join(folderFor(t), 'run.jsonl'), () =>
      options(stores.shift() ?? assert.fail()),
    )
    assertExact(ran)
    assert.ok(real.asked.length >= 2)
    assert.deepEqual(untouched.asked, [])
    const expected = odd[0] === 'throws' ? /the disk is full/ : /visit 1/
    assert.match(JSON.stringify(ran.is[0]?.end.messages), expected)
  }
})

test('a write that was not recorded ends a replay, with the nearest one', async (t) => {
  const file = join(folderFor(t), 'run.jsonl')
  const made = recordRun(file)
  await converse(made, options(memory().store), {})
  made.close()
  const otherwise: Tool = {
    ...greet,
    run: async (_, { child }) => {
      const definition = {
        ...greeter,
        start: () => ({ state: { ...START, phase: 'remember' as const } }),
      }
      return (await child?.({ definition, input: 'Ada', surroundings: {} }))?.result ?? null
    },
  }
  const store = memory()
  const replay = await replayRecording(file)
  await assert.rejects(
    converse(replay, { ...options(store.store), tools: [otherwise] }, {}),
    (error: Error) => {
      assert.match(error.message, /holds no such call of memory\.write/)
      return 'code' in error && error.code === 'UNRECORDED_CALL'
    },
  )
  assert.deepEqual(store.asked, [])
})

async function forked(t: TestContext, at: number, memories: readonly string[], before = 0) {
  const file = join(folderFor(t), 'run.jsonl')
  const made = recordRun(file)
  await converse(made, options(memory().store), {})
  made.close()
  const fork = await forkRecording(file, { at, act: ['greet'], memories })
  const { store, asked } = memory()
  for (let visit = 0; visit < before; visit++) await store.write('visits', 7, { key: `${visit}` })
  asked.length = 0
  const answers = [calls('greet'), calls('greet'), 'Greeted.'].slice(at === 0 ? 0 : 1)
  const agent = createAgent(
    fork.forAgent({ model: model(...answers), tools: [greet], memory: store }),
  )
  const end = await (await agent.resume(fork.runId)).result
  return { said: JSON.stringify(end.messages), asked }
}

test('a fork reads and writes a memory from the record, and writes it again only if allowed', async (t) => {
  const denied = await forked(t, 0, [])
  // The first is the recorded one; the second reads the same and writes something else.
  assert.match(denied.said, /visit 1/)
  assert.match(denied.said, /the memory visits is not written in a fork/)
  assert.deepEqual(denied.asked, [])
  const allowed = await forked(t, 0, ['visits'], 1)
  assert.deepEqual(allowed.asked, ['write visits 1'])
  const later = await forked(t, 2, [])
  assert.match(later.said, /the memory visits is not written in a fork/)
  assert.deepEqual(later.asked, [])
})

function cacheStore() {
  const kept = new Map<string, Json>()
  let asked = 0
  return {
    asked: () => asked,
    kept,
    store: {
      get(key: string) {
        asked++
        return Promise.resolve(kept.get(key))
      },
      set(key: string, value: Json) {
        asked++
        kept.set(key, value)
        return Promise.resolve()
      },
    },
  }
}

test('a shared cache is recorded, and a replay calls neither it nor the model', async (t) => {
  for (const as of ['option', 'middleware'] as const) {
    const warm = cacheStore()
    const cold = cacheStore()
    const given = (
      store: typeof warm.store,
      ...answers: readonly ScriptedAnswer[]
    ): AgentOptions => ({
      model: model(...answers),
      ...(as === 'option' ? { caching: { store } } : { use: [caching({ store })] }),
    })
    // An answer from before the recording is a hit in it.
    await createAgent(given(warm.store, 'From the model.')).run('Go.').result
    assert.equal(warm.kept.size, 1)
    const stores = [given(warm.store), given(cold.store)]
    const ran = await recordAndReplay(
      join(folderFor(t), 'run.jsonl'),
      () => stores.shift() ?? assert.fail(),
    )
    assertExact(ran)
    assert.equal(ran.is[0]?.end.text, 'From the model.')
    assert.equal(cold.asked(), 0, as)
  }
})

test('a cache of this process starts empty, in the recording and in the replay', async (t) => {
  const middleware = caching()
  await createAgent({ model: model('Before.'), use: [middleware] }).run('Go.').result
  const ran = await recordAndReplay(join(folderFor(t), 'run.jsonl'), () => ({
    model: model('In the recording.'),
    use: [middleware],
  }))
  assertExact(ran)
  assert.equal(ran.is[0]?.end.text, 'In the recording.')
})

test('shared states are those of the recording, and today’s are not touched', async (t) => {
  const states = (
    first: Json | undefined,
  ): NonNullable<AgentOptions['sharedStates']> & { readonly asked: () => number } => {
    let asked = 0
    const all = new Map<string, Json>()
    return {
      asked: () => asked,
      get(key) {
        asked++
        return all.get(key) ?? first
      },
      set(key, state) {
        asked++
        all.set(key, state)
      },
    }
  }
  const failure = { code: 'overloaded', at: 1 }
  const bad: Json = { models: { 'test/scripted': { outcomes: '', ms: [], at: 1, failure } } }
  const given = [states(bad), states(undefined)]
  const [, today] = given
  const ran = await recordAndReplay(
    join(folderFor(t), 'run.jsonl'),
    () => ({
      model: model('One.', 'Two.'),
      use: [providerHealth()],
      sharedStates: given.shift() ?? assert.fail(),
    }),
    { said: ['Go.', 'Go on.'] },
  )
  assertExact(ran)
  assert.equal(today?.asked(), 0)
})

test('a model object of middleware is not called in a replay', async (t) => {
  const folder = folderFor(t)
  let called = 0
  const other = (): AgentOptions => {
    const brought = scriptedModel([
      () => {
        called++
        return 'From the other.'
      },
    ])
    return {
      model: model({ text: 'Late.', delayMs: 60 }),
      use: [parallel([asBound(brought, 'test/other'), 'offline/small'], { mode: 'first' })],
    }
  }
  const ran = await recordAndReplay(join(folder, 'run.jsonl'), other)
  assertExact(ran)
  assert.equal(ran.was[0]?.end.text, 'From the other.')
  assert.equal(called, 1)
  const lines = readFileSync(join(folder, 'run.jsonl'), 'utf8')
  assert.match(lines, /given\//)
})

test('a model that a sub-agent’s middleware requests by name is neither loaded nor called in a replay', async (t) => {
  let [loaded, called] = [0, 0]
  const options = (): AgentOptions => {
    const named = () => {
      called++
      return 'From the named one.'
    }
    const inner = createAgent({
      name: 'inner',
      model: model({ text: 'Late.', delayMs: 60 }),
      registry: {
        resolve: () => {
          loaded++
          return Promise.resolve(asBound(scriptedModel([named]), 'test/named'))
        },
      },
      use: [parallel(['test/named'], { mode: 'first' })],
    })
    return {
      model: model({ toolCalls: [{ tool: 'ask', input: { task: 'work' } }] }, 'Done.'),
      tools: [inner.asTool({ name: 'ask', description: 'asks' })],
    }
  }
  const ran = await recordAndReplay(join(folderFor(t), 'run.jsonl'), options)
  assertExact(ran)
  assert.match(JSON.stringify(ran.is[0]?.end.messages), /From the named one/)
  assert.deepEqual([loaded, called], [1, 1])
})
