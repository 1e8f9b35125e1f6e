import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, suite, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Json, JsonObject } from '../core/value/json.ts'
import type { WallMode } from './wall/wall.ts'
import { type Isolate, isolate, workerModule } from './isolate.ts'

const module = workerModule(import.meta.url, './isolate/trial/misbehave.ts')
const open: { close(): Promise<void> }[] = []
after(() => Promise.all(open.map((each) => each.close())))

function trial(
  limits: {
    timeoutMs?: number
    maxInput?: number
    residentMb?: number
    frozen?: boolean
    wall?: WallMode
  } = {},
): Isolate<JsonObject, Json> {
  const created = isolate<JsonObject, Json>({
    name: 'trial',
    module,
    memoryMb: 64,
    timeoutMs: 5000,
    ...limits,
  })
  open.push(created)
  return created
}

const never = new AbortController().signal
const busyHandles = (): number =>
  process.getActiveResourcesInfo().filter((kind) => /Process|Pipe/.test(kind)).length

suite('an isolate', () => {
  test('[DD-16] turns a worker fault into a ToolError and serves the next run', async () => {
    const { run } = trial({ timeoutMs: 2000 })
    const wrong: [string, RegExp][] = [
      ['hoard', /trial needed more memory than the limit of 64 MB/],
      ['spin', /trial took longer to run than the limit of 2000 ms/],
      ['exit', /trial was stopped from outside \(3\)/],
      ['break', /x is not a function/],
      ['write', /Access to this API has been restricted/],
    ]
    for (const [deed, message] of wrong) {
      await assert.rejects(run({ do: deed }, never), {
        name: 'ToolError',
        code: 'TOOL_ERROR',
        message,
      })
      assert.equal(await run({ do: 'echo', with: deed }, never), deed)
    }
  })

  test('limits memory outside the heap if configured', async () => {
    const { run } = trial({ residentMb: 256 })
    await assert.rejects(run({ do: 'buffer' }, never), {
      code: 'TOOL_ERROR',
      message: 'trial needed more memory than the limit of 64 MB, or of 256 MB with its buffers',
    })
    assert.equal(await run({ do: 'echo', with: 1 }, never), 1)
  })

  test('keeps the code of the module’s ToolError and the worker', async () => {
    const { run } = trial()
    const before = await run({ do: 'process' }, never)
    const refusal = { name: 'ToolError', code: 'INVALID_ARGS', message: 'no such thing' }
    await assert.rejects(run({ do: 'refuse' }, never), refusal)
    assert.equal(await run({ do: 'process' }, never), before)
  })

  test('replaces a worker that failed or reports that it changed', async () => {
    const { run } = trial()
    for (const deed of ['damage', 'damageAndRefuse', 'giveUp', 'break']) {
      const before = await run({ do: 'process' }, never)
      await run({ do: deed }, never).catch(() => undefined)
      assert.notEqual(await run({ do: 'process' }, never), before, deed)
    }
  })

  test('discards changes to built-in objects after an input', async () => {
    for (const frozen of [true, false]) {
      const { run } = trial({ frozen })
      for (const deed of frozen ? ['pollute', 'replace', 'patch'] : ['pollute', 'replace']) {
        await run({ do: deed, with: 7 }, never).catch(() => undefined)
        const left = await run({ do: 'left' }, never)
        assert.deepEqual(left, [null, 2, true], `${deed}, frozen: ${frozen}`)
      }
    }
  })

  test('gives a worker no environment, so no keys', async () => {
    assert.deepEqual(await trial().run({ do: 'environment' }, never), [])
  })

  test('aborts a run by signal while running, waiting or not started', async () => {
    const { run } = trial()
    const reason = new Error('changed my mind')
    const control = new AbortController()
    const runs = ['spin', 'spin', 'echo'].map((deed) => run({ do: deed }, control.signal))
    void setTimeout(100).then(() => control.abort(reason))
    for (const result of await Promise.allSettled(runs)) {
      assert.deepEqual(result, { status: 'rejected', reason })
    }
    await assert.rejects(run({ do: 'echo' }, control.signal), reason)
    assert.equal(await run({ do: 'echo', with: 1 }, never), 1)
  })

  test('shares two workers among 200 callers, without timing the wait', async () => {
    // The last one ends after 1200 ms. A run of 300 ms has 700 ms to spare on a busy machine.
    const { run } = trial({ timeoutMs: 1000 })
    const slow = Array.from({ length: 8 }, () => run({ do: 'later', with: 300 }, never))
    const pids = Array.from({ length: 200 }, () => run({ do: 'process' }, never))
    assert.deepEqual(await Promise.all(slow), Array(8).fill(300))
    assert.ok(new Set(await Promise.all(pids)).size <= 2)
  })

  test('rejects a too large input before a worker gets it', async () => {
    const { run } = trial({ maxInput: 20 })
    const refusal = { code: 'INVALID_ARGS', message: /trial takes at most 20 characters/ }
    await assert.rejects(run({ do: 'echo', with: 'abc' }, never), refusal)
  })

  test('names the install command for a missing package', async () => {
    const incomplete = isolate<Json, Json>({
      name: 'incomplete',
      module: workerModule(import.meta.url, './isolate/trial/incomplete.ts'),
      memoryMb: 64,
      timeoutMs: 1000,
    })
    open.push(incomplete)
    for (const _ of [1, 2]) {
      await assert.rejects(incomplete.run(null, never), {
        code: 'TOOL_ERROR',
        fault: 'setup',
        message: /is not installed; run: npm install echelon-no-such-package/,
      })
    }
  })

  test('ends runs on close, leaves no handle, and starts new workers later', async () => {
    const before = busyHandles()
    const { run, close } = trial({ wall: 'off' })
    assert.equal(busyHandles(), before, 'nothing starts before the first run')
    const pid = Number(await run({ do: 'pid' }, never))
    const ended = { code: 'TOOL_ERROR', message: 'trial was closed' }
    const runs = ['spin', 'spin', 'echo'].map((deed) =>
      assert.rejects(run({ do: deed }, never), ended),
    )
    await close()
    await Promise.all(runs)
    // Node counts a handle while it closes, which takes a few event loop turns.
    await setTimeout(50)
    assert.equal(busyHandles(), before)
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
    assert.equal(await run({ do: 'echo', with: 1 }, never), 1)
  })

  const output = async (program: string): Promise<string> => {
    const address = JSON.stringify(workerModule(import.meta.url, './isolate.ts').href)
    const options = `{ name: 'idle', module: new URL('${module.href}'), memoryMb: 64, timeoutMs: 5000 }`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { isolate } from ${address}
        const { run, close } = isolate(${options})
        console.log(await run({ do: 'echo', with: 'done' }, new AbortController().signal))
        ${program}`,
      ],
      { timeout: 10_000 },
    )
    return stdout
  }

  test('does not keep the process alive with an idle worker', async () => {
    assert.equal(await output(''), 'done\n')
  })

  test('keeps the process alive while close is awaited', async () => {
    assert.equal(await output(`await close(); console.log('closed')`), 'done\nclosed\n')
  })
})

test('loads a worker module as .ts in source and .js in dist', () => {
  assert.equal(workerModule('file:///a/src/x.ts', './y/z.ts').href, 'file:///a/src/y/z.ts')
  assert.equal(workerModule('file:///a/dist/x.js', './y/z.ts').href, 'file:///a/dist/y/z.js')
})
