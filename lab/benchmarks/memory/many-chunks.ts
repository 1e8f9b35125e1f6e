import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { KnowledgeBase } from '@echelon/knowledge'
import { PACKAGES } from './documents.ts'

export interface Indexed {
  readonly documents: number
  readonly chunks: number
  /** Milliseconds from the first file on: read, split, embedded and added. */
  readonly ms: number
}

/** Documents and type declarations of packages, until there are enough chunks. */
export async function indexMany(base: KnowledgeBase, enough: number): Promise<Indexed> {
  const files = manyFiles()
  const began = performance.now()
  let documents = 0
  let chunks = 0
  for (const file of files) {
    if (chunks >= enough) break
    await base.add(file)
    documents++
    // Checked only now and then, because the list is long.
    if (documents % 50 === 0) chunks = await countChunks(base)
  }
  return { documents, chunks: await countChunks(base), ms: performance.now() - began }
}

export const countChunks = async (base: KnowledgeBase): Promise<number> =>
  (await base.list()).reduce((sum, { chunks }) => sum + chunks, 0)

/** Larger files are skipped, since one would dominate the measurement. */
const MOST_BYTES = 200_000

/** Markdown first. */
function manyFiles(): readonly string[] {
  const found = readdirSync(PACKAGES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.md$|\.d\.ts$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => statSync(path).size <= MOST_BYTES)
    .toSorted()
  return [
    ...found.filter((path) => path.endsWith('.md')),
    ...found.filter((path) => !path.endsWith('.md')),
  ]
}

/** Milliseconds of each search. */
export async function searchTimes(
  base: KnowledgeBase,
  texts: readonly string[],
): Promise<readonly number[]> {
  const times: number[] = []
  for (const text of texts) {
    const began = performance.now()
    await base.search(text)
    times.push(performance.now() - began)
  }
  return times
}

/** @param share 0.5 for the median */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
}
