import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RunSummaryView } from 'echelon/client'
import { useEffect, useRef } from 'react'
import { approvalsQuery } from '../api/queries.ts'
import { ApprovalCard } from '../approvals/approval-card.tsx'
import { Empty } from '../pieces/empty.tsx'
import { Turn } from './turn/turn.tsx'

interface ThreadProps {
  readonly agent: string
  readonly session: string
  readonly turns: readonly RunSummaryView[]
}

/** The turns of a conversation, and what waits for a person in it. */
export function Thread({ agent, session, turns }: ThreadProps) {
  const { data: approvals = [] } = useQuery(approvalsQuery)
  const ids = new Set(turns.map(({ id }) => id))
  // A run that waits shows its question itself; what waits between two turns is shown after the last one.
  const waiting = approvals.filter(
    (one) =>
      one.agent === agent &&
      one.session === session &&
      // Two users may have conversations of the same name.
      turns.some(({ owner }) => owner === one.owner) &&
      !(ids.has(one.run) && isAskedByRun(turns, one)),
  )
  const end = useEnd([turns.at(-1)?.id, ...waiting.map(({ request }) => request)].join())
  if (turns.length === 0) {
    return <Empty title="Nothing was said yet">Write the first message below.</Empty>
  }
  return (
    <Stack gap="lg" component="section" aria-label="Messages">
      {turns.map((turn, index) => (
        <Turn key={turn.id} turn={turn} isLast={index === turns.length - 1} />
      ))}
      {waiting.map((approval) => (
        <ApprovalCard key={approval.request} approval={approval} isInPlace />
      ))}
      <div ref={end} />
    </Stack>
  )
}

const isAskedByRun = (
  turns: readonly RunSummaryView[],
  { run, request }: { readonly run: string; readonly request: string },
): boolean =>
  turns.some(({ id, requests }) => id === run && requests.some((one) => one.id === request))

/** Keeps the newest in view, but not at the first look at a conversation that is there already. */
function useEnd(newest: string) {
  const end = useRef<HTMLDivElement>(null)
  const known = useRef(newest)
  useEffect(() => {
    if (newest !== known.current) end.current?.scrollIntoView({ block: 'nearest' })
    known.current = newest
  }, [newest])
  return end
}
