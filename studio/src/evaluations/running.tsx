import { Paper, Progress, Text } from '@mantine/core'
import type { EvaluationView } from 'echelon/client'

/** An evaluation at work. */
export function Running({ evaluation }: { readonly evaluation: EvaluationView }) {
  const { dataset, done, planned } = evaluation
  const share = planned === null || planned === 0 ? 0 : (done / planned) * 100
  return (
    <Paper withBorder p="md" component="section" aria-label="At work" aria-live="polite">
      <Text size="sm" mb="xs">
        Running {dataset}: {done} of {planned ?? '…'} cases
      </Text>
      <Progress value={share} aria-label={`${Math.round(share)}% of the cases`} animated />
    </Paper>
  )
}
