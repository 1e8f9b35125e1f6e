import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface FigureProps {
  readonly label: string
  readonly value: ReactNode
  /** The meaning of the figure, in a few words. */
  readonly note?: ReactNode
}

/** One number that matters. */
export const Figure = ({ label, value, note }: FigureProps) => (
  <Paper withBorder p="md" component="section" aria-label={label}>
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Text fz={28} fw={650} lh={1.25} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {value}
    </Text>
    {note !== undefined && (
      <Text size="sm" c="dimmed" component="div">
        {note}
      </Text>
    )}
  </Paper>
)
