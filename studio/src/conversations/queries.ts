import { queryOptions } from '@tanstack/react-query'
import { echelon } from '../api/client.ts'

const REFRESH_MS = 2000
const MOST = 100

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => echelon().sessions.list({ limit: MOST }),
  refetchInterval: REFRESH_MS,
})

/** The turns of a conversation, oldest first: each is a run. */
export const turnsQuery = (agent: string, session: string) =>
  queryOptions({
    queryKey: ['turns', agent, session],
    queryFn: async () => {
      const { runs } = await echelon().runs.list({ agent, session, limit: MOST })
      return runs.toReversed()
    },
    refetchInterval: REFRESH_MS,
  })

export const intentQuery = (agent: string) =>
  queryOptions({ queryKey: ['intent', agent], queryFn: () => echelon().intent.get(agent) })
