import { SimpleGrid, Text } from '@mantine/core'
import type { EvaluationView } from 'echelon/client'
import { Figure } from '../pieces/figure.tsx'
import { money } from '../pieces/money.ts'
import { Ago } from '../pieces/time.tsx'
import { figuresOf, percent } from './metrics.ts'

/** The figures of an evaluation. */
export function Latest({ evaluation }: { readonly evaluation: EvaluationView }) {
  const { cases, success, escalation, wrongAccepts, cost } = figuresOf(evaluation)
  const failed = evaluation.gates.filter(({ passed }) => !passed).length
  return (
    <section aria-label="Latest figures">
      <Text size="sm" c="dimmed" mb="xs">
        {cases} cases, <Ago at={evaluation.began_at} />.{' '}
        {evaluation.gates.length === 0
          ? 'There are no gates.'
          : failed === 0
            ? 'All gates pass.'
            : `${failed} of ${evaluation.gates.length} gates fail.`}
      </Text>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure label="Right" value={percent(success)} note="of all cases" />
        <Figure label="Promoted" value={percent(escalation)} note="asked a bigger model" />
        <Figure label="Wrongly accepted" value={percent(wrongAccepts)} note="of those verified" />
        <Figure label="Cost of a case" value={money(cost)} note="on average" />
      </SimpleGrid>
    </section>
  )
}
