import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { echelon } from '../api/client.ts'

const REFRESH_MS = 2000
const MOST = 100
/** Turns that are loaded at a time. */
const TURNS = 50

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => echelon().sessions.list({ limit: MOST }),
  refetchInterval: REFRESH_MS,
})

/** The newest turns of a conversation, oldest first, and the pages before them that were asked for. Each is a run. */
export const turnsQuery = (agent: string, session: string, owner?: string) =>
  infiniteQueryOptions({
    queryKey: ['turns', agent, session, owner ?? null],
    queryFn: ({ pageParam }) =>
      echelon().runs.list({ agent, session, owner, limit: TURNS, before: pageParam }),
    initialPageParam: NEWEST,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages.flatMap(({ runs }) => runs).toReversed(),
    refetchInterval: REFRESH_MS,
  })

const NEWEST: string | undefined = undefined

/** The first message of a conversation; `null` if that is too long ago to be looked up for a list. */
export const beginningQuery = (agent: string, session: string, owner?: string) =>
  queryOptions({
    queryKey: ['turns', agent, session, owner ?? null, 'beginning'],
    queryFn: async () => {
      const { runs, next } = await echelon().runs.list({ agent, session, owner, limit: MOST })
      const first = runs.findLast(({ asked }) => asked !== null && asked !== '')
      return next === null ? (first?.asked ?? null) : null
    },
    staleTime: 30_000,
  })

/** Whether a conversation is the user's own, if its owner is known: then one's own of this name is the same. */
export const isOwnQuery = (agent: string, session: string, owner: string | undefined) =>
  queryOptions({
    queryKey: ['own', agent, session, owner ?? null],
    queryFn: async () => {
      if (owner === undefined) return true
      const { runs } = await echelon().runs.list({ agent, session, limit: 1 })
      return runs[0]?.owner === owner
    },
    staleTime: 60_000,
  })

export const intentQuery = (agent: string) =>
  queryOptions({ queryKey: ['intent', agent], queryFn: () => echelon().intent.get(agent) })
