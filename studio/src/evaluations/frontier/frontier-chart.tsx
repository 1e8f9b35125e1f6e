import { ScatterChart } from '@mantine/charts'
import type { TuneLadderView, TunePointView, TuneView } from 'echelon/client'
import { money } from '../../pieces/money.ts'
import { percent } from '../metrics.ts'
import { priceOf } from './points.ts'

interface FrontierChartProps {
  readonly tune: TuneView
  readonly ladder: TuneLadderView
  readonly point: TunePointView
}

/** Accuracy against cost: every threshold of the ladder, the models alone, the best, and the chosen one. */
export function FrontierChart({ tune, ladder, point }: FrontierChartProps) {
  const isPriced = tune.price === 'cost'
  const dotOf = (one: TunePointView) => ({
    price: priceOf(tune, one),
    accuracy: one.accuracy.value ?? 0,
  })
  const alone = tune.ladders.filter(({ models }) => models.length === 1)
  return (
    <figure aria-label="Accuracy against cost" style={{ margin: 0 }}>
      <ScatterChart
        h={400}
        data={[
          { color: 'gray.5', name: 'Thresholds', data: ladder.points.map(dotOf) },
          { color: 'teal.6', name: 'Best for their price', data: tune.frontier.map(bestOf) },
          {
            color: 'grape.6',
            name: 'One model alone',
            data: alone.flatMap(({ points }) => points.map(dotOf)),
          },
          { color: 'orange.6', name: 'Your threshold', data: [dotOf(point)] },
        ]}
        dataKey={{ x: 'price', y: 'accuracy' }}
        xAxisLabel={isPriced ? 'Cost of a task' : 'Share that asks the biggest model'}
        yAxisLabel="Accuracy"
        labels={{ x: isPriced ? 'Cost' : 'Asks the biggest', y: 'Accuracy' }}
        valueFormatter={{ x: isPriced ? money : percent, y: percent }}
        xAxisProps={{ domain: [0, 'auto'] }}
        yAxisProps={{ domain: ['auto', 'auto'], width: 72 }}
        scatterProps={{ isAnimationActive: false }}
        withLegend
        legendProps={{ verticalAlign: 'bottom', height: 84, wrapperStyle: { paddingTop: 22 } }}
        tickLine="none"
      />
    </figure>
  )
}

const bestOf = ({ price, accuracy }: TuneView['frontier'][number]) => ({ price, accuracy })
