import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import type { EvaluationView } from 'echelon/client'
import { figuresOf, percent } from './metrics.ts'

const TIME = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

interface OverTimeProps {
  /** Newest first. */
  readonly evaluations: readonly EvaluationView[]
}

/** The change of the shares from one evaluation to the next. */
export default function OverTime({ evaluations }: OverTimeProps) {
  const data = evaluations.toReversed().map((one) => {
    const { success, escalation, wrongAccepts } = figuresOf(one)
    return { at: TIME.format(Date.parse(one.began_at)), success, escalation, wrongAccepts }
  })
  return (
    <figure aria-label="Shares over time" style={{ margin: 0 }}>
      <LineChart
        h={260}
        data={data}
        dataKey="at"
        series={[
          { name: 'success', label: 'Right', color: 'teal.6' },
          { name: 'escalation', label: 'Promoted', color: 'echelon.5' },
          {
            name: 'wrongAccepts',
            label: 'Wrongly accepted',
            color: 'red.6',
            strokeDasharray: '5 5',
          },
        ]}
        yAxisProps={{ domain: [0, 1], width: 64 }}
        valueFormatter={percent}
        withLegend
        curveType="linear"
        lineProps={{ isAnimationActive: false }}
      />
    </figure>
  )
}
