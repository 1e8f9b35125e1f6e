import { Code, SimpleGrid, Text } from '@mantine/core'
import type { TuneLadderView, TunePointView, TuneView } from 'echelon/client'
import { Figure } from '../../pieces/figure.tsx'
import { money } from '../../pieces/money.ts'
import { percent } from '../metrics.ts'
import { biggestAlone } from './points.ts'

interface ThresholdFiguresProps {
  readonly tune: TuneView
  readonly ladder: TuneLadderView
  readonly point: TunePointView
}

/** Accuracy and cost at the chosen threshold, compared with the biggest model alone. */
export function ThresholdFigures({ tune, ladder, point }: ThresholdFiguresProps) {
  const alone = biggestAlone(tune, ladder)
  const { accuracy, cost, escalated, wrong_accepts: wrong, threshold } = point
  return (
    <section aria-label="What this threshold gives" aria-live="polite">
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure label="Right" value={percent(accuracy.value)} note={rangeOf(accuracy)} />
        <Figure
          label="Cost of 1,000 tasks"
          value={cost.value === null ? 'unknown' : money(cost.value * 1000)}
          note={besideOf(cost.value, alone?.cost.value)}
        />
        <Figure label="Promoted" value={percent(escalated)} note="asks more than the first model" />
        <Figure label="Wrongly accepted" value={percent(wrong)} note="of the accepted answers" />
      </SimpleGrid>
      <Text size="sm" c="dimmed" mt="sm">
        {alone?.accuracy.value !== undefined &&
          alone.accuracy.value !== null &&
          `${ladder.models.at(-1)} alone is right in ${percent(alone.accuracy.value)}. `}
        To use it: <Code>accept: {threshold}</Code>.
      </Text>
    </section>
  )
}

const rangeOf = ({ low, high }: TunePointView['accuracy']): string =>
  low === null || high === null ? 'of the tasks' : `${percent(low)} to ${percent(high)}`

function besideOf(cost: number | null, alone: number | null | undefined): string {
  if (cost === null || alone === null || alone === undefined || alone === 0) return ''
  const share = Math.round((cost / alone) * 100)
  return `${share}% of the biggest model alone`
}
