import { SimpleGrid, Text } from '@mantine/core'
import type { EvaluationView, GateView } from 'echelon/client'
import { Figure } from '../pieces/figure.tsx'
import { money } from '../pieces/money.ts'
import { Ago } from '../pieces/time.tsx'
import { figuresOf, percent } from './metrics.ts'

/** The figures of an evaluation. */
export function Latest({ evaluation }: { readonly evaluation: EvaluationView }) {
  const { cases, success, escalation, wrongAccepts, cost } = figuresOf(evaluation)
  return (
    <section aria-label="Latest figures">
      <Text size="sm" c="dimmed" mb="xs">
        {cases} cases, <Ago at={evaluation.began_at} />. {gatesTold(evaluation.gates)}
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

function gatesTold(gates: readonly GateView[]): string {
  if (gates.length === 0) return 'There are no gates.'
  const failed = gates.filter(({ passed }) => !passed).length
  if (failed > 0) return `${failed} of ${gates.length} gates fail.`
  const unsure = gates.filter(({ verdict }) => verdict === 'INCONCLUSIVE').length
  if (unsure === 0) return 'All gates pass.'
  return `No gate fails, but ${unsure} of ${gates.length} need more cases to be sure.`
}
