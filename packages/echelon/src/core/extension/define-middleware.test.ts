import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { modelCall, type TestRun, testRun } from '../../testing/middleware-run.ts'
import { defineMiddleware } from './define-middleware.ts'
import type { Middleware } from './defined-middleware.ts'
import type {
  MiddlewareContext,
  MiddlewareRun,
  ModelOutcome,
  Prompt,
  StateCell,
  Turn,
  TurnEnd,
} from './middleware.ts'
import type { PermitRequest, Verdict } from '../agent/permission.ts'
import type { Json, JsonObject } from '../value/json.ts'
import { MOST_STATE_BYTES, type StateScope } from '../state/state.ts'
import { NOTHING_SAID } from '../message/thread.ts'
import type { ToolCall, ToolOutcome } from '../tool/tool.ts'

/** A run that records opened states. */
type Run = TestRun & { readonly cells: readonly StateCell[] }

function runWith(saved: JsonObject = {}, shared = new Map<string, Json>()): Run {
  const cells: StateCell[] = []
  const opened = (cell: StateCell): void => void cells.push(cell)
  return { ...testRun({ saved, shared }), opened, cells }
}

const TURN: Turn = { messages: [], history: NOTHING_SAID }
const END: TurnEnd = { status: 'finished', reason: 'done', text: 'hi' }
const PROMPT: Prompt = { head: [], thread: NOTHING_SAID, tail: [] }
const REQUEST: PermitRequest = { type: 'offer', tool: 'add' }
const ALLOW: Verdict = { type: 'allow' }
const CALL: ToolCall = { id: 'c0', tool: 'add', input: {} }
const OK: ToolOutcome = { type: 'ok', value: 1 }
const REFUSED: ModelOutcome = { type: 'refused', by: 'policy', limit: 'x', message: 'no' }

const count = z.object({ count: z.number() })
type Count = z.infer<typeof count>

/** A middleware that counts tool calls in its state. */
const counter = (scope?: StateScope, namespace?: string) =>
  defineMiddleware({
    name: 'counter',
    ...(namespace === undefined ? {} : { namespace }),
    state: {
      version: 1,
      schema: count,
      initial: { count: 0 },
      ...(scope === undefined ? {} : { scope }),
    },
    async tool(call, next, { update }) {
      update((state) => ({ count: state.count + 1 }))
      return next(call)
    },
  })

const callTool = (middleware: Middleware, run: MiddlewareRun): Promise<ToolOutcome> => {
  assert.ok(middleware.tool !== undefined)
  return middleware.tool(CALL, async () => OK, run)
}

/** A middleware whose only hook exposes its context. */
function withContext<State>(
  state: Parameters<typeof defineMiddleware<'watched', State>>[0]['state'],
) {
  const contexts: MiddlewareContext<State>[] = []
  const middleware = defineMiddleware<'watched', State>({
    name: 'watched',
    ...(state === undefined ? {} : { state }),
    async tool(call, next, context) {
      contexts.push(context)
      return next(call)
    },
  })()
  const open = async (run: MiddlewareRun): Promise<MiddlewareContext<State>> => {
    await callTool(middleware, run)
    const context = contexts.at(-1)
    assert.ok(context !== undefined)
    return context
  }
  return { middleware, open }
}

