import type { Json } from '../core/value/json.ts'

/** One requirement of a contract. Rejects if it is not met. */
export interface ContractCase {
  readonly name: string
  readonly holds: () => Promise<void>
}

/** Creates cases that each start with a new subject. */
export const casesOf =
  <Trial>(open: () => Trial | Promise<Trial>) =>
  (name: string, holds: (trial: Trial) => void | Promise<void>): ContractCase => ({
    name,
    holds: async () => {
      await holds(await open())
    },
  })

/** Every kind of JSON value. */
export const JSON_VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1.5,
  '',
  'ä€😀\u2028"\\\n',
  [],
  [1, [null]],
  {},
  { a: { b: ['c'] } },
]

/** The assertion message, since a difference alone does not say what to do. */
export const notCopied = (who: string, what: string): string =>
  `${who} must copy: the ${what} was changed after it was passed`

/** Names that a careless store mixes up. */
export const ODD_NAMES: readonly string[] = [
  'a',
  'A',
  'a ',
  'ä',
  'a/b',
  '../a',
  '{"a":1}',
  '__proto__',
  'constructor',
  'x'.repeat(2000),
]

/** Deeply frozen values. Values frozen elsewhere may have parts that are not. */
const FROZEN = new WeakSet<object>()

/** Freezes a value deeply. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || FROZEN.has(value)) return value
  // The content of a buffer cannot be frozen.
  if (ArrayBuffer.isView(value)) return value
  FROZEN.add(value)
  Object.freeze(value)
  for (const inner of Object.values(value)) frozen(inner)
  return value
}

/** Parts of a time limit: a process that is not scheduled for a while misses one, not all. */
const PARTS = 10

/**
 * The value of a promise, or an error after a timeout, since a hanging test tells nothing. Only time in which this
 * process runs counts, so that a busy machine does not fail a test.
 */
export async function inTime<Value>(
  promise: Promise<Value>,
  what: string,
  ms: number,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const wait = (left: number): void => {
      if (left === 0) reject(new Error(`${what} within ${ms} ms`))
      else timer = setTimeout(wait, ms / PARTS, left - 1)
    }
    wait(PARTS)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
