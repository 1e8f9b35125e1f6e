import type { JsonObject } from '../../../packages/echelon/src/core/value/json.ts'
import { isolate, workerModule } from '../../../packages/echelon/src/host/isolate.ts'

/** What a call costs, in milliseconds, medians. */
export interface Cost {
  /** The first call: starts a process and loads the module. */
  readonly cold: number
  /** A call after that. */
  readonly warm: number
}

const COLD = 5
const WARM = 500
const never = new AbortController().signal

/** What a call of the calculator costs, beside a call into an isolate that does nothing. */
export async function benchOverhead(): Promise<{
  readonly calculator: Cost
  readonly empty: Cost
}> {
  const empty = await cost('./empty.ts')
  return { empty, calculator: await cost('../../../packages/tools/src/calculator/answer.ts') }
}

async function cost(path: string): Promise<Cost> {
  const { run, close } = isolate<JsonObject, unknown>({
    name: path,
    module: workerModule(import.meta.url, path),
    memoryMb: 128,
    timeoutMs: 5000,
  })
  const call = (): Promise<unknown> => run({ expr: '(48/2 + 0.1) * 3' }, never)
  const cold: number[] = []
  for (let index = 0; index < COLD; index += 1) {
    await close()
    cold.push(await timed(call))
  }
  const warm: number[] = []
  for (let index = 0; index < WARM; index += 1) warm.push(await timed(call))
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
