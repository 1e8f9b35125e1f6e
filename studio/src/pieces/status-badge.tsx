import { Badge, type MantineColor } from '@mantine/core'
import type { RunStatusView } from 'echelon/client'
import classes from './status-badge.module.css'

interface Look {
  readonly label: string
  readonly color: MantineColor
}

const LOOKS: Readonly<Record<RunStatusView, Look>> = {
  running: { label: 'Running', color: 'blue' },
  waiting: { label: 'Waiting', color: 'orange' },
  interrupted: { label: 'Interrupted', color: 'yellow' },
  finished: { label: 'Finished', color: 'teal' },
  canceled: { label: 'Canceled', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
  damaged: { label: 'Damaged', color: 'red' },
}

/** The status of a run. */
export const StatusBadge = ({ status }: { readonly status: RunStatusView }) => (
  <Badge
    variant="light"
    color={LOOKS[status].color}
    className={classes['badge']}
    data-status={status}
    leftSection={<span className={classes['dot']} />}
    tt="none"
  >
    {LOOKS[status].label}
  </Badge>
)

export const statusLabel = (status: RunStatusView): string => LOOKS[status].label
