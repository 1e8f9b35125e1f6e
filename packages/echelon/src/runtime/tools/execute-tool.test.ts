import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Artifact, ArtifactStore } from '../../core/tool/artifact.ts'
import type { Json } from '../../core/value/json.ts'
import { redactText } from '../../core/redaction/redaction.ts'
import {
  defineTool,
  type Tool,
  TOOL_ERRORS,
  ToolError,
  type ToolOutcome,
  type ToolSpec,
} from '../../core/tool/tool.ts'
import { SetClock } from '../../testing/set-clock.ts'
import { Deadline } from '../model/deadline.ts'
import { executeTool } from './execute-tool.ts'

type Input = { readonly n: number }

const PLOT: Artifact = {
  name: 'plot.png',
  path: '/a/plot.png',
  mediaType: 'image/png',
  bytes: 3,
  sha256: 'ab',
}
const store: ArtifactStore = {
  async write(name) {
    if (name.endsWith('.exe')) throw new ToolError('INVALID_FILE_TYPE', 'no programs')
    return { ...PLOT, name }
  },
}

const make = (run: ToolSpec<Input>['run'], more: Partial<ToolSpec<Input>> = {}): Tool =>
  defineTool({ name: 'add', description: '', input: z.object({ n: z.number() }), run, ...more })

interface Trial {
  readonly clock: SetClock
  readonly cancel: { abort(): void }
  readonly progress: Json[]
  readonly outcome: Promise<ToolOutcome>
}

const SURROUNDINGS = {
  key: 'run:0:0',
  at: new SetClock().now(),
  timeZone: 'UTC',
  artifacts: store,
  progress: (): undefined => undefined,
  redact: redactText,
}

function start(
  tool: Tool,
  { input = { n: 1 }, runMs = Infinity }: { input?: Json; runMs?: number } = {},
): Trial {
  const clock = new SetClock()
  const canceler = { clock, isCanceled: false, msLeft: runMs, deadlines: new Set<Deadline>() }
  const deadline = new Deadline(canceler, tool.timeoutMs)
  const progress: Json[] = []
  const surroundings = { ...SURROUNDINGS, progress: (data: Json) => void progress.push(data) }
  const outcome = Promise.resolve(executeTool(tool, input, surroundings, deadline))
  return { clock, cancel: { abort: () => deadline.abort('canceled') }, progress, outcome }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const never = (): Promise<never> => new Promise(() => undefined)

test('the outcome is what a tool returns, and the tool gets its context', async () => {
  const { outcome, clock, progress } = start(
    make(({ n }, context) => {
      context.progress('half')
      const { key, at, timeZone, signal } = context
      return { n, key, at, timeZone, aborted: signal.aborted }
    }),
  )
  assert.deepEqual(await outcome, {
    type: 'ok',
    value: { n: 1, key: 'run:0:0', at: clock.now(), timeZone: 'UTC', aborted: false },
  })
  assert.deepEqual(progress, ['half'])
  assert.equal(clock.pending, 0)
})

test('invalid arguments never reach the tool, and the path is named', async () => {
  let ran = false
  const tool = make(() => (ran = true))
  assert.deepEqual(await start(tool, { input: { n: 'one' } }).outcome, {
    type: 'error',
    code: 'INVALID_ARGS',
    message: 'n: Invalid input: expected number, received string',
  })
  assert.equal(ran, false)
})

test('[R4.1] [R5.5] [R13.1] [DD-7] any thrown error becomes an outcome', async () => {
  const thrown: readonly (readonly [unknown, string, string])[] = [
    [new ToolError('RATE_LIMIT', 'slow down'), 'RATE_LIMIT', 'slow down'],
    [new Error('broken'), 'TOOL_ERROR', 'broken'],
    ['text', 'TOOL_ERROR', 'text'],
    [undefined, 'TOOL_ERROR', 'undefined'],
    [null, 'TOOL_ERROR', 'null'],
  ]
  for (const [error, code, message] of thrown) {
    const raise = (): never => {
      throw error
    }
    for (const run of [raise, async () => raise()]) {
      const { outcome, clock } = start(make(run))
      assert.deepEqual(await outcome, { type: 'error', code, message })
      assert.equal(clock.pending, 0)
    }
  }
  assert.ok(thrown.every(([, code]) => Object.hasOwn(TOOL_ERRORS, code)))
})

test('[DD-7] a schema that throws becomes an outcome too', async () => {
  const input = z.object({ n: z.number() }).refine(() => {
    throw new Error('the schema broke')
  })
  const { outcome } = start(make(() => 1, { input }))
  assert.deepEqual(await outcome, {
    type: 'error',
    code: 'TOOL_ERROR',
    message: 'the schema broke',
  })
})

test('[DD-16] a schema that never answers is aborted like a tool', async () => {
  const input = z.object({ n: z.number() }).refine(never)
  const acting = make(() => 1, { input, does: 'acts' })
  const { outcome, clock } = start(acting)
  await clock.advance(10_000)
  const { type, code } = await outcome.then((one) => ({ code: '', ...one }))
  assert.deepEqual(
    [type, code],
    ['error', 'NET_TIMEOUT'],
    'it was not begun, so it cannot have acted',
  )
})

test('a finished act is ok, whatever it returned', async () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  const unreadable = { n: 1, toJSON: () => assert.fail('it is read') }
  const rows: readonly (readonly [returned: unknown, value: Json])[] = [
    [undefined, null],
    [Number.NaN, null],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [{ id: 12n, gone: undefined }, { id: '12' }],
    [new Map([['a', new Set([1])]]), { a: [1] }],
    [circle, { self: '[circular]' }],
    [unreadable, '[unreadable]'],
  ]
  for (const [returned, value] of rows) {
    const atOnce = make(() => returned, { does: 'acts' })
    const later = make(() => Promise.resolve(returned), { does: 'acts' })
    assert.deepEqual(await start(atOnce).outcome, { type: 'ok', value })
    assert.deepEqual(await start(later).outcome, { type: 'ok', value })
  }
})

