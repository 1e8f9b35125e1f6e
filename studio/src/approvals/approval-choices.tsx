import { Alert, Button, Group, type ButtonProps } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { echelon } from '../api/client.ts'

interface Choice {
  readonly label: string
  readonly look: Pick<ButtonProps, 'variant' | 'color'>
}

const CHOICES: Readonly<Record<string, Choice>> = {
  once: { label: 'Approve', look: { variant: 'filled' } },
  always: { label: 'Always approve', look: { variant: 'light' } },
  deny: { label: 'Deny', look: { variant: 'default' } },
  never: { label: 'Never approve', look: { variant: 'subtle', color: 'red' } },
}

interface ApprovalChoicesProps {
  readonly run: string
  readonly request: string
  readonly choices: readonly string[]
  /** Of the call that is shown: the answer holds for no other. */
  readonly hash: string | undefined
}

/** The ways to answer a tool call that waits. */
export function ApprovalChoices({ run, request, choices, hash }: ApprovalChoicesProps) {
  const queries = useQueryClient()
  const answer = useMutation({
    mutationFn: (choice: string) => echelon().approvals.answer({ run, request }, { choice, hash }),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <Group gap="xs">
      {choices.map((choice) => (
        <Button
          key={choice}
          size="sm"
          {...(CHOICES[choice]?.look ?? { variant: 'default' })}
          loading={answer.isPending && answer.variables === choice}
          disabled={answer.isPending || answer.isSuccess}
          onClick={() => answer.mutate(choice)}
        >
          {CHOICES[choice]?.label ?? choice}
        </Button>
      ))}
      {answer.isError && (
        <Alert color="red" role="alert" p="xs">
          {answer.error.message}
        </Alert>
      )}
    </Group>
  )
}
