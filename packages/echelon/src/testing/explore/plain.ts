/** Deeper values are treated as circular. */
export const DEEPEST = 64

/**
 * Finds a part of a value that is not plain data, as `seen is a Set`; undefined if there is none.
 * JSON omits the content of a Set or a function, so different states would look equal. A value with
 * `toJSON`, such as a thread, is trusted.
 */
export function oddPart(value: unknown): string | undefined {
  const path: string[] = []
  const odd = oddIn(value, path)
  if (odd === undefined) return undefined
  return path.length > DEEPEST ? 'it is circular' : `${path.join('.') || 'it'} is a ${odd}`
}

/** Collects the path to the part. */
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
