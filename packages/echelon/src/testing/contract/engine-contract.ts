import assert from 'node:assert/strict'
import type { Engine, Performer, RunPlace } from '../../core/engine/engine.ts'
import type { RunStore } from '../../core/store/run-store.ts'
import { type ContractCase, inTime } from '../contract.ts'
import { ScriptedPerformer, type ScriptedTask } from '../engine/scripted-performer.ts'
import { statusOf } from '../run-store/premises.ts'

/** An engine to test. The suite closes it. */
export interface EngineTrial {
  /** An engine that performs at most `AT_ONCE` legs at a time, and `OF_ONE` of the principal `limited`. */
  readonly open: (
    performer: Performer,
    limits: { readonly atOnce: number; readonly principal: string; readonly ofPrincipal: number },
  ) => Promise<Engine> | Engine
  /** The runs that the engine's performers write; empty. */
  readonly store: () => Promise<RunStore> | RunStore
}

interface Scene {
  readonly engine: Engine
  readonly store: RunStore
  readonly performer: ScriptedPerformer
  /** A new id. */
  readonly id: (name: string) => string
  readonly until: (run: string, place: RunPlace['type']) => Promise<void>
}

const AT_ONCE = 4
const OF_ONE = 2
/** Much more than any engine polls. */
const SOON_MS = 20_000

const work = (ms: number): ScriptedTask => ({ do: 'work', ms })
const ASK: ScriptedTask = { do: 'ask' }
const ANSWER = { request: 'q', reply: 'yes' }

/**
 * The requirements of every `Engine`: `for (const { name, holds } of engineContract(trial)) test(name, holds)`.
 */
export function engineContract(trial: EngineTrial): readonly ContractCase[] {
  const caseOf = (name: string, holds: (scene: Scene) => Promise<void>): ContractCase => ({
    name,
    holds: () => inScene(trial, holds),
  })
  return [...starts(caseOf), ...waits(caseOf), ...cancels(caseOf), ...limits(caseOf)]
}

type CaseOf = (name: string, holds: (scene: Scene) => Promise<void>) => ContractCase

