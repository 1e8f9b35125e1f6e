import type { JsonObject } from '../../../packages/echelon/src/core/value/json.ts'
import { isolate, workerModule } from '../../../packages/echelon/src/platform/isolate.ts'

/** Median cost of a call, in milliseconds. */
export interface Cost {
  /** The first call: starts a process and loads the module. */
  readonly cold: number
  /** A call after that. */
  readonly warm: number
}

/** Number of measured calls of each kind. */
interface Calls {
  readonly cold: number
  readonly warm: number
}

export const WHOLE: Calls = { cold: 5, warm: 500 }
export const BRIEF: Calls = { cold: 1, warm: 10 }

const never = new AbortController().signal

/** Cost of a calculator call, compared with a call into an isolate that does nothing. */
export async function benchOverhead(calls: Calls): Promise<{
  readonly calculator: Cost
  readonly empty: Cost
}> {
  const empty = await cost('./empty.ts', calls)
  return {
    empty,
    calculator: await cost('../../../packages/tools/src/calculator/answer.ts', calls),
  }
}

async function cost(path: string, calls: Calls): Promise<Cost> {
  const { run, close } = isolate<JsonObject, unknown>({
    name: path,
    module: workerModule(import.meta.url, path),
    memoryMb: 128,
    timeoutMs: 5000,
  })
  const call = (): Promise<unknown> => run({ expr: '(48/2 + 0.1) * 3' }, never)
  const cold: number[] = []
  for (let index = 0; index < calls.cold; index += 1) {
    await close()
    cold.push(await timed(call))
  }
  const warm: number[] = []
  for (let index = 0; index < calls.warm; index += 1) warm.push(await timed(call))
  await close()
  return { cold: middle(cold), warm: middle(warm) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
