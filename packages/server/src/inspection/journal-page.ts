import type { JournalPage, PageQuery } from 'echelon/client'
import { isJsonObject } from 'echelon/runtime'
import type { InspectedRun } from './inspected-run.ts'
import { pageOf } from './page.ts'

/** The entries of a journal, redacted. */
export function journalPage({ id, entries, shown }: InspectedRun, query: PageQuery): JournalPage {
  const { items, next } = pageOf(entries, query)
  return {
    run: id,
    entries: items.map((entry, index) => {
      const json = shown(entry)
      return { n: (query.after ?? 0) + index, entry: isJsonObject(json) ? json : {} }
    }),
    next,
  }
}
