import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ClientError } from 'echelon/client'

interface ProblemProps {
  readonly error: unknown
  readonly retry?: () => unknown
}

/** An error message, with a button to try again. */
export const Problem = ({ error, retry }: ProblemProps) => (
  <Alert color="red" title={titleOf(error)} icon={<IconAlertTriangle />} role="alert">
    <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>
    {retry !== undefined && (
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={() => void retry()}>
          Try again
        </Button>
      </Group>
    )}
  </Alert>
)

function titleOf(error: unknown): string {
  if (!(error instanceof ClientError)) return 'This did not work'
  if (error.status === 0) return 'The server does not answer'
  if (error.status === 404) return 'There is nothing here'
  return error.status === 403 ? 'You may not do this' : 'The server refused'
}
