import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loading } from './loading.tsx'
import { Problem } from './problem.tsx'

interface AskedProps<Answer> {
  readonly query: UseQueryResult<Answer> | UseInfiniteQueryResult<Answer>
  readonly children: (answer: Answer) => ReactNode
}

/** Shows the answer to a question, or that it is not there yet, or why it is not. */
export function Asked<Answer>({ query, children }: AskedProps<Answer>): ReactNode {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Problem error={query.error} retry={query.refetch} />
  return <Loading />
}
