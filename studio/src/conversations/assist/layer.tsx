import { Group, Paper, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface LayerProps {
  readonly rank: number
  readonly title: string
  /** The layer's purpose. */
  readonly what: string
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** A layer of the assistant. */
export const Layer = ({ rank, title, what, action, children }: LayerProps) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Group justify="space-between" align="flex-start" wrap="nowrap" mb="xs">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ThemeIcon variant="light" radius="xl" size={28} aria-hidden>
          {rank}
        </ThemeIcon>
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {what}
          </Text>
        </div>
      </Group>
      {action}
    </Group>
    {children}
  </Paper>
)
