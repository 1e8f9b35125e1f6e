import { useQuery } from '@tanstack/react-query'
import { agentsQuery } from '../api/queries.ts'

interface Sums {
  readonly cost: number
  readonly calls: number
  /** Calls of unknown price. */
  readonly unpriced: number
}

export const isOffline = (model: string): boolean => model.startsWith('offline/')

/** Why models were called and nothing was spent; `undefined` if something was, or a price is not known. */
export function useFreeNote({ cost, calls, unpriced }: Sums): string | undefined {
  const { data: agents = [] } = useQuery(agentsQuery)
  if (cost !== 0 || calls === 0 || unpriced > 0) return undefined
  return agents.every(({ models }) => models.every(isOffline))
    ? 'Offline models are free.'
    : 'The models that were asked are free.'
}
