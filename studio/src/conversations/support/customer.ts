import { queryOptions } from '@tanstack/react-query'
import type { RunSummaryView } from 'echelon/client'
import { echelon } from '../../api/client.ts'
import { isObject, objectOf, textOf } from '../../run/story/fields.ts'

export const DEFAULT_CUSTOMER = 'C-001'

/**
 * The customer of a conversation: the one that its first turn here was for, or `null` before there is one. It never
 * changes.
 */
export function customerQuery(turns: readonly RunSummaryView[]) {
  const first = turns.find(({ asked }) => asked !== null && asked !== '')?.id
  return queryOptions({
    queryKey: ['customer', first ?? null],
    queryFn: async () => {
      if (first === undefined) return null
      const { before } = await echelon().runs.step(first, 0)
      const input = objectOf(isObject(before) ? before : {}, 'input')
      return textOf(objectOf(input, 'interaction'), 'customerId') ?? null
    },
    staleTime: Infinity,
  })
}
