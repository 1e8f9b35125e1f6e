import { Group, Text } from '@mantine/core'
import type { RunEventView } from 'echelon/client'
import { memo } from 'react'
import { Empty } from '../../pieces/empty.tsx'
import { JsonView } from '../../pieces/json-view.tsx'
import { LongList } from '../../pieces/long-list.tsx'
import classes from './rows.module.css'

const ROW_PX = 48
const TIME = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
})

/** The events of a run as they came. */
export function EventsPanel({ events }: { readonly events: readonly RunEventView[] }) {
  if (events.length === 0) return <Empty title="No events" />
  return (
    <LongList items={events} keyOf={({ id }) => id} label="Events" height={ROW_PX}>
      {(event) => <EventRow told={event} />}
    </LongList>
  )
}

const EventRow = memo(function EventRow({ told }: { readonly told: RunEventView }) {
  const { id, at, event } = told
  return (
    <div className={classes['row']}>
      <Group gap="sm" mb={2}>
        <Text size="xs" c="dimmed" ff="monospace">
          {id}
        </Text>
        <Text size="sm" fw={600}>
          {event.type}
        </Text>
        <Text size="xs" c="dimmed">
          {TIME.format(at)}
        </Text>
      </Group>
      <JsonView value={event} open={0} />
    </div>
  )
})
