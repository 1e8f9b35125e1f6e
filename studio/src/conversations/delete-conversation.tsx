import { Alert, Button, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { echelon } from '../api/client.ts'

interface DeleteConversationProps {
  readonly agent: string
  readonly session: string
  readonly owner: string | undefined
}

/** Deletes a conversation with all that is kept of it, after asking. */
export function DeleteConversation({ agent, session, owner }: DeleteConversationProps) {
  const [opened, { open, close }] = useDisclosure()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () =>
      echelon().sessions.delete(agent, session, owner === undefined ? {} : { owner }),
    onSuccess: async () => {
      await navigate({ to: '/conversations' })
      await queries.invalidateQueries()
    },
  })
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={open}>
        Delete
      </Button>
      <Modal opened={opened} onClose={close} title="Delete this conversation?" centered>
        <Text size="sm">
          Its messages, its runs and their journals are deleted. This cannot be taken back.
        </Text>
        {remove.isError && (
          <Alert color="red" role="alert" mt="sm">
            {remove.error.message}
          </Alert>
        )}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            Keep it
          </Button>
          <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete it
          </Button>
        </Group>
      </Modal>
    </>
  )
}
