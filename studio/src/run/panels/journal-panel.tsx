import { Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { RunView } from 'echelon/client'
import { journalQuery } from '../../api/queries.ts'
import { Empty } from '../../pieces/empty.tsx'
import { JsonView } from '../../pieces/json-view.tsx'
import { Loading } from '../../pieces/loading.tsx'
import { LongList } from '../../pieces/long-list.tsx'
import { Problem } from '../../pieces/problem.tsx'
import { textOf } from '../story/fields.ts'
import classes from './rows.module.css'
import { useWhileOpen } from './use-while-open.ts'

const ROW_PX = 48

/** The journal of a run, from which it is resumed. */
export function JournalPanel({ run }: { readonly run: RunView }) {
  const query = useInfiniteQuery(journalQuery(run.id))
  useWhileOpen(run, query.refetch)
  const entries = query.data?.pages.flatMap((page) => page.entries)
  if (entries === undefined) {
    return query.isError ? <Problem error={query.error} retry={query.refetch} /> : <Loading />
  }
  if (entries.length === 0) return <Empty title="The journal is empty" />
  return (
    <LongList
      items={entries}
      keyOf={({ n }) => String(n)}
      label="Journal"
      height={ROW_PX}
      more={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
    >
      {({ n, entry }) => (
        <div className={classes['row']}>
          <Group gap="sm" mb={2}>
            <Text size="xs" c="dimmed" ff="monospace">
              {n}
            </Text>
            <Text size="sm" fw={600}>
              {textOf(entry, 'type') ?? textOf(entry, 'kind') ?? 'entry'}
            </Text>
          </Group>
          <JsonView value={entry} open={0} />
        </div>
      )}
    </LongList>
  )
}