test('a thenable is awaited', async () => {
  // oxlint-disable-next-line no-thenable -- like query builders
  const query = { then: (resolve: (rows: Json) => void) => resolve([{ id: 1 }]) }
  assert.deepEqual(await start(make(() => query)).outcome, { type: 'ok', value: [{ id: 1 }] })
})

test('[DD-16] a tool has a timeout; a late reading tool fails as NET_TIMEOUT', async () => {
  const { outcome, clock } = start(make(never, { timeoutMs: 2500 }))
  await clock.advance(2499)
  assert.equal(await Promise.race([outcome, turn()]), undefined)
  await clock.advance(1)
  assert.deepEqual(await outcome, {
    type: 'error',
    code: 'NET_TIMEOUT',
    message: 'add took longer than 2.5 s',
  })
  assert.equal(clock.pending, 0)
})

test("the end of the run's time is a refusal, a cancel an error, and neither waits for the tool", async () => {
  const late = start(make(never), { runMs: 100 })
  await late.clock.advance(100)
  assert.deepEqual(await late.outcome, { type: 'refused', limit: 'seconds' })
  const canceled = start(make(never))
  await turn()
  canceled.cancel.abort()
  assert.deepEqual(await canceled.outcome, {
    type: 'error',
    code: 'TOOL_ERROR',
    message: 'add was canceled',
  })
  assert.equal(canceled.clock.pending, 0)
})

test('an acting tool that is aborted may have acted: the outcome is unknown', async () => {
  const acting = make(never, { does: 'acts', timeoutMs: 50 })
  for (const [end, why] of [
    [(trial: Trial) => trial.clock.advance(50), /it took too long/],
    [(trial: Trial) => Promise.resolve(trial.cancel.abort()), /canceled/],
  ] as const) {
    const trial = start(acting)
    await turn()
    await end(trial)
    const outcome = await trial.outcome
    assert.ok(outcome.type === 'unknown')
    assert.match(outcome.message, why)
  }
  const seconds = start(acting, { runMs: 10 })
  await turn()
  await seconds.clock.advance(10)
  assert.equal((await seconds.outcome).type, 'unknown')
})

test('an acting tool that reports that it may have acted has an unknown outcome, not an error', async () => {
  const lost = new ToolError('NET_TIMEOUT', 'the answer got lost', { mayHaveActed: true })
  const raise = (): never => {
    throw lost
  }
  assert.deepEqual(await start(make(raise, { does: 'acts' })).outcome, {
    type: 'unknown',
    message: 'the answer got lost',
  })
  for (const does of ['reads', 'idempotent'] as const) {
    const { type } = await start(make(raise, { does })).outcome
    assert.equal(type, 'error', 'it may be repeated')
  }
})

test('a tool that is canceled before its start is not started', async () => {
  let ran = 0
  const canceler = {
    clock: new SetClock(),
    isCanceled: true,
    msLeft: 1,
    deadlines: new Set<Deadline>(),
  }
  const tool = make(() => ++ran, { does: 'acts' })
  const outcome = await executeTool(tool, { n: 1 }, SURROUNDINGS, new Deadline(canceler, 1000))
  assert.equal(outcome.type, 'error')
  assert.equal(ran, 0)
})

test('[DD-22] the signal tells the tool to stop', async () => {
  let stopped = false
  const tool = make(
    (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          stopped = true
          resolve(null)
        })
      }),
  )
  const trial = start(tool)
  await turn()
  trial.cancel.abort()
  await trial.outcome
  assert.ok(stopped)
})

test('[R5.4] files that a tool writes are in its outcome, in order, and only those that were stored', async () => {
  const tool = make(async (_input, { artifacts }) => {
    await artifacts.write('a.png', new Uint8Array(1))
    await artifacts.write('b.exe', new Uint8Array(1)).catch(() => undefined)
    await artifacts.write('c.png', new Uint8Array(1))
    return null
  })
  assert.deepEqual(await start(tool).outcome, {
    type: 'ok',
    value: null,
    artifacts: [
      { ...PLOT, name: 'a.png' },
      { ...PLOT, name: 'c.png' },
    ],
  })
})

test("progress and files after a tool's end are ignored", async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const trial = start(
    make((_input, context) => {
      const later = gate.then(() => {
        context.progress('late')
        return context.artifacts.write('late.png', new Uint8Array(1))
      })
      later.catch(() => undefined)
      return context.artifacts.write('a.png', new Uint8Array(1)).then(() => null)
    }),
  )
  const outcome = await trial.outcome
  open()
  await turn()
  assert.deepEqual(outcome, { type: 'ok', value: null, artifacts: [{ ...PLOT, name: 'a.png' }] })
  assert.deepEqual(trial.progress, [])
})

test('secrets in a thrown error do not reach the model', async () => {
  const raw = new Error('database password is hunter2')
  const coded = new ToolError('RATE_LIMIT', 'slow down, api key: abcdef12')
  const lost = new ToolError('NET_TIMEOUT', 'no answer; token=abcdef12', { mayHaveActed: true })
  const messages = await Promise.all(
    [raw, coded, lost].map(async (error) => {
      const throws = (): never => {
        throw error
      }
      const { outcome: ended } = start(make(throws, { does: 'acts' }))
      const outcome = await ended
      return 'message' in outcome ? outcome.message : outcome.type
    }),
  )
  assert.deepEqual(messages, [
    'database password is [redacted:secret]',
    'slow down, api key: [redacted:secret]',
    'no answer; token=[redacted:secret]',
  ])
})