describe('a middleware', () => {
  test('has exactly the hooks that it defines', () => {
    const middleware = counter()()
    assert.deepEqual(
      (['turn', 'prompt', 'generate', 'stream', 'permit', 'tool'] as const).filter(
        (hook) => middleware[hook] !== undefined,
      ),
      ['tool'],
    )
    assert.deepEqual(
      [middleware.name, middleware.key, middleware.replaces],
      ['counter', 'app/counter', []],
    )
    assert.ok(Object.isFrozen(middleware))
  })

  test('[C-28] is identified by its namespace and name', () => {
    assert.equal(counter('run', 'mine')().slot?.key, 'mine/counter')
    assert.equal(defineMiddleware({ name: 'bare' })().slot, undefined)
    assert.equal(defineMiddleware({ name: 'bare' })().read, undefined)
  })

  test('rejects names that are not a single word of a key', () => {
    for (const word of ['', '1st', 'a/b', 'a,b', 'a.b', 'x'.repeat(65), '__proto__']) {
      for (const spec of [{ name: word }, { name: 'fine', namespace: word }]) {
        assert.throws(() => defineMiddleware(spec), {
          code: 'INVALID_DEFINITION',
          message: /cannot be called ".*"; begin with a letter/,
        })
      }
    }
    assert.equal(defineMiddleware({ name: 'a-b_C1' })().key, 'app/a-b_C1')
  })

  test('passes on the inputs and results of its hooks', async () => {
    const middleware = defineMiddleware({
      name: 'passing',
      replaces: ['retry'],
      turn: (turn, next) => next({ ...turn, messages: [{ role: 'system', content: 'x' }] }),
      prompt: (prompt, next) => next(prompt),
      generate: async (call, next) => {
        await next(call)
        return next(call)
      },
      stream: () => ({ text: (delta) => delta.toUpperCase() }),
      permit: async (request, next) => {
        await next(request)
        return { type: 'deny', reason: 'no' }
      },
      tool: async (call, next) => {
        await next(call)
        return next(call)
      },
    })()
    const run = runWith()
    const asked: string[] = []
    const end = await middleware.turn?.(
      TURN,
      async ({ messages }) => ({ ...END, text: String(messages.length) }),
      run,
    )
    assert.equal(end?.text, '1')
    assert.equal(await middleware.prompt?.(PROMPT, async (prompt) => prompt, run), PROMPT)
    assert.equal(middleware.stream?.(run).text('a'), 'A')
    const verdict = await middleware.permit?.(REQUEST, async () => ALLOW, run)
    assert.deepEqual(verdict, { type: 'deny', reason: 'no' })
    await middleware.generate?.(
      modelCall(),
      async () => {
        asked.push('generate')
        return REFUSED
      },
      run,
    )
    await middleware.tool?.(
      CALL,
      async () => {
        asked.push('tool')
        return OK
      },
      run,
    )
    assert.deepEqual(asked, ['generate', 'generate', 'tool', 'tool'])
    assert.deepEqual(middleware.replaces, ['retry'])
  })

  test('may not call next a second time in turn, prompt and permit', async () => {
    const twice = async <Request, Answer>(
      request: Request,
      next: (request: Request) => Promise<Answer>,
    ): Promise<Answer> => {
      await next(request)
      return next(request)
    }
    const middleware = defineMiddleware({
      name: 'eager',
      turn: (turn, next) => twice(turn, next),
      prompt: (prompt, next) => twice(prompt, next),
      permit: (request, next) => twice(request, next),
    })()
    const run = runWith()
    const tries = {
      turn: () => middleware.turn?.(TURN, async () => END, run),
      prompt: () => middleware.prompt?.(PROMPT, async (prompt) => prompt, run),
      permit: () => middleware.permit?.(REQUEST, async () => ALLOW, run),
    }
    for (const [hook, attempt] of Object.entries(tries)) {
      await assert.rejects(async () => attempt(), {
        code: 'INVALID_DEFINITION',
        message: `eager called next of ${hook} a second time; only next of generate and tool may be called again`,
      })
    }
  })

  test('calls next once in each of several turns', async () => {
    const middleware = defineMiddleware({ name: 'calm', turn: (turn, next) => next(turn) })()
    const run = runWith()
    for (let turn = 0; turn < 3; turn++) await middleware.turn?.(TURN, async () => END, run)
    assert.equal(run.contexts.size, 1)
  })
})

