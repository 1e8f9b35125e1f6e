import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { RunStore, RunSummary } from '../../packages/echelon/src/core/store/run-store.ts'
import type { Store } from '../../packages/echelon/src/core/store/store.ts'
import { systemClock } from '../../packages/echelon/src/platform/clock.ts'
import { resumeRun } from '../../packages/echelon/src/runtime/resume.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import {
  type HostOptions,
  type Resumes,
  startHost,
} from '../../packages/echelon/src/runtime/run-host.ts'
import { openStore } from '@echelon/store'
import { folderFor } from '../../packages/store/src/sqlite/in-tests.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { isError, model } from '../chat/kit.ts'
import {
  ask,
  callTools,
  performing,
  settled,
  type Step,
  tool,
  world,
  type World,
} from '../runtime/kit.ts'
import { actsIn, assistant, sending } from './assistant.ts'

const HOUR = 3_600_000

interface Scene {
  readonly at: World
  readonly runs: RunStore
  readonly agent: Resumes
  /** Starts a run that is suspended as soon as it waits. */
  begin(id: string): Promise<void>
}

/** An agent that performs these steps, on a store whose clock is set by hand. */
async function scene(
  steps: readonly Step[],
  tools: Parameters<typeof world>[0] = {},
): Promise<Scene> {
  const at = world(tools)
  const { runs } = await openStore(':memory:', { clock: at.clock })
  const services = { ...at.services, journal: runs }
  const suspend = { afterMs: 0 }
  const agent: Resumes = {
    name: 'performing',
    resume: async (id, options) =>
      resumeRun(performing(steps), await runs.read(id), { services, ...options }),
  }
  const begin = async (runId: string): Promise<void> => {
    const run = startRun(performing(steps), 'go', services, { runId, suspend })
    await assert.rejects(at.clock.runUntil(run.result), isError('RUN_SUSPENDED'))
  }
  return { at, runs, agent, begin }
}

const hostOf = (
  { at, runs, agent }: Scene,
  more: Partial<HostOptions> = {},
): ReturnType<typeof startHost> =>
  startHost({ store: { runs }, agents: [agent], clock: at.clock, suspendAfterMs: 0, ...more })

const statusOf = async (runs: RunStore, id: string): Promise<RunSummary['status'] | undefined> =>
  (await runs.find(id))?.status

