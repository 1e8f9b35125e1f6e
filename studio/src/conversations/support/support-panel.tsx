import { Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RunSummaryView } from 'echelon/client'
import { runQuery } from '../../api/queries.ts'
import { useRunFeed } from '../../api/run-feed.ts'
import { PlanSteps } from './plan-steps.tsx'
import { StageList } from './stage-list.tsx'
import { stagesIn } from './stages.ts'

/** How the support agent handled the last message: its stages, and the plan with its steps. */
export function SupportPanel({ turn }: { readonly turn: RunSummaryView }) {
  const { events, end } = useRunFeed(turn.id)
  const { data } = useQuery(runQuery(turn.id))
  const stages = stagesIn(events)
  return (
    <Stack gap="md" component="aside" aria-label="How the agent works">
      <PlanSteps execution={(end ?? data)?.end?.details['execution']} />
      <Paper withBorder p="md">
        <Title order={2} size="h5" mb="xs">
          Stages of the last message
        </Title>
        {stages.length === 0 ? (
          <Text size="sm" c="dimmed">
            No stages are recorded.
          </Text>
        ) : (
          <StageList stages={stages} />
        )}
      </Paper>
    </Stack>
  )
}
