import { Group, Slider, Text } from '@mantine/core'
import type { TuneLadderView } from 'echelon/client'

interface ThresholdSliderProps {
  readonly ladder: TuneLadderView
  readonly threshold: number
  readonly onChange: (threshold: number) => void
}

/** The threshold, to drag or to move by the arrow keys: it stops where answers were measured. */
export function ThresholdSlider({ ladder, threshold, onChange }: ThresholdSliderProps) {
  const marks = ladder.points.flatMap(({ threshold: value }) => (value === null ? [] : [{ value }]))
  return (
    <div>
      <Text size="sm" fw={600} mb={4} id="threshold">
        Threshold: {threshold.toFixed(3)}
      </Text>
      <Slider
        thumbLabel="Threshold"
        min={0}
        max={1}
        step={0.001}
        value={threshold}
        onChange={onChange}
        marks={marks}
        restrictToMarks
        label={null}
        size="lg"
        thumbSize={24}
      />
      <Group justify="space-between" mt={6}>
        <Text size="xs" c="dimmed">
          accepts everything
        </Text>
        <Text size="xs" c="dimmed">
          promotes everything
        </Text>
      </Group>
    </div>
  )
}
