import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { agentsQuery, approvalsQuery } from '../api/queries.ts'
import { ApprovalCard } from '../approvals/approval-card.tsx'
import { Asked } from '../pieces/asked.tsx'
import { TextLink } from '../pieces/links.tsx'
import { Page } from '../pieces/page.tsx'
import { TaskCard } from './task-card.tsx'
import { tasksFor } from './tasks.ts'
import { Today } from './today.tsx'

/** Where a newcomer begins: what this is, something to click, and what is going on. */
export function HomeView() {
  const agents = useQuery(agentsQuery)
  return (
    <Page
      title="Echelon Studio"
      lead="Echelon runs each task on the cheapest model whose answer can be verified, and promotes it to a bigger one only when the evidence says so. Here you see every run, why it decided, and what it cost."
    >
      <Stack gap="xl">
        <section aria-labelledby="try">
          <Title order={2} size="h4" mb="sm" id="try">
            Try it
          </Title>
          <Asked query={agents}>
            {(list) => (
              <SimpleGrid cols={{ base: 1, sm: 3 }}>
                {tasksFor(list).map((task) => (
                  <TaskCard key={task.asks} task={task} />
                ))}
              </SimpleGrid>
            )}
          </Asked>
        </section>
        <Today />
        <Waiting />
      </Stack>
    </Page>
  )
}

/** Shown here; the others are in their own view. */
const MOST = 3

function Waiting() {
  const { data = [] } = useQuery(approvalsQuery)
  return (
    <section aria-labelledby="waiting">
      <Title order={2} size="h4" mb="sm" id="waiting">
        Waiting for you
      </Title>
      {data.length === 0 ? (
        <Text c="dimmed">Nothing. When an agent needs a person’s approval, it appears here.</Text>
      ) : (
        <Stack gap="md" maw={760}>
          {data.slice(0, MOST).map((approval) => (
            <ApprovalCard
              key={`${approval.run} ${approval.request}`}
              approval={approval}
              level={3}
            />
          ))}
          {data.length > MOST && <TextLink to="/approvals">All {data.length} that wait</TextLink>}
        </Stack>
      )}
    </section>
  )
}
