import { SimpleGrid, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { costsQuery, runsQuery } from '../api/queries.ts'
import { dayBefore } from '../costs/days.ts'
import { Figure } from '../pieces/figure.tsx'
import { TextLink } from '../pieces/links.tsx'
import { useFreeNote } from '../pieces/free-note.ts'
import { money } from '../pieces/money.ts'

const NOTHING = { cost: 0, calls: 0, unpriced: 0 }

/** Today's spending, and the runs in progress. */
export function Today() {
  const today = dayBefore(0)
  const { data: costs } = useQuery({ ...costsQuery('day', today, today), refetchInterval: 5000 })
  const { data: working } = useInfiniteQuery(runsQuery({ status: 'running' }))
  const [row] = costs?.rows ?? []
  const free = useFreeNote(row ?? NOTHING)
  const running = working?.pages.flatMap(({ runs }) => runs).length ?? 0
  return (
    <section aria-labelledby="today">
      <Title order={2} size="h4" mb="sm" id="today">
        Today
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Figure
          label="Spent"
          value={costs === undefined ? '…' : money(row?.cost ?? 0)}
          note={<TextLink to="/costs">See what for</TextLink>}
        />
        <Figure
          label="Saved by asking small models first"
          value={costs === undefined ? '…' : money(costs.saved.amount)}
          note={free ?? `${row?.runs ?? 0} runs, ${row?.calls ?? 0} model calls`}
        />
        <Figure
          label="Running now"
          value={running}
          note={<TextLink to="/runs">See all runs</TextLink>}
        />
      </SimpleGrid>
    </section>
  )
}
