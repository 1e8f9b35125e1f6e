import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { JsonObject } from 'echelon/client'
import { echelon } from '../api/client.ts'

interface Place {
  readonly agent: string
  readonly session: string
  readonly options: JsonObject | undefined
}

/** Says something in a conversation: the next turn of it. */
export function useSend({ agent, session, options }: Place, onSent: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: string) =>
      echelon().runs.start({ agent, session, input, ...(options && { options }) }),
    onSuccess: async () => {
      onSent()
      await queries.invalidateQueries({ queryKey: ['turns', agent, session] })
      await queries.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
}
