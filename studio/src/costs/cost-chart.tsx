import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { CostReport } from 'echelon/client'
import { money } from '../pieces/money.ts'
import { daysBetween, shortDay } from './days.ts'

/** The costs as bars: days in their order, others the dearest first. */
export default function CostChart({ report }: { readonly report: CostReport }) {
  const data = barsOf(report)
  // Without a price there is nothing to compare; the number of calls is.
  const isFree = data.every(({ cost }) => cost === 0)
  return (
    <figure aria-label={isFree ? 'Model calls' : 'Costs'} style={{ margin: 0 }}>
      <BarChart
        h={260}
        data={data}
        dataKey="key"
        series={[
          isFree
            ? { name: 'calls', label: 'Model calls', color: 'echelon.6' }
            : { name: 'cost', label: 'Cost', color: 'echelon.6' },
        ]}
        valueFormatter={(value) => (isFree ? String(value) : money(value))}
        tickLine="none"
        gridAxis="x"
        maxBarWidth={56}
        barChartProps={{ margin: { top: 12 } }}
        barProps={{ isAnimationActive: false, radius: [4, 4, 0, 0] }}
        yAxisProps={{ width: 64, allowDecimals: !isFree }}
      />
    </figure>
  )
}

interface Bar {
  readonly key: string
  readonly cost: number
  readonly calls: number
}

function barsOf({ by, rows, since, until }: CostReport): Bar[] {
  if (by !== 'day') {
    return rows
      .map(({ key, cost, calls }) => ({ key: key === '' ? 'none' : key, cost, calls }))
      .toSorted((a, b) => b.cost - a.cost || b.calls - a.calls)
  }
  const known = new Map(rows.map((row) => [row.key, row]))
  return daysBetween(since, until).map((day) => {
    const { cost = 0, calls = 0 } = known.get(day) ?? {}
    return { key: shortDay(day), cost, calls }
  })
}
