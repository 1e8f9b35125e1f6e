import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CostGroupView, ModelCallView, RunFilterQuery, StepView } from 'echelon/client'
import { echelon } from './client.ts'

/*
 * The requests of the views to the server. Views that need the same data share one request. Data that changes by
 * itself is fetched again while its view is open.
 */

/** Interval at which a list that may change is fetched again. */
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

/*
 * The inside of a run. While it works it changes with each step; once it is over, never. `steps` and `known` are
 * how far the page has seen it go.
 */

export const ledgerQuery = (run: string, steps: number) =>
  queryOptions({
    queryKey: ['ledger', run, steps],
    queryFn: () => echelon().runs.ledger(run),
    placeholderData: keepPreviousData,
  })

export const messagesQuery = (run: string) =>
  queryOptions({
    queryKey: ['messages', run],
    queryFn: async () => {
      const calls: ModelCallView[] = []
      let after: number | undefined
      let unknown: string | null = null
      do {
        const page = await echelon().runs.messages(run, after === undefined ? {} : { after })
        calls.push(...page.calls)
        unknown = page.unknown
        after = page.next ?? undefined
      } while (after !== undefined && calls.length < MOST_CALLS)
      return { calls, unknown }
    },
  })

/** Model calls that a page shows. */
const MOST_CALLS = 1000

export const stepsQuery = (run: string, known = 0) =>
  queryOptions({
    queryKey: ['steps', run, known],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const steps: StepView[] = []
      let page = await echelon().runs.steps(run)
      steps.push(...page.steps)
      while (page.next !== null && steps.length < MOST_STEPS) {
        page = await echelon().runs.steps(run, { after: page.next })
        steps.push(...page.steps)
      }
      return { ...page, steps }
    },
  })

/** Steps that a page shows. */
const MOST_STEPS = 10_000

export const stepQuery = (run: string, seq: number) =>
  queryOptions({
    queryKey: ['step', run, seq],
    queryFn: () => echelon().runs.step(run, seq),
    placeholderData: keepPreviousData,
  })

export const journalQuery = (run: string) =>
  infiniteQueryOptions({
    queryKey: ['journal', run],
    queryFn: ({ pageParam }) => echelon().runs.journal(run, { after: pageParam }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
