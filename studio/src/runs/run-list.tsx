import type { RunSummaryView } from 'echelon/client'
import { LongList } from '../pieces/long-list.tsx'
import classes from './run-list.module.css'
import { RunRow } from './run-row.tsx'

interface RunListProps {
  readonly runs: readonly RunSummaryView[]
  /** Loads the next page; `undefined` on the last one. */
  readonly more: (() => void) | undefined
}

const ROW_PX = 74

export const RunList = ({ runs, more }: RunListProps) => (
  <LongList
    items={runs}
    keyOf={({ id }) => id}
    label="Runs"
    height={ROW_PX}
    more={more}
    className={classes['list']}
  >
    {(run) => <RunRow run={run} />}
  </LongList>
)
