import type { Json } from '../core/value/json.ts'
import { ToolError } from '../core/tool/tool.ts'
import type { Wall, WallMode } from './wall/wall.ts'
import { wallFor } from './wall/wall-here.ts'
import { turns } from './isolate/turns.ts'
import { type Limits, startWorker, type Worker } from './isolate/worker.ts'

export { workerModule } from './worker-module.ts'

/**
 * A function that runs in separate processes with time and memory limits, so that no input can harm
 * this process.
 */
export interface Isolate<Input extends Json, Output> {
  /**
   * Rejects with the `ToolError` that the module threw; with `TOOL_ERROR` for any other error, an
   * exceeded limit or a missing package; with the signal's reason on abort.
   */
  readonly run: (input: Input, signal: AbortSignal) => Promise<Output>
  /** Ends all workers; running and waiting calls reject. A later run starts new workers. */
  readonly close: () => Promise<void>
}

/**
 * The time limit of a tool that works in an isolate, in milliseconds. The isolate limits the work
 * itself; this also bounds the wait for a free worker.
 */
export const TURN_AND_WORK_MS = 60_000

export interface IsolateOptions extends Limits {
  /** Maximum concurrent runs. Others wait, and the wait is not timed. Default 2. */
  readonly workers?: number
  /** Maximum length of the input as JSON, in UTF-16 units. Default 4 Mi. */
  readonly maxInput?: number
  /** Default: the mode set with `setWall`, or `auto`. */
  readonly wall?: WallMode
}

/**
 * Creates an isolate for a module whose default export is `(input) => output | Promise<output>`.
 * Starts nothing before the first run; then the worker stays warm and never keeps the process
 * alive. A worker that returns anything but an output or a refusal (`INVALID_ARGS`) is killed, and
 * the next run gets a new one. The same happens when the module exports `isIntact()`, called after
 * each answer, and it returns false.
 */
export function isolate<Input extends Json, Output>(
  options: IsolateOptions,
): Isolate<Input, Output> {
  const { name, workers = 2, maxInput = 4 * 1024 * 1024 } = options
  const crew = new Set<Worker<Output>>()
  const idle = new Set<Worker<Output>>()
  const { take, give } = turns(workers)
  let closing = new AbortController()
  const killAll = (): void => crew.forEach((worker) => worker.kill())

  function hire(wall: Wall | undefined): Worker<Output> {
    const worker = startWorker<Output>(options, wall)
    if (crew.size === 0) process.on('exit', killAll)
    crew.add(worker)
    void worker.gone.then(() => dismiss(worker))
    return worker
  }

  function dismiss(worker: Worker<Output>): void {
    idle.delete(worker)
    crew.delete(worker)
    if (crew.size === 0) process.off('exit', killAll)
  }

  async function ask(text: string, signal: AbortSignal): Promise<Output> {
    const wall = await wallForTools(options.wall)
    signal.throwIfAborted()
    const [worker = hire(wall)] = idle
    idle.delete(worker)
    try {
      return await worker.ask(text, signal)
    } finally {
      if (worker.alive()) idle.add(worker)
    }
  }

  return {
    async run(input, signal) {
      const text = JSON.stringify(input)
      if (text.length > maxInput) {
        throw new ToolError('INVALID_ARGS', `${name} takes at most ${maxInput} characters of input`)
      }
      const ending = AbortSignal.any([signal, closing.signal])
      await take(ending)
      return ask(text, ending).finally(give)
    },
    async close() {
      closing.abort(new ToolError('TOOL_ERROR', `${name} was closed`))
      closing = new AbortController()
      const ends = [...crew].map((worker) => worker.gone)
      killAll()
      await Promise.all(ends)
    },
  }
}

async function wallForTools(mode: WallMode | undefined): Promise<Wall | undefined> {
  try {
    return await wallFor(mode)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolError('TOOL_ERROR', why, { fault: 'setup' })
  }
}
