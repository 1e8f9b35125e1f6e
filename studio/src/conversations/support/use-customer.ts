import { useQuery } from '@tanstack/react-query'
import type { RunSummaryView } from 'echelon/client'
import { echelon } from '../../api/client.ts'
import { isObject, objectOf, textOf } from '../../run/story/fields.ts'
import { conversationRoute } from '../route.ts'

const DEFAULT = 'C-001'

/** The customer of a conversation: the one that its first turn here was for, or else the one that is chosen. */
export function useCustomer(turns: readonly RunSummaryView[]): string {
  const { customer = DEFAULT } = conversationRoute.useSearch()
  const first = turns.find(({ asked }) => asked !== null && asked !== '')?.id
  const { data } = useQuery({
    queryKey: ['customer', first],
    queryFn: async () => {
      const { before } = await echelon().runs.step(first ?? '', 0)
      const input = objectOf(isObject(before) ? before : {}, 'input')
      return textOf(objectOf(input, 'interaction'), 'customerId') ?? null
    },
    enabled: first !== undefined,
    staleTime: Infinity,
  })
  return data ?? customer
}
