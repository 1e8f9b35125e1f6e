import type { PageQuery } from 'echelon/client'

/** A part of a list, and where the next one begins. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: number | null
}

const PAGE = 100

export function pageOf<Item>(
  all: readonly Item[],
  { after = 0, limit = PAGE }: PageQuery,
): Page<Item> {
  const end = after + limit
  return { items: all.slice(after, end), next: end < all.length ? end : null }
}
