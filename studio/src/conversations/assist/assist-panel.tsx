import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RunSummaryView } from 'echelon/client'
import { intentQuery } from '../queries.ts'
import { Asked } from '../../pieces/asked.tsx'
import { IntentCard } from './intent-card.tsx'
import { LastTurn } from './last-turn.tsx'

interface AssistPanelProps {
  readonly agent: string
  readonly turn: RunSummaryView | undefined
}

/** The four layers of the assistant: the intent outranks the plan, and the plan what is done. */
export function AssistPanel({ agent, turn }: AssistPanelProps) {
  const intent = useQuery(intentQuery(agent))
  return (
    <Stack gap="md" component="aside" aria-label="The layers of the assistant">
      <Asked query={intent}>{(kept) => <IntentCard agent={agent} kept={kept} />}</Asked>
      {turn !== undefined && <LastTurn key={turn.id} turn={turn} />}
    </Stack>
  )
}
