import { Badge, Group, Stack, Text } from '@mantine/core'
import type { IntentView } from 'echelon/client'

/** The intent, to read. */
export const IntentShown = ({ intent }: { readonly intent: IntentView }) => (
  <Stack gap="xs">
    <Words label="Success" words={[intent.current_success]} />
    <Words label="North stars" words={intent.north_stars} />
    <Words label="Never" words={intent.non_goals} />
    <Words label="A turn stops when" words={intent.stop_conditions} />
  </Stack>
)

interface WordsProps {
  readonly label: string
  readonly words: readonly string[]
}

const Words = ({ label, words }: WordsProps) => (
  <div>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    {words.length === 0 ? (
      <Text size="sm">nothing</Text>
    ) : (
      <Group gap={6}>
        {words.map((word) => (
          <Badge
            key={word}
            variant="default"
            tt="none"
            h="auto"
            fw={500}
            py={3}
            style={{ whiteSpace: 'normal' }}
          >
            {word.replaceAll('_', ' ')}
          </Badge>
        ))}
      </Group>
    )}
  </div>
)
