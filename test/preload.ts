import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { failOnChangedProcess } from './process-state.ts'

/** Compiled modules of tests and of the processes they start; safe to delete. */
const COMPILED = join(import.meta.dirname, '../node_modules/.cache/compiled')

/** The module that a test's import of `fast-check` loads. */
const SEEDED = new URL('seeded-fast-check.ts', import.meta.url).href

/** Time limit of a process of test files, as a multiple of the limit of one test. */
const TESTS_A_PROCESS = 3

/** Code of the thread that ends a test process which hangs; `beats` counts timers of the main thread. */
const WATCH = `
const { workerData: { beats, limitMs, processMs } } = require('node:worker_threads')
const end = (why) => {
  require('node:fs').writeSync(2, 'killed: ' + why + '\\n')
  process.kill(process.pid, 'SIGKILL')
}
const began = Date.now()
let seen = -1
let since = began
setInterval(() => {
  const now = Atomics.load(beats, 0)
  if (now !== seen) {
    seen = now
    since = Date.now()
  }
  if (Date.now() - since > limitMs) end('the main thread was blocked for ' + limitMs + ' ms')
  if (Date.now() - began > processMs) end('the test files took longer than ' + processMs + ' ms')
}, limitMs / 10)`

/**
 * Ends what `--test-timeout` only reports: a loop without an await, which stops all timers of its
 * thread, and a test that timed out but keeps the process alive.
 */
function endHanging(limitMs: number): void {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.add(beats, 0, 1), limitMs / 10).unref()
  const workerData = { beats, limitMs, processMs: limitMs * TESTS_A_PROCESS }
  new Worker(WATCH, { eval: true, workerData }).unref()
}

// `npm test` preloads this module. The runner itself must pass coverage on to the test files.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) {
  // Code loaded from the cache is counted less precisely, so coverage is measured without it.
  if (process.env['NODE_V8_COVERAGE'] === undefined) enableCompileCache(COMPILED)
  // Node passes this variable on to every child, whatever environment the child is given.
  delete process.env['NODE_V8_COVERAGE']
  process.env['NODE_COMPILE_CACHE'] = COMPILED
  // Packages read the environment for colors when they are loaded.
  process.env['NO_COLOR'] = '1'
  delete process.env['FORCE_COLOR']
  registerHooks({
    resolve: (name, context, next) =>
      name === 'fast-check' && context.parentURL !== SEEDED
        ? { url: SEEDED, shortCircuit: true }
        : next(name, context),
  })
  const [limitMs] = process.execArgv.flatMap((word) => word.split('--test-timeout=')[1] ?? [])
  if (Number(limitMs) > 0) endHanging(Number(limitMs))
  failOnChangedProcess()
}
