import { ActionIcon, Alert, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { IconSend2 } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { AgentView, RunSummaryView } from 'echelon/client'
import { type FormEvent, useState } from 'react'
import { QuickReplies } from './quick-replies.tsx'
import { useCustomer } from './support/use-customer.ts'
import { conversationRoute } from './route.ts'
import { useSend } from './use-send.ts'

interface ComposerProps {
  readonly agent: string
  readonly kind: AgentView['kind'] | undefined
  readonly session: string
  readonly turns: readonly RunSummaryView[]
}

/** Where the user writes. One message at a time: an agent works on the last one first. */
export function Composer({ agent, kind, session, turns }: ComposerProps) {
  const [text, setText] = useState('')
  const customer = useCustomer(kind === 'support' ? turns : [])
  const last = turns.at(-1)
  const isBusy = turns.some(({ status }) => status === 'running' || status === 'waiting')
  const options = kind === 'support' ? { customer_id: customer } : undefined
  const send = useSend({ agent, session, options }, () => setText(''))
  const say = (event?: FormEvent): void => {
    event?.preventDefault()
    if (text.trim() !== '' && !isBusy && !send.isPending) send.mutate(text.trim())
  }
  return (
    <form onSubmit={say}>
      <Stack gap="xs">
        {send.isError && (
          <Alert color="red" role="alert" p="xs">
            {send.error.message}
          </Alert>
        )}
        {last !== undefined && !isBusy && !send.isPending && (
          <QuickReplies key={last.id} turn={last} onSay={(said) => send.mutate(said)} />
        )}
        {kind === 'support' && turns.length === 0 && <Customer customer={customer} />}
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <Textarea
            aria-label="Your message"
            placeholder={isBusy ? 'The agent works on the last message …' : 'Write a message'}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={getHotkeyHandler([['Enter', () => say()]])}
            autosize
            minRows={1}
            maxRows={8}
            flex={1}
            size="md"
          />
          <ActionIcon
            type="submit"
            size={42}
            aria-label="Send"
            loading={send.isPending}
            disabled={isBusy || text.trim() === ''}
          >
            <IconSend2 size={20} aria-hidden />
          </ActionIcon>
        </Group>
      </Stack>
    </form>
  )
}

/** Selects the customer who speaks. On a server with tokens it is always the token's customer. */
function Customer({ customer }: { readonly customer: string }) {
  const navigate = useNavigate({ from: conversationRoute.fullPath })
  return (
    <TextInput
      label="You speak as the customer"
      description="The demo shop knows C-001 to C-020."
      value={customer}
      maw={280}
      onChange={({ currentTarget }) =>
        void navigate({ search: { customer: currentTarget.value }, replace: true })
      }
    />
  )
}
