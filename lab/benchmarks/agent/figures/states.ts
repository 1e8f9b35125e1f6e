import { z } from 'zod'
import { defineMiddleware } from '../../../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Json } from '../../../../packages/echelon/src/core/value/json.ts'
import type { Middleware } from '../../../../packages/echelon/src/core/extension/defined-middleware.ts'
import type {
  MiddlewareContext,
  MiddlewareRun,
} from '../../../../packages/echelon/src/core/extension/middleware.ts'
import {
  containerOf,
  reconcile,
} from '../../../../packages/echelon/src/core/state/state-container.ts'
import { systemClock } from '../../../../packages/echelon/src/platform/clock.ts'
import { compose } from '../../../../packages/echelon/src/middleware/compose.ts'
import type { Measured } from '../bars.ts'
import { median, race } from '../measure.ts'

interface Counted {
  readonly count: number
  readonly last: string
}

type Counter = Middleware<string, Counted> & Required<Pick<Middleware<string, Counted>, 'read'>>

/** Operations per timed unit, since one is too short for the clock. */
const MANY = 10_000
const STORED = { count: 7, last: 'add' }

/** A run as middleware sees it, but idle. */
class IdleRun implements MiddlewareRun {
  readonly runId = 'run'
  readonly agent = 'idle'
  readonly session = undefined
  readonly forSession = undefined
  readonly caller = undefined
  readonly container = undefined
  readonly clock = systemClock
  readonly signal: AbortSignal = NEVER
  readonly msLeft = Infinity
  readonly contexts: MiddlewareRun['contexts'] = new Map()
  readonly shared: MiddlewareRun['shared'] = { get: () => undefined, set: () => undefined }
  readonly #saved: Json | undefined
  constructor(saved?: Json) {
    this.#saved = saved
  }
  random(): number {
    return 0
  }
  mayCall(): boolean {
    return true
  }
  tool(): undefined {}
  pause(): Promise<void> {
    return Promise.resolve()
  }
  tell(): void {}
  opened(): void {}
  savedState(): Json | undefined {
    return this.#saved
  }
}

const NEVER = new AbortController().signal

/** Middleware with a state, and the context that its hooks get. */
function counter(index: number, run: MiddlewareRun) {
  let context: MiddlewareContext<Counted> | undefined
  const middleware = defineMiddleware({
    name: `counter${index}`,
    state: {
      version: 1,
      schema: z.object({ count: z.number(), last: z.string() }),
      initial: { count: 0, last: '' },
    },
    stream: (given) => {
      context = given
      return { text: (delta) => delta }
    },
  })()
  middleware.stream?.(run)
  if (context === undefined || !isReadable(middleware))
    throw new Error('the middleware keeps no state')
  return { middleware, context }
}

const isReadable = (middleware: Middleware<string, Counted>): middleware is Counter =>
  middleware.read !== undefined

/** Nanoseconds of one of many sequential operations. */
async function nanoseconds(pieces: Readonly<Record<string, () => unknown>>) {
  const racers = Object.entries(pieces).map(([name, piece]) => ({
    name,
    once: async () => piece(),
  }))
  const times = await race(racers, { per: MANY / 1000 })
  return (name: string): readonly number[] => times[name] ?? []
}

/** Through the run, like a reader of a result: looks up the state and reads a field. */
export async function stateRead(): Promise<readonly Measured[]> {
  const run = new IdleRun()
  const { middleware } = counter(0, run)
  const times = await nanoseconds({
    read() {
      let sum = 0
      for (let done = 0; done < MANY; done++) sum += middleware.read(run).count
      return sum
    },
  })
  return [{ bar: 'state-read', echelon: median(times('read')) }]
}

export async function stateUpdate(): Promise<readonly Measured[]> {
  const run = new IdleRun()
  const { context, middleware } = counter(0, run)
  const times = await nanoseconds({
    update() {
      const { update } = context
      for (let done = 0; done < MANY; done++) update(counted)
    },
  })
  if (middleware.read(run).count === 0) throw new Error('the state was not updated')
  return [{ bar: 'state-update', echelon: median(times('update')) }]
}

export async function stateUpdateOfEight(): Promise<readonly Measured[]> {
  const run = new IdleRun()
  const contexts = Array.from({ length: 8 }, (_, index) => counter(index, run).context)
  const times = await nanoseconds({
    update() {
      for (let done = 0; done < MANY; done += 8) {
        for (const { update } of contexts) update(counted)
      }
    },
  })
  return [{ bar: 'state-update-eight', echelon: median(times('update')) }]
}

const counted = ({ count }: Counted): Counted => ({ count: count + 1, last: 'add' })

/** In a run just resumed: the state is read from its stored form. */
export async function stateFirstRead(): Promise<readonly Measured[]> {
  const { middleware } = counter(0, new IdleRun())
  if (middleware.read(new IdleRun(STORED)).count !== STORED.count)
    throw new Error('not what is stored')
  const times = await nanoseconds({
    first() {
      let sum = 0
      for (let done = 0; done < MANY; done++) sum += middleware.read(new IdleRun(STORED)).count
      return sum
    },
    run() {
      let sum = 0
      for (let done = 0; done < MANY; done++) sum += new IdleRun(STORED).contexts.size
      return sum
    },
  })
  const differences = times('first').map((time, round) => time - (times('run')[round] ?? NaN))
  return [{ bar: 'state-first-read', echelon: median(differences) }]
}

const STATES = 8

/** Loading stored states with the same code: checks signature, versions and each of eight states. */
export async function schemaCheck(): Promise<readonly Measured[]> {
  const run = new IdleRun()
  const middlewares = Array.from({ length: STATES }, (_, index) => counter(index, run).middleware)
  const { slots } = compose(middlewares)
  const stored = containerOf(slots, Object.fromEntries(middlewares.map(({ key }) => [key, STORED])))
  const { states, changes } = reconcile(stored, slots)
  if (Object.keys(states).length !== STATES || changes.length > 0) {
    throw new Error('the stored states are not taken as they are')
  }
  const times = await nanoseconds({
    check() {
      let found = 0
      for (let done = 0; done < MANY; done++) found += reconcile(stored, slots).changes.length
      return found
    },
  })
  const note = `of ${STATES} states`
  return [{ bar: 'schema-check', echelon: median(times('check')) / 1000, note }]
}
