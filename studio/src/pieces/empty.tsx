import { Center, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyProps {
  readonly title: string
  /** A hint on how to get the first entry. */
  readonly children?: ReactNode
}

/** A list without anything in it. */
export const Empty = ({ title, children }: EmptyProps) => (
  <Center py={56}>
    <Stack gap={6} align="center" ta="center" maw="42ch">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
      )}
    </Stack>
  </Center>
)
