import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { runsQuery } from '../api/queries.ts'
import { Empty } from '../pieces/empty.tsx'
import { Loading } from '../pieces/loading.tsx'
import { Page } from '../pieces/page.tsx'
import { Problem } from '../pieces/problem.tsx'
import { RunFilters } from './run-filters.tsx'
import { RunList } from './run-list.tsx'
import { runsRoute } from './route.ts'
import { ButtonLink } from '../pieces/links.tsx'

/** All runs, newest first, as they change. */
export function RunsView() {
  const filter = runsRoute.useSearch()
  const query = useInfiniteQuery(runsQuery(filter))
  const runs = query.data?.pages.flatMap((page) => page.runs)
  return (
    <Page
      title="Runs"
      lead="Each task that an agent worked on. Open one to see what it did, why, and what it cost."
      actions={
        <ButtonLink to="/runs/new" leftSection={<IconPlus size={18} aria-hidden />}>
          Start a run
        </ButtonLink>
      }
    >
      <RunFilters />
      {runs === undefined ? (
        query.isError ? (
          <Problem error={query.error} retry={query.refetch} />
        ) : (
          <Loading rows={8} />
        )
      ) : runs.length === 0 ? (
        <Nothing isFiltered={Object.keys(filter).length > 0} />
      ) : (
        <RunList
          runs={runs}
          more={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
        />
      )}
    </Page>
  )
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No run matches">Change the filters above to see more.</Empty>
  ) : (
    <Empty title="No runs yet">
      A run is one task given to an agent. Start one here, or by any program that talks to this
      server.
    </Empty>
  )
