import type { Json } from '../core/value/json.ts'

/** One thing that must hold. Rejects when it does not. */
export interface ContractCase {
  readonly name: string
  readonly holds: () => Promise<void>
}

/** Cases that each begin with something new. */
export const casesOf =
  <Trial>(open: () => Trial | Promise<Trial>) =>
  (name: string, holds: (trial: Trial) => void | Promise<void>): ContractCase => ({
    name,
    holds: async () => {
      await holds(await open())
    },
  })

/** Every kind of value that JSON has. */
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

/** A difference alone does not say what to do about it. */
export const notCopied = (who: string, what: string): string =>
  `${who} must copy: the ${what} was changed after it was given`

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

/** Frozen to their depth. What others froze may have parts that are not. */
const FROZEN = new WeakSet<object>()

/** The same value, which nobody can change any more, however deep. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || FROZEN.has(value)) return value
  // What bytes lie in cannot be frozen.
  if (ArrayBuffer.isView(value)) return value
  FROZEN.add(value)
  Object.freeze(value)
  for (const inner of Object.values(value)) frozen(inner)
  return value
}

/**
 * What a promise comes to, or an error when it takes longer than a person would wait: a test that
 * hangs tells nothing.
 */
export async function inTime<Value>(
  promise: Promise<Value>,
  what: string,
  ms: number,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
