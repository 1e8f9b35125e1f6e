import { Badge, Group, List, Text } from '@mantine/core'
import type { JsonObject } from 'echelon/client'
import { textOf } from '../../run/story/fields.ts'

const ALTITUDES: Readonly<Record<string, string>> = {
  L1: 'does one step',
  L2: 'orders steps',
  L3: 'weighs options',
  L4: 'asks about the purpose',
}

/** The plan that was followed last. */
export function PlanShown({ plan }: { readonly plan: JsonObject }) {
  const approach = textOf(plan, 'approach')
  const altitude = textOf(plan, 'altitude') ?? ''
  if (approach === undefined) return null
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {approach.replaceAll('_', ' ')}
        </Text>
        <Badge variant="light" tt="none" size="sm">
          {altitude} · {ALTITUDES[altitude] ?? 'its altitude'}
        </Badge>
      </Group>
      <Lines label="Focus" lines={plan['focus']} />
      <Lines label="Within" lines={plan['constraints']} />
    </>
  )
}

function Lines({ label, lines }: { readonly label: string; readonly lines: unknown }) {
  const texts = Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : []
  if (texts.length === 0) return null
  return (
    <>
      <Text size="xs" c="dimmed" mt={6}>
        {label}
      </Text>
      <List size="sm" spacing={2}>
        {texts.map((line) => (
          <List.Item key={line}>{line.replaceAll('_', ' ')}</List.Item>
        ))}
      </List>
    </>
  )
}
