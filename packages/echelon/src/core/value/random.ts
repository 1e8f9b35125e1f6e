import type { Ids } from '../agent/ports.ts'

/**
 * A seeded stream of numbers in [0, 1): mulberry32 (Tommy Ettinger, public domain). For jitter and
 * sampling, never for secrets.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Seeded identifiers in the form of UUIDs, for runs that must repeat exactly. */
export function seededIds(seed: number): Ids {
  const random = seededRandom(seed)
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('')
  return { next: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}` }
}
