import type { AnyWord } from '../../knowledge/asked-words.ts'
import type { Queries } from '../connection/database.ts'
import { wordsQuery } from './word-texts.ts'

/** A path ($1) itself and everything below it ($2), compared as texts so that any character is literal. */
const BELOW = `select chunks.n as n from chunks join sources on sources.n = chunks.source
  where id = $1 or substr(id, 1, length($2)) = $2`

function placed(path: string): readonly [path: string, prefix: string] {
  const folder = path.replace(/\/+$/, '')
  return [folder, `${folder}/`]
}

/**
 * BM25 as SQLite computes it, with its constants 1.2 and 0.75. PostgreSQL does not tell how often a
 * chunk holds a word, but `ts_rank` of n positions of equal weight is (1 + 1/4 + … + 1/n²) / 1.6449341,
 * and 1.6449341 less that sum is nearly 1 / (n + 0.5).
 */
const HOLDING = `
  with asked as (select distinct word from unnest($3::text[]) as given (word)),
    held as (
      select words.n, length, count(*) over (partition by word) as holding,
        round(1 / greatest(1.6449341 * (1 - ts_rank('{1, 1, 1, 1}', words, word::tsquery)), 1e-5) - 0.5)
          as times
      from asked join words on words.words @@ word::tsquery),
    usual as (
      select chunks::float8 as chunks, greatest(words, 1)::float8 / greatest(chunks, 1) as length
      from generation)
  select held.n as n from held cross join usual
  where $1::text is null or held.n in (${BELOW})
  group by held.n
  order by sum(greatest(ln((chunks - holding + 0.5) / (holding + 0.5)), 1e-6)
    * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * held.length / usual.length))) desc, held.n
  limit $4`

/** The chunks that hold any of the words, best first. */
export async function chunksHolding(
  queries: Queries,
  words: AnyWord,
  limit: number,
  below: string | undefined,
): Promise<readonly number[]> {
  const asked = words.map((word) => wordsQuery([word])).filter((query) => query !== '')
  const rows = await queries.all(
    HOLDING,
    ...(below === undefined ? [null, null] : placed(below)),
    asked,
    limit,
  )
  return rows.map((row) => Number(row['n']))
}

/** For each list, all chunks that hold any of its words, in no order. */
export async function chunksMatching(
  queries: Queries,
  lists: readonly AnyWord[],
): Promise<readonly (readonly number[])[]> {
  const rows = await queries.all(
    `select nth, array_agg(n) as chunks
     from unnest($1::text[]) with ordinality as asked (query, nth)
     join words on query <> '' and words.words @@ query::tsquery group by nth`,
    lists.map(wordsQuery),
  )
  const found = new Map(rows.map((row) => [Number(row['nth']), row['chunks']]))
  return lists.map((_, nth) => {
    const chunks = found.get(nth + 1)
    return Array.isArray(chunks) ? chunks.map(Number) : []
  })
}

export async function chunksBelow(queries: Queries, path: string): Promise<ReadonlySet<number>> {
  const rows = await queries.all(BELOW, ...placed(path))
  return new Set(rows.map((row) => Number(row['n'])))
}
