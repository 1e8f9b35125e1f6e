import { ActionIcon, Alert, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { IconSend2 } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { AgentView, JsonObject, RunSummaryView } from 'echelon/client'
import { type FormEvent, useState } from 'react'
import { agentsQuery } from '../api/queries.ts'
import { QuickReplies } from './quick-replies.tsx'
import { customerQuery, DEFAULT_CUSTOMER } from './support/customer.ts'
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
  const { customer = DEFAULT_CUSTOMER } = conversationRoute.useSearch()
  const queries = useQueryClient()
  const last = turns.at(-1)
  const isBusy = turns.some(({ status }) => status === 'running' || status === 'waiting')
  // Looked up when it is needed: a quick click is for the right customer too.
  const optionsNow = async (): Promise<JsonObject | undefined> => {
    const agents = await queries.ensureQueryData(agentsQuery)
    if (agents.find(({ name }) => name === agent)?.kind !== 'support') return undefined
    return { customer_id: (await queries.ensureQueryData(customerQuery(turns))) ?? customer }
  }
  const send = useSend({ agent, session, optionsNow }, () => setText(''))
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
