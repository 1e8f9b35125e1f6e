import { Stack, Text } from '@mantine/core'
import type { LayerDecision } from './decisions.ts'

interface DecisionsProps {
  readonly decisions: readonly LayerDecision[]
  /** Shown if the layer decided nothing. */
  readonly otherwise?: string | undefined
}

/** What a layer decided in the last turn, and why. */
export const Decisions = ({ decisions, otherwise }: DecisionsProps) =>
  decisions.length === 0 ? (
    otherwise !== undefined && (
      <Text size="sm" c="dimmed">
        The turn ended: {otherwise}.
      </Text>
    )
  ) : (
    <Stack gap={6} mt="xs" component="ul" pl="md" m={0}>
      {decisions.map(({ decided, because, evidence, by }, index) => (
        <li key={index}>
          <Text size="sm">{decided.replaceAll('_', ' ')}</Text>
          <Text size="sm" c="dimmed">
            {because} (by {by === 'model' ? 'the model' : by})
          </Text>
          {evidence.map((words) => (
            <Text key={words} size="sm" c="dimmed" fs="italic">
              “{words}”
            </Text>
          ))}
        </li>
      ))}
    </Stack>
  )
