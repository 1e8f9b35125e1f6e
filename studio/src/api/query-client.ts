import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ClientError } from 'echelon/client'
import { noteRefusal } from './sign-in-state.ts'

const LONGEST_PAUSE_MS = 5000

/** Asks the server, keeps what it said, and asks again when a view needs it new. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteRefusal }),
  mutationCache: new MutationCache({ onError: noteRefusal }),
  defaultOptions: {
    queries: {
      staleTime: 1000,
      retry: (count, error) => count < 3 && mayPass(error),
      retryDelay: (count) => Math.min(300 * 2 ** count, LONGEST_PAUSE_MS),
    },
  },
})

/** Whether the same question may be answered later: the server was away or busy. */
const mayPass = (error: Error): boolean =>
  !(error instanceof ClientError) || error.status === 0 || error.status >= 500
