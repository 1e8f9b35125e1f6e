import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RunView } from 'echelon/client'
import { ledgerQuery } from '../../api/queries.ts'
import { useRunFeed } from '../../api/run-feed.ts'
import { Asked } from '../../pieces/asked.tsx'
import { Ledger } from './ledger.tsx'

/** The ledger of a run's budget, as it is booked. */
export function BudgetPanel({ run }: { readonly run: RunView }) {
  const { events, end } = useRunFeed(run.id)
  // Each step books something.
  const steps = events.filter(({ event }) => BOOKS.has(event.type)).length
  const query = useQuery({
    ...ledgerQuery(run.id, steps + (end === undefined ? 0 : 1)),
    staleTime: Infinity,
  })
  return (
    <>
      <Text c="dimmed" size="sm" mb="md" maw="75ch">
        Before a call is made, the most that it could take is reserved. So a run never goes over a
        limit. What a call did not need is given back when it ends.
      </Text>
      <Asked query={query}>{(ledger) => <Ledger ledger={ledger} />}</Asked>
    </>
  )
}

const BOOKS: ReadonlySet<string> = new Set(['step-start', 'step-end', 'tool-end'])
