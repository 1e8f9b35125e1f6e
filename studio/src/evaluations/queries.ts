import { queryOptions } from '@tanstack/react-query'
import { ClientError } from 'echelon/client'
import { echelon } from '../api/client.ts'

const REFRESH_MS = 2000

/** The data sets and evaluations; `null` on a server without data sets, and for those who are not operators. */
export const evaluationsQuery = queryOptions({
  queryKey: ['evaluations'],
  queryFn: () => echelon().evaluations.list().catch(noneIfNotServed),
  refetchInterval: REFRESH_MS,
})

export const changesQuery = (after: string, before: string) =>
  queryOptions({
    queryKey: ['changes', after, before],
    queryFn: () => echelon().evaluations.changes(after, before),
    staleTime: Infinity,
  })

/** Names of the sets of recorded answers; `null` on a server that serves none, and for those who are not operators. */
export const tuneSetsQuery = queryOptions({
  queryKey: ['tune'],
  queryFn: () => echelon().tune.list().catch(noneIfNotServed),
})

export const tuneQuery = (name: string) =>
  queryOptions({
    queryKey: ['tune', name],
    queryFn: () => echelon().tune.get(name),
    staleTime: 60_000,
  })

function noneIfNotServed(error: unknown): null {
  // Only operators have them.
  if (error instanceof ClientError && (error.status === 404 || error.status === 403)) return null
  throw error
}