describe('the state of a middleware', () => {
  test('[C-27] changes by computing a new value, never in place', async () => {
    const { middleware, open } = withContext<Count>({
      version: 1,
      schema: count,
      initial: { count: 1 },
    })
    const run = runWith()
    const context = await open(run)
    const before = context.state
    context.update((state) => ({ count: state.count + 1 }))
    assert.deepEqual([before, context.state], [{ count: 1 }, { count: 2 }])
    assert.deepEqual(middleware.read?.(run), { count: 2 })
  })

  test('can be updated by a destructured function', async () => {
    const middleware = counter()()
    const run = runWith()
    await callTool(middleware, run)
    await callTool(middleware, run)
    assert.deepEqual(middleware.read?.(run), { count: 2 })
  })

  test('is opened once per run, and reports whether there is something to record', async () => {
    const middleware = counter()()
    const run = runWith()
    assert.deepEqual(middleware.read?.(run), { count: 0 })
    const [cell] = run.cells
    assert.equal(cell?.dirty, false)
    await callTool(middleware, run)
    assert.equal(run.cells.length, 1)
    assert.equal(cell?.dirty, true)
    assert.deepEqual(cell?.save(), { count: 1 })
  })

  test('is not recorded when an update returns the same state', async () => {
    const { open } = withContext<Count>({ version: 1, schema: count, initial: { count: 1 } })
    const run = runWith()
    const { update } = await open(run)
    update((state) => state)
    assert.equal(run.cells[0]?.dirty, false)
  })

  test('[C-27] is separate in each run, even with the same middleware', async () => {
    const middleware = counter()()
    const [one, other] = [runWith(), runWith()]
    await callTool(middleware, one)
    assert.deepEqual(
      [middleware.read?.(one), middleware.read?.(other)],
      [{ count: 1 }, { count: 0 }],
    )
  })

  test('starts with the recorded state, defaults filled in', async () => {
    const schema = z.object({ count: z.number(), reason: z.string().default('none') })
    const { open } = withContext({ version: 1, schema, initial: { count: 0, reason: '' } })
    const context = await open(runWith({ 'app/watched': { count: 7 } }))
    assert.deepEqual(context.state, { count: 7, reason: 'none' })
  })

  test('is rejected when the recorded state does not fit', async () => {
    const run = runWith({ 'app/counter': { count: 'x' } })
    assert.throws(() => counter()().read?.(run), { code: 'STATE_REFUSED' })
  })

  test('is rejected above 4 KB, and the previous state stays', async () => {
    const schema = z.object({ text: z.string() })
    const { open } = withContext({ version: 1, schema, initial: { text: '' } })
    const run = runWith()
    const context = await open(run)
    context.update(() => ({ text: 'x'.repeat(MOST_STATE_BYTES) }))
    assert.throws(() => run.cells[0]?.save(), {
      code: 'STATE_TOO_LARGE',
      message: /app\/watched takes \d+ bytes; the limit is 4096/,
    })
    assert.deepEqual([context.state, run.cells[0]?.save()], [{ text: '' }, { text: '' }])
  })

  test('cannot be read or updated unless it was declared', async () => {
    const { open } = withContext<undefined>(undefined)
    const context = await open(runWith())
    const wrong = { code: 'INVALID_DEFINITION', message: /watched declares no state/ }
    assert.throws(() => context.state, wrong)
    assert.throws(() => context.update(() => undefined), wrong)
  })

  test('with scope shared is common to all runs, written at once and never recorded', async () => {
    const middleware = counter('shared')()
    const common = new Map<string, Json>()
    const [one, other] = [runWith({}, common), runWith({}, common)]
    for (const run of [one, other, one]) await callTool(middleware, run)
    assert.deepEqual(common.get('app/counter'), { count: 3 })
    assert.deepEqual(
      [middleware.read?.(one), middleware.read?.(other)],
      [{ count: 3 }, { count: 3 }],
    )
    assert.deepEqual([one.cells, other.cells], [[], []])
    common.set('app/counter', { count: 'x' })
    assert.throws(() => middleware.read?.(other), { code: 'STATE_REFUSED' })
  })

  test('with scope shared is not written when an update returns the same state', async () => {
    const spec = { version: 1, schema: count, initial: { count: 0 }, scope: 'shared' } as const
    const { open } = withContext<Count>(spec)
    const common = new Map<string, Json>()
    const { update } = await open(runWith({}, common))
    update((state) => state)
    assert.equal(common.size, 0)
  })

  test('with scope shared above 4 KB keeps the previous state', async () => {
    const schema = z.object({ text: z.string() })
    const spec = { version: 1, schema, initial: { text: 'a' }, scope: 'shared' } as const
    const { open } = withContext(spec)
    const context = await open(runWith())
    assert.throws(() => context.update(() => ({ text: 'x'.repeat(MOST_STATE_BYTES) })), {
      code: 'STATE_TOO_LARGE',
    })
    assert.deepEqual(context.state, { text: 'a' })
  })

  test('emits events under the name of its middleware', async () => {
    const run = runWith()
    const { open } = withContext<undefined>(undefined)
    const context = await open(run)
    context.emit('tripped', { after: 3 })
    context.emit('quiet')
    assert.deepEqual(run.told, [
      { middleware: 'watched', event: 'tripped', data: { after: 3 } },
      { middleware: 'watched', event: 'quiet', data: null },
    ])
    assert.equal(context.run, run)
  })
})