async function inScene(trial: EngineTrial, holds: (scene: Scene) => Promise<void>): Promise<void> {
  const store = await trial.store()
  const performer = new ScriptedPerformer(store)
  const limited = { atOnce: AT_ONCE, principal: 'limited', ofPrincipal: OF_ONE }
  const engine = await trial.open(performer, limited)
  const scene = crypto.randomUUID()
  const until = async (run: string, place: RunPlace['type']): Promise<void> => {
    let last: string | undefined
    const reached = async (): Promise<void> => {
      for (;;) {
        last = (await engine.status(run))?.type
        if (last === place) return
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
    try {
      await inTime(reached(), `${run} must be ${place}`, SOON_MS)
    } catch (error) {
      assert.equal(last, place, `${run} must be ${place}`)
      throw error
    }
  }
  try {
    await holds({ engine, store, performer, id: (name) => `${name}-${scene}`, until })
  } finally {
    await engine.close()
  }
}

function starts(caseOf: CaseOf): readonly ContractCase[] {
  return [
    caseOf('performs an ordered run to its end', async ({ engine, store, id, until }) => {
      const run = id('run')
      assert.equal(await engine.status(run), undefined, 'it was not ordered yet')
      await engine.start({ run, task: work(0) })
      await until(run, 'ended')
      assert.equal(await statusOf(store, run), 'finished')
    }),
    caseOf('performs a run once, however often it is ordered', async (scene) => {
      const { engine, performer, id, until } = scene
      const run = id('run')
      const order = { run, task: work(20) }
      await Promise.all(Array.from({ length: 10 }, () => engine.start(order)))
      await until(run, 'ended')
      await engine.start(order)
      await engine.start({ run: id('other'), task: work(0) })
      await until(id('other'), 'ended')
      assert.deepEqual(performer.begun, [run, id('other')])
    }),
    caseOf('tells why a run cannot be performed', async ({ engine, id, until }) => {
      const run = id('run')
      await engine.start({ run, task: { do: 'fail' } })
      await until(run, 'failed')
      const place = await engine.status(run)
      assert.equal(place?.type === 'failed' && place.reason, 'it must not work')
    }),
    caseOf('performs a scheduled run at its time, not before', async (scene) => {
      const { engine, performer, id, until } = scene
      const run = id('run')
      await engine.schedule({ run, task: work(0) }, Date.now() + 1500)
      assert.equal((await engine.status(run))?.type, 'scheduled')
      await engine.start({ run: id('now'), task: work(0) })
      await until(id('now'), 'ended')
      assert.deepEqual(performer.begun, [id('now')])
      await until(run, 'ended')
    }),
    caseOf('performs nothing after it was closed', async ({ engine, performer, id, until }) => {
      const [first, second] = [id('first'), id('second')]
      await engine.start({ run: first, task: work(100), session: id('session') })
      await engine.start({ run: second, task: work(0), session: id('session') })
      await until(first, 'working')
      await engine.close()
      await new Promise((resolve) => setTimeout(resolve, 300))
      assert.deepEqual(performer.begun, [first])
    }),
  ]
}

function waits(caseOf: CaseOf): readonly ContractCase[] {
  return [
    caseOf('a run that waits holds no slot', async ({ engine, id, until }) => {
      const waiting = Array.from({ length: 5 * AT_ONCE }, (_, n) => id(`waiting-${n}`))
      for (const run of waiting) await engine.start({ run, task: ASK })
      for (const run of waiting) await until(run, 'waiting')
      await engine.start({ run: id('next'), task: work(0) })
      await until(id('next'), 'ended')
    }),
    caseOf('an answer lets a run continue, and the first one counts', async (scene) => {
      const { engine, store, id, until } = scene
      const run = id('run')
      await engine.start({ run, task: ASK })
      await until(run, 'waiting')
      const answers = [1, 2, 3].map((reply) => engine.answer(run, { request: 'q', reply }))
      const settled = await Promise.allSettled(answers)
      assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
      await until(run, 'ended')
      const replies = (await store.read(run)).filter(({ type }) => type === 'replied')
      assert.equal(replies.length, 1)
    }),
    caseOf('refuses answers that nobody waits for', async ({ engine, id, until }) => {
      const run = id('run')
      await assert.rejects(engine.answer(run, ANSWER), { code: 'UNKNOWN_RUN' })
      await engine.start({ run, task: ASK })
      await until(run, 'waiting')
      const other = { request: 'other', reply: 'yes' }
      await assert.rejects(engine.answer(run, other), { code: 'UNKNOWN_REQUEST' })
    }),
    caseOf('a run that waits for a time continues then', async ({ engine, id, until }) => {
      const run = id('run')
      await engine.start({ run, task: { do: 'sleep', ms: 1000 } })
      await until(run, 'waiting')
      await until(run, 'ended')
    }),
  ]
}

function cancels(caseOf: CaseOf): readonly ContractCase[] {
  return [
    caseOf('a canceled run that has not begun never begins', async (scene) => {
      const { engine, performer, id, until } = scene
      const session = id('session')
      await engine.start({ run: id('first'), task: work(700), session })
      await engine.start({ run: id('second'), task: work(0), session })
      await until(id('first'), 'working')
      assert.equal(await engine.cancel(id('second')), true)
      await engine.start({ run: id('third'), task: work(0), session })
      await until(id('third'), 'ended')
      assert.deepEqual(performer.begun, [id('first'), id('third')])
      assert.equal((await engine.status(id('second')))?.type, 'ended')
    }),
    caseOf('a waiting run that is canceled ends', async ({ engine, store, id, until }) => {
      const run = id('run')
      await engine.start({ run, task: ASK })
      await until(run, 'waiting')
      assert.equal(await engine.cancel(run), true)
      await until(run, 'ended')
      assert.equal(await statusOf(store, run), 'canceled')
      assert.equal(await engine.cancel(run), false, 'it has ended')
    }),
    caseOf('refuses to cancel an unknown run', async ({ engine, id }) => {
      await assert.rejects(engine.cancel(id('run')), { code: 'UNKNOWN_RUN' })
    }),
  ]
}

function limits(caseOf: CaseOf): readonly ContractCase[] {
  return [
    caseOf('runs of one session are performed in order, one at a time', async (scene) => {
      const { engine, performer, id, until } = scene
      const runs = Array.from({ length: 8 }, (_, n) => id(`run-${n}`))
      for (const run of runs) await engine.start({ run, task: work(10), session: id('session') })
      for (const run of runs) await until(run, 'ended')
      assert.deepEqual(performer.begun, runs)
      assert.equal(performer.most.get(`session ${id('session')}`), 1)
    }),
    caseOf('never performs more legs at once than its limit', async (scene) => {
      const { engine, performer, id, until } = scene
      const runs = Array.from({ length: 4 * AT_ONCE }, (_, n) => id(`run-${n}`))
      // Long enough that all are in use at once on a busy machine too.
      for (const run of runs) await engine.start({ run, task: work(500) })
      for (const run of runs) await until(run, 'ended')
      assert.equal(performer.most.get('all'), AT_ONCE)
    }),
    caseOf('a principal has a limit of their own', async ({ engine, performer, id, until }) => {
      const runs = Array.from({ length: 3 * OF_ONE }, (_, n) => id(`run-${n}`))
      for (const run of runs) await engine.start({ run, task: work(300), principal: 'limited' })
      for (const run of runs) await until(run, 'ended')
      assert.equal(performer.most.get('principal limited'), OF_ONE)
    }),
  ]
}
