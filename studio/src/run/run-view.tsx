import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RunView as Run } from 'echelon/client'
import { useMemo, useState } from 'react'
import { runQuery } from '../api/queries.ts'
import { type FeedView, useRunFeed } from '../api/run-feed.ts'
import { Asked } from '../pieces/asked.tsx'
import { Page } from '../pieces/page.tsx'
import { Problem } from '../pieces/problem.tsx'
import { Answer } from './answer.tsx'
import { Artifacts } from './artifacts.tsx'
import { RunActions } from './run-actions.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunTabs } from './run-tabs.tsx'
import { runRoute } from './route.ts'
import { Staircase } from './staircase.tsx'
import { storyOf } from './story/story.ts'

/** A run, as it happens: what it did, why, and what it cost. */
export function RunView() {
  const { run } = runRoute.useParams()
  const feed = useRunFeed(run)
  const query = useQuery({
    ...runQuery(run),
    // Each request and the end of the run change it.
    refetchInterval: feed.end === undefined ? REFRESH_MS : false,
  })
  return (
    <Asked query={query}>
      {(known) => <Known key={run} run={feed.end ?? known} feed={feed} />}
    </Asked>
  )
}

const REFRESH_MS = 1500

function Known({ run, feed }: { readonly run: Run; readonly feed: FeedView }) {
  const { events, error } = feed
  const story = useMemo(() => storyOf(events), [events])
  const [shown, setShown] = useState<{ readonly key: string }>()
  const navigate = useNavigate({ from: '/runs/$run' })
  const go = (key: string): void => {
    setShown({ key })
    void navigate({ search: {}, replace: true, resetScroll: false })
  }
  return (
    <Page
      title={run.asked ?? `A run of ${run.agent}`}
      lead={<RunFacts run={run} />}
      actions={<RunActions run={run} />}
    >
      <Stack gap="lg">
        {error !== undefined && <Problem error={error} />}
        <Answer run={run} story={story} />
        <Staircase story={story} end={run.end} onGo={go} />
        <Artifacts run={run} />
        <RunTabs run={run} story={story} events={events} shown={shown?.key} />
      </Stack>
    </Page>
  )
}
