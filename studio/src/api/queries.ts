import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { CostGroupView, RunFilterQuery } from 'echelon/client'
import { echelon } from './client.ts'

/*
 * What the views ask the server. Two views that ask the same share one answer. What changes by itself is
 * asked again while its view is open.
 */

/** How often a list that may change is asked again. */
const REFRESH_MS = 2000

export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: () => echelon().agents.list(),
  staleTime: 60_000,
})

export const runsQuery = (filter: Omit<RunFilterQuery, 'before'>) =>
  infiniteQueryOptions({
    queryKey: ['runs', filter],
    queryFn: ({ pageParam }) => echelon().runs.list({ ...filter, before: pageParam }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: REFRESH_MS,
  })

/** The first page starts at the newest run. */
const FIRST_PAGE: string | undefined = undefined

export const runQuery = (run: string) =>
  queryOptions({ queryKey: ['run', run], queryFn: () => echelon().runs.get(run) })

export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: () => echelon().approvals.list(),
  refetchInterval: REFRESH_MS,
})

export const costsQuery = (by: CostGroupView, since?: string, until?: string) =>
  queryOptions({
    queryKey: ['costs', by, since, until],
    queryFn: () =>
      echelon().costs({
        by,
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
      }),
  })
