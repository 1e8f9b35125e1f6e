import { Select, SimpleGrid, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RunSummaryView, RunView } from 'echelon/client'
import { runQuery, runsQuery, stepsQuery } from '../api/queries.ts'
import { Asked } from '../pieces/asked.tsx'
import { Empty } from '../pieces/empty.tsx'
import { Page } from '../pieces/page.tsx'
import { Facts } from './facts.tsx'
import { compareRoute, type CompareSearch } from './route.ts'
import { StepsSideBySide } from './steps-side-by-side.tsx'

/** Two runs side by side: what they answered and cost, and where they first differ. */
export function CompareView() {
  const { a, b } = compareRoute.useSearch()
  return (
    <Page
      title="Compare"
      lead="Two runs side by side: what they answered, what they cost, and the first step that differs."
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Choice side="a" label="One run" value={a} />
        <Choice side="b" label="The other run" value={b} />
      </SimpleGrid>
      {a === undefined || b === undefined ? (
        <Empty title="Choose two runs">
          A fork and the run that it came from show what another model would have done.
        </Empty>
      ) : (
        <Both a={a} b={b} />
      )}
    </Page>
  )
}

interface ChoiceProps {
  readonly side: keyof CompareSearch
  readonly label: string
  readonly value: string | undefined
}

const SHOWN = { limit: 100 }

function Choice({ side, label, value }: ChoiceProps) {
  const { data } = useInfiniteQuery(runsQuery(SHOWN))
  const { data: chosen } = useQuery({ ...runQuery(value ?? ''), enabled: value !== undefined })
  const navigate = useNavigate({ from: '/compare' })
  const listed = data?.pages.flatMap(({ runs }) => runs) ?? []
  const isListed = listed.some(({ id }) => id === value)
  const runs = chosen === undefined || isListed ? listed : [chosen, ...listed]
  return (
    <Select
      label={label}
      placeholder="Choose a run"
      searchable
      data={runs.map((run) => ({ value: run.id, label: nameOf(run) }))}
      value={value ?? null}
      onChange={(id) => {
        if (id !== null) void navigate({ search: (now) => ({ ...now, [side]: id }) })
      }}
      allowDeselect={false}
    />
  )
}

const TIME = new Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'medium' })

const nameOf = ({ asked, agent, began_at: began, forked_from: from }: RunSummaryView): string =>
  `${asked ?? 'A run'} (${from === null ? '' : 'fork, '}${agent}, ${TIME.format(Date.parse(began))})`

interface BothProps {
  readonly a: string
  readonly b: string
}

function Both({ a, b }: BothProps) {
  const one = useQuery(runQuery(a))
  const other = useQuery(runQuery(b))
  return (
    <Asked query={one}>
      {(first) => (
        <Asked query={other}>{(second) => <SideBySide first={first} second={second} />}</Asked>
      )}
    </Asked>
  )
}

interface SideBySideProps {
  readonly first: RunView
  readonly second: RunView
}

function SideBySide({ first, second }: SideBySideProps) {
  const one = useQuery(stepsQuery(first.id))
  const other = useQuery(stepsQuery(second.id))
  return (
    <Stack gap="xl">
      <Facts first={first} second={second} />
      <Asked query={one}>
        {(a) => <Asked query={other}>{(b) => <StepsSideBySide a={a.steps} b={b.steps} />}</Asked>}
      </Asked>
    </Stack>
  )
}
