import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

interface PageProps {
  readonly title: string
  /** A sentence that tells newcomers what the page shows. */
  readonly lead?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A view: its title, what it is for, and its content. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Echelon Studio`
  }, [title])
  return (
    <Stack gap="lg" maw={1240} mx="auto">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex="1 1 16rem">
          <Title order={1} size="h2" tabIndex={-1}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" component="div" mt={4} maw="70ch">
              {lead}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
