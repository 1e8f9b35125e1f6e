import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openStore } from '@echelon/store'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { forkRun } from '../../packages/echelon/src/runtime/journal/fork-run.ts'
import { resumeRun } from '../../packages/echelon/src/runtime/resume.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import { isError } from '../chat/kit.ts'
import { ask, callTools, performing, say, settled, type Step, tool, world } from './kit.ts'

type Store = Awaited<ReturnType<typeof openStore>>

const LEASE_MS = 1000

/** The answer of a tool in which the process dies. */
const never = (): Promise<Json> => new Promise(() => {})

/** Processes that share a store. Each is left in the middle of its work: its lease runs out. */
class Processes {
  readonly steps: readonly Step[]
  readonly at: ReturnType<typeof world>
  readonly first: Store
  readonly #giveUpAfter: number
  /** How often the tool was called. */
  calls = 0

  private constructor(
    steps: readonly Step[],
    at: ReturnType<typeof world>,
    first: Store,
    giveUpAfter: number,
  ) {
    this.steps = steps
    this.at = at
    this.first = first
    this.#giveUpAfter = giveUpAfter
  }

  static async of(steps: readonly Step[], giveUpAfter: number): Promise<Processes> {
    const at = world({})
    const first = await openStore(':memory:', { clock: at.clock, leaseMs: LEASE_MS, giveUpAfter })
    return new Processes(steps, at, first, giveUpAfter)
  }

  async next(): Promise<Store> {
    const { clock } = this.at
    // The process before renews its lease no more.
    await clock.advance(2 * LEASE_MS)
    return openStore(this.first.path, { clock, leaseMs: LEASE_MS, giveUpAfter: this.#giveUpAfter })
  }

  services({ runs }: Store, isMended = false) {
    const count = tool('read', () => {
      this.calls++
      return isMended ? 1 : never()
    })
    const { services } = world({ tools: [count] })
    return { ...services, clock: this.at.clock, journal: runs }
  }

  async begin(): Promise<void> {
    const run = startRun(performing(this.steps), 'go', this.services(this.first), { runId: 'r' })
    run.result.catch(() => undefined)
    await settled()
  }

  /** Resumes it in another process, which dies in the same tool, or returns how the run ended. */
  async resume(isMended = false): Promise<unknown> {
    const store = await this.next()
    const services = this.services(store, isMended)
    const run = resumeRun(performing(this.steps), await store.runs.read('r'), { services })
    let end: unknown
    run.result.then(
      ({ reason }) => (end = reason),
      (error: unknown) => (end = error),
    )
    await settled()
    return end
  }

  async summary() {
    const found = await this.first.runs.find('r')
    assert.ok(found !== undefined)
    return found
  }
}

suite('a run whose process dies again and again', () => {
  test('is given up after the given number, and fails with what to do', async () => {
    const processes = await Processes.of([say('hi'), callTools([['read']])], 3)
    await processes.begin()
    assert.equal(await processes.resume(), undefined)
    assert.equal(await processes.resume(), undefined)
    const error = await processes.resume()
    assert.ok(isError('RUN_GIVEN_UP')(error))
    assert.match(
      String(error),
      /at step 1: its process died 3 times in a row in read; mend .* fork the run at step 1/,
    )
    assert.equal(processes.calls, 3, 'the tool is not called again')
    const { status, reason } = await processes.summary()
    assert.equal(status, 'failed')
    assert.match(reason ?? '', /died 3 times/)
    assert.deepEqual(await processes.first.runs.due(), [])
    assert.equal(await processes.first.runs.askToCancel('r'), false)
  })

  test('fails again when it is resumed again, and is not written to', async () => {
    const processes = await Processes.of([callTools([['read']])], 1)
    await processes.begin()
    const first = await processes.resume()
    const entries = await processes.first.runs.read('r')
    const second = await processes.resume(true)
    assert.ok(isError('RUN_GIVEN_UP')(second))
    assert.equal(String(second), String(first))
    assert.deepEqual(await processes.first.runs.read('r'), entries)
    assert.equal(processes.calls, 1)
  })

  test('is resumed without end while it completes a step each time', async () => {
    const steps = Array.from({ length: 12 }, () => callTools([['read']]))
    const processes = await Processes.of(steps, 2)
    await processes.begin()
    for (let step = 0; step < steps.length; step++) {
      // It dies once in each step. The next process completes the step, and dies in the one after.
      const store = await processes.next()
      let calls = 0
      const once = tool('read', () => (calls++ === 0 ? 1 : never()))
      const { services } = world({ tools: [once] })
      const run = resumeRun(performing(steps), await store.runs.read('r'), {
        services: { ...services, clock: processes.at.clock, journal: store.runs },
      })
      run.result.catch(() => undefined)
      await settled()
    }
    assert.equal((await processes.summary()).status, 'finished')
  })

  test('is not given up while it waits for a person', async () => {
    const processes = await Processes.of([ask('go on?'), callTools([['read']])], 2)
    await processes.begin()
    for (let death = 0; death < 8; death++) assert.equal(await processes.resume(), undefined)
    assert.equal((await processes.summary()).status, 'waiting')
    const [request] = (await processes.summary()).requests
    await processes.first.runs.reply('r', request?.id ?? '', 'yes')
    assert.equal(await processes.resume(), undefined)
    assert.equal(await processes.resume(), undefined)
    assert.ok(isError('RUN_GIVEN_UP')(await processes.resume()))
  })

  test('can be forked where it failed, and the fork has all its tries', async () => {
    const steps = [say('hi'), callTools([['read']])]
    const processes = await Processes.of(steps, 2)
    await processes.begin()
    await processes.resume()
    assert.ok(isError('RUN_GIVEN_UP')(await processes.resume()))
    const store = await processes.next()
    const services = processes.services(store, true)
    const entries = await store.runs.read('r')
    const fork = forkRun(performing(steps), entries, { services, at: 1 })
    assert.equal((await fork.result).reason, 'done')
  })
})
