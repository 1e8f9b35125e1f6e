import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RunSummaryView } from 'echelon/client'
import { runQuery } from '../api/queries.ts'

interface QuickRepliesProps {
  readonly turn: RunSummaryView
  readonly onSay: (text: string) => void
}

/** The two answers to a question that wants a yes or a no. */
export function QuickReplies({ turn, onSay }: QuickRepliesProps) {
  const { data } = useQuery(runQuery(turn.id))
  if (data?.end?.details['missing_param'] !== 'confirmation') return null
  return (
    <Group gap="xs">
      {['Yes', 'No'].map((text) => (
        <Button key={text} size="xs" variant="default" onClick={() => onSay(text.toLowerCase())}>
          {text}
        </Button>
      ))}
    </Group>
  )
}
