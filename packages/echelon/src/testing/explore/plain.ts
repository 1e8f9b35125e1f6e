/** Deeper than this nobody means to go: it is a part of itself. */
export const DEEPEST = 64

/**
 * What in a value is no plain data, and where, as `seen is a Set`; nothing when all of it is. JSON
 * says nothing of what a Set or a function holds, so states that differ would look alike. What says
 * itself how it is written (`toJSON`), such as a thread, is taken at its word.
 */
export function oddPart(value: unknown): string | undefined {
  const path: string[] = []
  const odd = oddIn(value, path)
  if (odd === undefined) return undefined
  return path.length > DEEPEST ? 'it is a part of itself' : `${path.join('.') || 'it'} is a ${odd}`
}

/** Notes on the path where it was found. */
function oddIn(value: unknown, path: string[], depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return ODD.has(typeof value) ? typeof value : undefined
  }
  if (depth > DEEPEST) return 'circle'
  if ('toJSON' in value) return undefined
  if (!isPlain(value)) return String(Object(value.constructor).name)
  for (const key of Object.keys(value)) {
    const odd = oddIn(Reflect.get(value, key), path, depth + 1)
    if (odd === undefined) continue
    path.unshift(key)
    return odd
  }
  return undefined
}

const ODD: ReadonlySet<string> = new Set(['function', 'bigint', 'symbol'])

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
