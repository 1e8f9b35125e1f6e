import { unpacked } from '../knowledge/packed-vector.ts'
import type { Queries } from '../postgres/connection/database.ts'
import { indexWords } from '../postgres/knowledge/knowledge-rows.ts'
import { ChunkVectors } from '../postgres/knowledge/vector-extension.ts'
import { chunkText } from './chunk-text.ts'
import { type CopiedRow, type CopiedTable, named } from './copied-tables.ts'

/**
 * Writes what a database derives from copied rows: the index of words, and the vectors of the extension.
 * @param extension the schema of the extension for vectors, if it is used
 */
export async function deriveFromRows(
  queries: Queries,
  table: CopiedTable,
  rows: readonly CopiedRow[],
  extension: string | undefined,
): Promise<void> {
  if (table === 'chunks') await deriveWords(queries, rows)
  if (table === 'vectors' && extension !== undefined) await deriveVectors(queries, rows, extension)
}

async function deriveWords(queries: Queries, rows: readonly CopiedRow[]): Promise<void> {
  const sources = await queries.all('select n, title from sources')
  const titles = new Map(sources.map((row) => [Number(row['n']), String(row['title'])]))
  const texts = rows.map(chunkText)
  await indexWords(
    queries,
    texts.map((text) => ({ ...text, title: titles.get(text.source) ?? '' })),
  )
}

/** All vectors of a place are of one embedder, whose name ends with their dimensions. */
async function deriveVectors(
  queries: Queries,
  rows: readonly CopiedRow[],
  extension: string,
): Promise<void> {
  const row = await queries.get('select embedder from sources limit 1')
  const dimensions = Number(/\/(\d+)$/.exec(String(row?.['embedder']))?.[1])
  const chunks = rows.flatMap((copied) => {
    const { n, places, weights } = named('vectors', copied)
    const vector = unpacked(places, weights)
    if (vector.places !== null) return []
    const size = dimensions > 0 ? dimensions : vector.weights.length
    const count = size === 0 ? 0 : Math.floor(vector.weights.length / size)
    const vectors = Array.from({ length: count }, (_, nth) =>
      vector.weights.subarray(nth * size, (nth + 1) * size),
    )
    return [{ chunk: Number(n), vectors }]
  })
  await new ChunkVectors(queries, extension).insert(chunks)
}
