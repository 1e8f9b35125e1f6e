import type { Json } from './json.ts'

/** Maximum nesting that is followed: deeper values would overflow the stack. */
export const DEEPEST = 200
/** Cost of one part of a value in steps; a character costs one. */
export const LOOK = 100

/** The limit that a value exceeds. */
export type Excess = 'deep' | 'large'

/**
 * Checks the size of a value as it would be written out, so that a shared part counts each time it
 * occurs. Stops at the first excess.
 * @param most allowed cost in steps
 */
export function excessOf(value: unknown, most: number): Excess | undefined {
  let left = most
  const look = (part: unknown, depth: number): Excess | undefined => {
    left -= shallowSize(part)
    if (left < 0) return 'large'
    if (typeof part !== 'object' || part === null) return undefined
    if (depth === DEEPEST) return 'deep'
    const parts: readonly unknown[] = Object.values(part)
    for (const inner of parts) {
      const found = look(inner, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  return look(value, 0)
}

/** The cost of a whole value that is known to be within the limits, in steps. */
export function sizeOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return shallowSize(value)
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), shallowSize(value))
}

/** Without its contents. */
function shallowSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 1
  if (typeof value !== 'object' || value === null) return 1
  if (Array.isArray(value)) return 1 + value.length * LOOK
  return Object.keys(value).reduce((sum, name) => sum + LOOK + name.length, 1)
}
