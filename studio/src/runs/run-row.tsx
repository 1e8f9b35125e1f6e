import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RunSummaryView } from 'echelon/client'
import { memo } from 'react'
import { runQuery } from '../api/queries.ts'
import { CheckedBadge } from '../pieces/checked-badge.tsx'
import { money } from '../pieces/money.ts'
import { StatusBadge } from '../pieces/status-badge.tsx'
import { Ago } from '../pieces/time.tsx'
import classes from './run-list.module.css'

/** One run: its task, its result and its cost. */
export const RunRow = memo(function RunRow({ run }: { readonly run: RunSummaryView }) {
  const end = useEnd(run)
  return (
    <Link to="/runs/$run" params={{ run: run.id }} className={classes['link']}>
      <span className={classes['asked']}>{run.asked ?? `A run of ${run.agent}`}</span>
      <span className={classes['side']}>
        {end === undefined || end.checked === 'unchecked' ? (
          <StatusBadge status={run.status} />
        ) : (
          <CheckedBadge checked={end.checked} />
        )}
      </span>
      <span className={classes['facts']}>
        <span>{run.agent}</span>
        {end !== undefined && end.text !== '' && (
          <span className={classes['answer']}>{end.text}</span>
        )}
        {end?.escalated === true && <span>promoted</span>}
        {run.forked_from !== null && <span>fork</span>}
        {run.session !== null && <span className={classes['session']}>{run.session}</span>}
      </span>
      <span className={`${classes['facts']} ${classes['side']}`}>
        {end !== undefined && <span>{money(end.cost)}</span>}
        <Ago at={run.began_at} />
      </span>
    </Link>
  )
})

/** The result of an ended run, which never changes. */
function useEnd({ id, status }: RunSummaryView) {
  const isOver = status === 'finished' || status === 'canceled' || status === 'failed'
  const { data } = useQuery({ ...runQuery(id), enabled: isOver, staleTime: Infinity, retry: false })
  return data?.end ?? undefined
}
