import type { DeciderOptions } from 'echelon'
import { httpCsvSource, standardTools } from '@echelon/tools'

/** Closing prices from a server of the user's own instead of the sample data. */
export async function caseTools({
  stockUrl,
}: {
  readonly stockUrl?: string
}): Promise<Pick<DeciderOptions, 'tools'>> {
  if (stockUrl === undefined) return {}
  const stock = httpCsvSource({ url: stockUrl, attribution: 'the server named with --stock-url' })
  return { tools: await standardTools({ stock }) }
}
