import { z } from 'zod'
import { defineMiddleware } from '../packages/echelon/src/core/extension/define-middleware.ts'
import type { Middleware } from '../packages/echelon/src/core/extension/defined-middleware.ts'
import type {
  MiddlewareContext,
  MiddlewareRun,
} from '../packages/echelon/src/core/extension/middleware.ts'
import { migration } from '../packages/echelon/src/core/state/state-migration.ts'

/**
 * Types that the compiler derives for a middleware's state from its schema alone: no cast, no key.
 * `types.test.ts` compiles this page: each marked line must be an error, and no other.
 */
const schema = z.object({
  last: z.string().nullable(),
  count: z.record(z.string(), z.number()),
  seen: z.array(z.object({ at: z.number() })),
})
type Calls = z.infer<typeof schema>

const counter = defineMiddleware({
  name: 'counter',
  state: { version: 1, schema, initial: { last: null, count: {}, seen: [] } },
  async tool(call, next, { state, update }) {
    const before: number = state.count[call.tool] ?? 0
    update((now) => ({ ...now, count: { ...now.count, [call.tool]: before + 1 } }))
    return next(call)
  },
})

/** The name is a literal type, so that `state.middleware.counter` can be typed. */
const middleware: Middleware<'counter', Calls> = counter()
// @ts-expect-error another name
const renamed: Middleware<'other', Calls> = counter()

function read(run: MiddlewareRun): number {
  const state = counter().read?.(run)
  // @ts-expect-error a field that the schema does not have
  const missing: number = state?.missing ?? 0
  // @ts-expect-error a field of another type
  const wrong: number | undefined = state?.last
  return (state?.seen[0]?.at ?? missing) + (wrong ?? 0)
}

function change({ state, update }: MiddlewareContext<Calls>): void {
  // @ts-expect-error a field cannot be changed in place
  state.last = 'x'
  // @ts-expect-error nor its contents
  state.count['x'] = 1
  // @ts-expect-error nor a list
  state.seen.push({ at: 1 })
  // @ts-expect-error nor the contents of a list
  if (state.seen[0] !== undefined) state.seen[0].at = 2
  update((now) => ({ ...now, last: 'x' }))
  update(({ seen, ...now }) => ({ ...now, seen: [...seen, { at: 1 }] }))
  // @ts-expect-error a state without one of its fields
  update(() => ({ last: 'x' }))
  // @ts-expect-error a state with a field of another type
  update((now) => ({ ...now, last: 1 }))
  // @ts-expect-error an asynchronous update
  update(async (now) => now)
}

defineMiddleware({
  name: 'wrong',
  // @ts-expect-error an initial state that does not fit the schema
  state: { version: 1, schema, initial: { last: 1, count: {}, seen: [] } },
})

// @ts-expect-error a hook that does not return the result of next
defineMiddleware({ name: 'forgetful', tool: async (call, next) => void (await next(call)) })

const migrated = defineMiddleware({
  name: 'migrated',
  state: {
    version: 2,
    schema: z.object({ count: z.number() }),
    initial: { count: 0 },
    migrate: {
      1: migration(z.object({ count: z.string() }), (old) => ({ count: Number(old.count) })),
    },
  },
})

// @ts-expect-error a field that the old state did not have
migration(z.object({ count: z.string() }), (old) => ({ count: old.counts }))

/** Nothing of this page is imported; it is only compiled. */
export const page: readonly unknown[] = [middleware, renamed, read, change, migrated]
