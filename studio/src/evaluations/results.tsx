import { Alert, Button, Group, Select, Stack, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { EvaluationList, EvaluationView } from 'echelon/client'
import { lazy, Suspense } from 'react'
import { echelon } from '../api/client.ts'
import { Empty } from '../pieces/empty.tsx'
import { Loading } from '../pieces/loading.tsx'
import { Changes } from './changes.tsx'
import { Gates } from './gates.tsx'
import { Latest } from './latest.tsx'
import { evaluationsRoute } from './route.ts'
import { Running } from './running.tsx'

const OverTime = lazy(() => import('./over-time.tsx'))

/** The evaluations of one data set. */
export function Results({ known }: { readonly known: EvaluationList }) {
  const { dataset: named } = evaluationsRoute.useSearch()
  const navigate = useNavigate({ from: '/evaluations' })
  const names = [...new Set([...known.datasets, ...known.evaluations.map((one) => one.dataset)])]
  const dataset = names.find((name) => name === named) ?? names[0] ?? ''
  const own = known.evaluations.filter((one) => one.dataset === dataset)
  const running = known.evaluations.find(({ status }) => status === 'running')
  return (
    <Stack gap="lg">
      <Group align="flex-end">
        <Select
          label="Data set"
          data={names}
          value={dataset}
          allowDeselect={false}
          onChange={(name) => {
            if (name !== null) void navigate({ search: { dataset: name }, replace: true })
          }}
        />
        <Start dataset={dataset} isBusy={running !== undefined} />
      </Group>
      {running !== undefined && <Running evaluation={running} />}
      <Ended evaluations={own.filter(({ metrics }) => metrics !== null)} />
    </Stack>
  )
}

function Start({ dataset, isBusy }: { readonly dataset: string; readonly isBusy: boolean }) {
  const queries = useQueryClient()
  const start = useMutation({
    mutationFn: () => echelon().evaluations.start(dataset),
    onSettled: () => queries.invalidateQueries({ queryKey: ['evaluations'] }),
  })
  return (
    <>
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        disabled={isBusy}
        loading={start.isPending}
        onClick={() => start.mutate()}
      >
        Run it
      </Button>
      {start.isError && (
        <Alert color="red" role="alert" p="xs">
          {start.error.message}
        </Alert>
      )}
    </>
  )
}

/** @param evaluations newest first */
function Ended({ evaluations }: { readonly evaluations: readonly EvaluationView[] }) {
  const { of } = evaluationsRoute.useSearch()
  const shown = evaluations.find(({ id }) => id === of) ?? evaluations[0]
  if (shown === undefined) {
    return (
      <Empty title="It has not run yet">
        Run it to see how many answers are right, and what they cost.
      </Empty>
    )
  }
  return (
    <>
      <Latest evaluation={shown} />
      {evaluations.length > 1 && (
        <section aria-labelledby="time">
          <Title order={2} size="h4" mb="sm" id="time">
            Over time
          </Title>
          <Suspense fallback={<Loading rows={3} />}>
            <OverTime evaluations={evaluations} />
          </Suspense>
        </section>
      )}
      <Gates evaluation={shown} />
      <Changes evaluations={evaluations} shown={shown} />
    </>
  )
}
