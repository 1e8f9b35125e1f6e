import { Alert, Button, Paper, Stack, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { echelon } from '../api/client.ts'
import { useRequestKey } from '../api/use-request-key.ts'
import { newSession } from '../conversations/new-session.ts'
import classes from './task-card.module.css'
import type { Task } from './tasks.ts'

/** A task with a button that runs it, and shows the run. */
export function TaskCard({ task }: { readonly task: Task }) {
  const { title, asks, shows, agent, options, isTalk } = task
  const navigate = useNavigate()
  const { keyOf } = useRequestKey()
  const [talk] = useState(newSession)
  const start = useMutation({
    mutationFn: async () => {
      const session = isTalk ? talk : undefined
      const request = {
        agent,
        input: asks,
        ...(options && { options }),
        ...(session !== undefined && { session }),
      }
      const { id } = await echelon().runs.start(request, { key: keyOf(request) })
      return { id, session }
    },
    onSuccess: ({ id, session }) =>
      session === undefined
        ? navigate({ to: '/runs/$run', params: { run: id } })
        : navigate({ to: '/conversations/$agent/$session', params: { agent, session } }),
  })
  return (
    <Paper withBorder p="md" className={classes['card']} component="article">
      <Stack gap={6} flex={1}>
        <Text size="sm" c="dimmed" component="h3">
          {title}
        </Text>
        <Text fw={600} className={classes['asks']}>
          {asks}
        </Text>
        <Text size="sm" c="dimmed">
          {shows}
        </Text>
      </Stack>
      {start.isError && (
        <Alert color="red" role="alert" p="xs" mt="sm">
          {start.error.message}
        </Alert>
      )}
      <Button
        mt="md"
        variant="light"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={start.isPending}
        onClick={() => start.mutate()}
        aria-label={`Run it: ${asks}`}
      >
        Run it
      </Button>
    </Paper>
  )
}
