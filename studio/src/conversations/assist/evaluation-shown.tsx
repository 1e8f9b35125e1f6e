import { Badge, Group, Text } from '@mantine/core'
import type { JsonObject } from 'echelon/client'
import { textOf } from '../../run/story/fields.ts'

/** The findings of the last evaluation. */
export function EvaluationShown({ evaluation }: { readonly evaluation: JsonObject }) {
  const outcome = textOf(evaluation, 'outcome')
  if (outcome === undefined) return null
  const isMatched = evaluation['matched_intent'] === true
  return (
    <Group gap="xs">
      <Badge variant="light" color={isMatched ? 'teal' : 'orange'} tt="none" size="sm">
        {isMatched ? 'What you want' : 'Not what you want'}
      </Badge>
      <Text size="sm">{outcome.replaceAll('_', ' ')}</Text>
    </Group>
  )
}
