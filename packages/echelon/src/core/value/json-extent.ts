import type { Json } from './json.ts'

/** What is nested deeper is not followed: a look through it would need a stack without end. */
export const DEEPEST = 200
/** Steps that one part of a value is worth; a character is one. */
export const LOOK = 100

/** In what a value goes beyond what can be looked through. */
export type Excess = 'deep' | 'large'

/**
 * Looks through a value as it would be written out, so that a part that stands in many places counts
 * in each of them; and no further than to the first excess.
 * @param most steps that it may be worth
 */
export function excessOf(value: unknown, most: number): Excess | undefined {
  let left = most
  const look = (part: unknown, depth: number): Excess | undefined => {
    left -= ownSize(part)
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

/** Steps that a look through all of a value is worth; of one that is known to have no excess. */
export function sizeOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return ownSize(value)
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), ownSize(value))
}

/** Without what is in it. */
function ownSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 1
  if (typeof value !== 'object' || value === null) return 1
  if (Array.isArray(value)) return 1 + value.length * LOOK
  return Object.keys(value).reduce((sum, name) => sum + LOOK + name.length, 1)
}
