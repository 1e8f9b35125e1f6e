import { Stack, Text } from '@mantine/core'
import type { LayerDecision } from './decisions.ts'

interface DecisionsProps {
  readonly decisions: readonly LayerDecision[]
}

/** A layer's decisions in the last turn, with their reasons. */
export const Decisions = ({ decisions }: DecisionsProps) =>
  decisions.length > 0 && (
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
