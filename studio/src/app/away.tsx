import { Alert } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useServerAway } from '../api/connection-state.ts'

/** Says that the server does not answer. The content stays, and continues when the server answers again. */
export const Away = () =>
  useServerAway() ? (
    <Alert
      color="yellow"
      mb="md"
      role="alert"
      icon={<IconPlugConnectedX />}
      title="The server does not answer"
    >
      The page keeps trying. What you see may be out of date.
    </Alert>
  ) : null
