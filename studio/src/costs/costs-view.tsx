import { Group, SegmentedControl, Select, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type CostGroupView, type CostReport, COST_GROUPS } from 'echelon/client'
import { lazy, Suspense } from 'react'
import { costsQuery } from '../api/queries.ts'
import { Asked } from '../pieces/asked.tsx'
import { Empty } from '../pieces/empty.tsx'
import { Figure } from '../pieces/figure.tsx'
import { Loading } from '../pieces/loading.tsx'
import { useFreeNote } from '../pieces/free-note.ts'
import { money } from '../pieces/money.ts'
import { Page } from '../pieces/page.tsx'
import { dayBefore } from './days.ts'
import { CostTable } from './cost-table.tsx'
import { costsRoute, RANGES } from './route.ts'
import { Saved } from './saved.tsx'

const CostChart = lazy(() => import('./cost-chart.tsx'))

const GROUPS: Readonly<Record<CostGroupView, string>> = {
  day: 'Day',
  agent: 'Agent',
  model: 'Model',
  user: 'User',
}

/** The costs of runs, and the savings of asking small models first. */
export function CostsView() {
  const { by = 'day', days = 30 } = costsRoute.useSearch()
  const report = useQuery(costsQuery(by, dayBefore(days - 1)))
  return (
    <Page
      title="Costs"
      lead="What runs cost, in US dollars, at the list prices of the models."
      actions={<Choices by={by} days={days} />}
    >
      <Asked query={report}>{(sums) => <Report report={sums} days={days} />}</Asked>
    </Page>
  )
}

function Choices({ by, days }: { readonly by: CostGroupView; readonly days: number }) {
  const navigate = useNavigate({ from: '/costs' })
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label="Group by"
        value={by}
        data={COST_GROUPS.map((value) => ({ value, label: GROUPS[value] }))}
        onChange={(value) => {
          const group = COST_GROUPS.find((one) => one === value)
          if (group) void navigate({ search: (now) => ({ ...now, by: group }), replace: true })
        }}
      />
      <Select
        aria-label="Days"
        w={150}
        allowDeselect={false}
        value={String(days)}
        data={RANGES.map((value) => ({ value: String(value), label: `Last ${value} days` }))}
        onChange={(value) =>
          void navigate({ search: (now) => ({ ...now, days: Number(value) }), replace: true })
        }
      />
    </Group>
  )
}

function Report({ report, days }: { readonly report: CostReport; readonly days: number }) {
  const { rows, saved } = report
  const sum = (of: 'cost' | 'runs' | 'unpriced' | 'calls'): number =>
    rows.reduce((all, row) => all + row[of], 0)
  const unpriced = sum('unpriced')
  const free = useFreeNote({ cost: sum('cost'), calls: sum('calls'), unpriced })
  if (rows.length === 0) {
    return <Empty title="No runs in these days">Start a run, and its cost appears here.</Empty>
  }
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Figure
          label={`Spent in ${days} days`}
          value={money(sum('cost'))}
          note={
            unpriced > 0 ? `without ${unpriced} of unknown price` : (free ?? 'every price is known')
          }
        />
        <Figure label="Runs" value={sum('runs')} note={`${sum('calls')} model calls`} />
        <Figure
          label="Saved by asking small models first"
          value={money(saved.amount)}
          note={
            free === undefined ? <SavedNote saved={saved} /> : `${free} Nothing could be saved.`
          }
        />
      </SimpleGrid>
      <Suspense fallback={<Loading rows={3} />}>
        <CostChart report={report} />
      </Suspense>
      <CostTable report={report} />
      <Saved saved={saved} />
    </Stack>
  )
}

function SavedNote({ saved: { amount, otherwise, runs } }: Pick<CostReport, 'saved'>) {
  if (runs === 0) return 'no run could be compared'
  const alone = `${money(otherwise)} of the biggest model alone`
  return amount < 0 ? `it cost more than the ${alone}` : `of the ${alone}`
}
