import type { DeciderOptions } from 'echelon'
import { httpCsvSource, standardTools } from '@echelon/tools'

/** Tools with closing prices from the user's server instead of the sample data. */
export async function caseTools({
  stockUrl,
}: {
  readonly stockUrl?: string
}): Promise<Pick<DeciderOptions, 'tools'>> {
  if (stockUrl === undefined) return {}
  const stock = httpCsvSource({ url: stockUrl, attribution: 'the server named with --stock-url' })
  return { tools: await standardTools({ stock }) }
}
