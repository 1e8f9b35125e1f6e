import { Group, Text } from '@mantine/core'
import type { MomentOf } from '../story/moment.ts'

/** The numbers that made a decision. */
export const GateDetails = ({ moment }: { readonly moment: MomentOf<'gate'> }) => (
  <Group gap="lg" mt={2}>
    {moment.numbers.map(({ name, value }) => (
      <Text key={name} size="sm" c="dimmed" span>
        {name}{' '}
        <Text span fw={650} c="var(--mantine-color-text)" inherit>
          {value}
        </Text>
      </Text>
    ))}
  </Group>
)
