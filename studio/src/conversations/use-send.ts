import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { JsonObject } from 'echelon/client'
import { echelon } from '../api/client.ts'
import { useRequestKey } from '../api/use-request-key.ts'

interface Place {
  readonly agent: string
  readonly session: string
  /** The options of the next turn. */
  readonly optionsNow: () => Promise<JsonObject | undefined>
}

/** Says something in a conversation: the next turn of it. */
export function useSend({ agent, session, optionsNow }: Place, onSent: () => void) {
  const queries = useQueryClient()
  const { keyOf, renew } = useRequestKey()
  return useMutation({
    mutationFn: async (input: string) => {
      const options = await optionsNow()
      const request = { agent, session, input, ...(options && { options }) }
      return echelon().runs.start(request, { key: keyOf(request) })
    },
    onSuccess: async () => {
      renew()
      onSent()
      await queries.invalidateQueries({ queryKey: ['turns', agent, session] })
      await queries.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
}