suite('a host', () => {
  test('[C-31] resumes a run when its sleep is over, and not before', async () => {
    const it = await scene([
      { type: 'sleep', actor: 'all', untilMs: new SetClock().now() + 2 * HOUR },
    ])
    await it.begin('r')
    const host = hostOf(it)
    await it.at.clock.advance(HOUR)
    assert.equal(await statusOf(it.runs, 'r'), 'waiting')
    await it.at.clock.advance(HOUR + 2000)
    await settled()
    assert.equal(await statusOf(it.runs, 'r'), 'finished')
    await host.stop()
    assert.equal(it.at.clock.pending, 0)
  })

  test('resumes a run whose question has expired or was answered', async () => {
    const it = await scene([ask('Which one?', { expiresInMs: HOUR })])
    await it.begin('expired')
    await it.begin('answered')
    const [request] = (await it.runs.find('answered'))?.requests ?? []
    await it.runs.reply('answered', request?.id ?? '', 'this one', 'ada')
    const host = hostOf(it)
    await it.at.clock.advance(2000)
    await settled()
    assert.equal(await statusOf(it.runs, 'answered'), 'finished')
    assert.equal(await statusOf(it.runs, 'expired'), 'waiting')
    await it.at.clock.advance(HOUR)
    await settled()
    assert.equal(await statusOf(it.runs, 'expired'), 'finished')
    const seen = async (id: string): Promise<string | undefined> => {
      const closed = (await it.runs.read(id)).find((entry) => entry.type === 'closed')
      return closed?.type === 'closed' ? closed.seen.type : undefined
    }
    assert.deepEqual([await seen('answered'), await seen('expired')], ['answered', 'unanswered'])
    await host.stop()
  })

  test('ends a waiting run that is canceled, with one last event', async () => {
    const it = await scene([ask('Which one?'), ask('And then?')])
    await it.begin('r')
    assert.equal(await it.runs.askToCancel('r'), true)
    const host = hostOf(it)
    await it.at.clock.advance(1000)
    await settled()
    const found = await it.runs.find('r')
    assert.deepEqual([found?.status, found?.isCancelAsked], ['canceled', false])
    const ends = it.at.events.filter(({ type }) => type === 'run-end')
    assert.deepEqual(
      ends.map((end) => end.type === 'run-end' && end.status),
      ['canceled'],
    )
    assert.equal(await it.runs.askToCancel('r'), false)
    await host.stop()
  })

  test('executes so many runs at the same time, and the others afterwards', async () => {
    let [now, most] = [0, 0]
    const clock = new SetClock()
    const slow = tool('slow', async () => {
      most = Math.max(most, ++now)
      await new Promise<void>((resolve) => clock.after(10, resolve))
      now--
      return 'done'
    })
    const it = await scene([ask('Go?'), callTools([['slow']])], { tools: [slow] })
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      await it.begin(id)
      const [request] = (await it.runs.find(id))?.requests ?? []
      await it.runs.reply(id, request?.id ?? '', true)
    }
    // One check is enough: a run that ends makes room and triggers the next check.
    const host = hostOf(it, { atOnce: 2, everyMs: HOUR })
    await settled()
    for (let turn = 0; turn < 5; turn++) {
      await clock.advance(10)
      await settled()
    }
    assert.equal(most, 2)
    const statuses = (await it.runs.list()).map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set(['finished']))
    await host.stop()
  })

  test('reports a failing run, and retries it at growing intervals', async () => {
    const it = await scene([ask('Which one?', { expiresInMs: 1000 })])
    await it.begin('r')
    let tried = 0
    const broken: Resumes = {
      name: 'performing',
      resume: () => Promise.reject(new EchelonError('JOURNAL_MISMATCH', `${++tried}`)),
    }
    const told: string[] = []
    const onProblem: HostOptions['onProblem'] = (problem, run) => {
      told.push(`${run?.id}: ${problem instanceof EchelonError ? problem.code : 'else'}`)
      throw new Error('who is told must not stop it')
    }
    const host = hostOf({ ...it, agent: broken }, { everyMs: 1000, onProblem })
    for (let second = 0; second < 30; second++) await it.at.clock.advance(1000)
    assert.equal(told.length, tried)
    assert.equal(told[0], 'r: JOURNAL_MISMATCH')
    // After 2, 4, 8 and 16 seconds, plus or minus one check.
    assert.ok(tried >= 4 && tried <= 5, `${tried} times in 30 seconds`)
    for (let minute = 0; minute < 60; minute++) await it.at.clock.advance(60_000)
    assert.ok(tried >= 14 && tried <= 20, `${tried} times in an hour`)
    await host.stop()
  })

  test('a store that cannot be read is reported and tried again', async () => {
    const it = await scene([])
    const told: unknown[] = []
    const due = (): Promise<never> => Promise.reject(new Error('disk'))
    const options = {
      store: { runs: { due } },
      onProblem: (problem: unknown) => told.push(problem),
    }
    const host = hostOf(it, options)
    await settled()
    for (let second = 0; second < 3; second++) await it.at.clock.advance(1000)
    assert.equal(told.length, 4)
    await host.stop()
  })

  test('rejects invalid options', async () => {
    const it = await scene([])
    const both = [it.agent, it.agent]
    assert.throws(() => hostOf(it, { agents: both }), isError('INVALID_CONFIG', /performing/))
    assert.throws(() => hostOf(it, { everyMs: 0 }), isError('INVALID_CONFIG', /everyMs/))
    assert.throws(() => hostOf(it, { atOnce: Number.NaN }), isError('INVALID_CONFIG', /atOnce/))
  })

  test('suspends runs between two steps when it stops: the next host resumes them, and nothing is repeated', async () => {
    const done: string[] = []
    const clock = new SetClock()
    const act = tool(
      'act',
      async (_, { key }) => {
        done.push(key)
        await new Promise<void>((resolve) => clock.after(10, resolve))
        return 'done'
      },
      { does: 'acts' },
    )
    const it = await scene([ask('Go?'), callTools([['act']]), callTools([['act']])], {
      tools: [act],
    })
    await it.begin('r')
    const [request] = (await it.runs.find('r'))?.requests ?? []
    await it.runs.reply('r', request?.id ?? '', true)
    const first = hostOf(it)
    await settled()
    assert.equal(done.length, 1)
    const stopped = first.stop()
    await settled()
    assert.equal(await statusOf(it.runs, 'r'), 'running')
    await clock.advance(10)
    await it.at.clock.runUntil(stopped)
    assert.equal(done.length, 1)
    assert.notEqual(await statusOf(it.runs, 'r'), 'finished')
    assert.equal(await first.tick(), 0)

    const second = hostOf(it)
    await settled()
    await clock.advance(10)
    await settled()
    assert.equal(await statusOf(it.runs, 'r'), 'finished')
    assert.deepEqual(done.length, 2)
    assert.equal(new Set(done).size, 2)
    await second.stop()
  })

  test('two hosts side by side: each run is resumed once, without an error', async (t) => {
    const folder = await folderFor(t)
    const file = join(folder, 'echelon.db')
    const acts = join(folder, 'acts')
    const stores = [await openStore(file), await openStore(file)]
    t.after(() => Promise.all(stores.map((store) => store.close())))
    const agentIn = (store: Store) =>
      assistant({ store, tools: [sending(acts, true)], suspend: { afterMs: 0 } })
    const [store] = stores
    assert.ok(store !== undefined)
    for (const id of ['a', 'b', 'c', 'd']) {
      const agent = agentIn(store)
      const session = await agent.openSession(`session-${id}`)
      const run = agent.run('send it', { session, runId: id })
      await assert.rejects(run.result, isError('RUN_SUSPENDED'))
      const [request] = (await store.runs.find(id))?.requests ?? []
      await store.runs.reply(id, request?.id ?? '', 'once')
    }
    const problems: unknown[] = []
    const onProblem = (problem: unknown): void => void problems.push(problem)
    const hosts = stores.map((own) =>
      startHost({ store: own, agents: [agentIn(own)], clock: systemClock, everyMs: 20, onProblem }),
    )
    while ((await store.runs.list({ status: ['finished'] })).length < 4) {
      await Promise.all(hosts.map((host) => host.tick()))
    }
    await Promise.all(hosts.map((host) => host.stop()))
    assert.deepEqual(problems, [])
    assert.equal(actsIn(acts).length, 4)
    assert.equal((await agentIn(store).openSession('session-a')).length, 4)
  })

  test('ignores runs that other processes execute, and serves several kinds of agents', async (t) => {
    const file = join(await folderFor(t), 'echelon.db')
    const [here, there] = [await openStore(file), await openStore(file)]
    t.after(() => Promise.all([here.close(), there.close()]))
    const events: RunEvent[] = []
    const slow = createAgent({
      model: model([{ text: 'at last', delayMs: 300 }]),
      store: there,
      telemetry: (event) => events.push(event),
    })
    const run = slow.run('hi')
    while ((await here.runs.list()).length === 0)
      await new Promise((resolve) => setImmediate(resolve))
    const decider = await createDecider({ store: here })
    const agents = [createAgent({ model: model([]), store: here }), decider]
    const host = startHost({ store: here, agents, clock: systemClock })
    assert.equal(await host.tick(), 0)
    assert.equal((await run.result).text, 'at last')
    assert.equal(await host.tick(), 0)
    await host.stop()
  })
})
