import { Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Asked } from '../pieces/asked.tsx'
import { Empty } from '../pieces/empty.tsx'
import { Loading } from '../pieces/loading.tsx'
import { Page } from '../pieces/page.tsx'
import { Results } from './results.tsx'
import { evaluationsQuery, tuneSetsQuery } from './queries.ts'
import { evaluationsRoute } from './route.ts'

const Frontier = lazy(() => import('./frontier/frontier.tsx'))

/** The quality of the agents over time, and the cost of other thresholds. */
export function EvaluationsView() {
  const { set } = evaluationsRoute.useSearch()
  const navigate = useNavigate({ from: '/evaluations' })
  return (
    <Page
      title="Evaluations"
      lead="How often answers are right, whether a change made them better or worse, and what each threshold costs."
    >
      <Tabs
        value={set === undefined ? 'results' : 'frontier'}
        onChange={(tab) =>
          void navigate({ search: tab === 'frontier' ? { set: '' } : {}, replace: true })
        }
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab value="frontier">Cost against accuracy</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="results">
          <Evaluations />
        </Tabs.Panel>
        <Tabs.Panel value="frontier">
          <Sets />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function Evaluations() {
  const query = useQuery(evaluationsQuery)
  return (
    <Asked query={query}>
      {(known) =>
        known === null || known.datasets.length + known.evaluations.length === 0 ? (
          <Empty title="No data sets here">
            Put a file such as <code>datasets/mine.json</code> with questions and known answers
            beside the server. An operator can then run it from here.
          </Empty>
        ) : (
          <Results known={known} />
        )
      }
    </Asked>
  )
}

function Sets() {
  const query = useQuery(tuneSetsQuery)
  return (
    <Asked query={query}>
      {(sets) =>
        sets === null || sets.length === 0 ? (
          <Empty title="No recorded answers here">
            Put a file such as <code>traces/mine.jsonl</code> beside the server: one task a line,
            with the answers of a small and a big model, as <code>echelon tune</code> reads it. An
            operator then sees them here.
          </Empty>
        ) : (
          <Stack>
            <Suspense fallback={<Loading rows={5} />}>
              <Frontier sets={sets} />
            </Suspense>
          </Stack>
        )
      }
    </Asked>
  )
}
