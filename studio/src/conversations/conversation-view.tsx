import { Button, Grid, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { AgentView, RunSummaryView } from 'echelon/client'
import type { ReactNode } from 'react'
import { agentsQuery } from '../api/queries.ts'
import { Asked } from '../pieces/asked.tsx'
import { Page } from '../pieces/page.tsx'
import { TextLink } from '../pieces/links.tsx'
import { AssistPanel } from './assist/assist-panel.tsx'
import { Composer } from './composer.tsx'
import { DeleteConversation } from './delete-conversation.tsx'
import { isOwnQuery, turnsQuery } from './queries.ts'
import { conversationRoute } from './route.ts'
import { SupportPanel } from './support/support-panel.tsx'
import { Thread } from './thread.tsx'

/** A conversation with an agent: what was said, what it did, and what it waits for. */
export function ConversationView() {
  const { agent: name, session } = conversationRoute.useParams()
  const { owner } = conversationRoute.useSearch()
  const agents = useQuery(agentsQuery)
  const turns = useInfiniteQuery(turnsQuery(name, session, owner))
  const agent = agents.data?.find((one) => one.name === name)
  return (
    <Page
      title={titleOf(name)}
      lead={
        <>
          <TextLink to="/conversations" inherit underline="always">
            All conversations
          </TextLink>
          {agent !== undefined && ` · ${agent.description}`}
        </>
      }
      actions={
        turns.data !== undefined &&
        turns.data.length > 0 && <DeleteConversation agent={name} session={session} owner={owner} />
      }
    >
      <Asked query={turns}>
        {(list) => (
          <Talk
            key={`${owner ?? ''}/${session}`}
            agent={agent}
            name={name}
            session={session}
            owner={owner}
            turns={list}
            earlier={
              turns.hasNextPage && (
                <Button
                  variant="default"
                  loading={turns.isFetchingNextPage}
                  onClick={() => void turns.fetchNextPage()}
                >
                  Show earlier messages
                </Button>
              )
            }
          />
        )}
      </Asked>
    </Page>
  )
}

const titleOf = (agent: string): string =>
  `Conversation with ${agent.charAt(0).toUpperCase()}${agent.slice(1)}`

interface TalkProps {
  readonly agent: AgentView | undefined
  readonly name: string
  readonly session: string
  readonly owner: string | undefined
  readonly turns: readonly RunSummaryView[]
  /** Loads the turns before these, if there are any. */
  readonly earlier: ReactNode
}

function Talk({ agent, name, session, owner, turns, earlier }: TalkProps) {
  const { data: isOwn = owner === undefined } = useQuery(isOwnQuery(name, session, owner))
  const panel = panelOf(agent, turns)
  return (
    <Grid gap={{ base: 'md', md: 'xl' }}>
      <Grid.Col span={{ base: 12, md: panel === null ? 12 : 7 }}>
        <Stack gap="lg" maw={820}>
          {earlier}
          <Thread agent={name} session={session} turns={turns} />
          {isOwn ? (
            <Composer agent={name} kind={agent?.kind} session={session} turns={turns} />
          ) : (
            <Text size="sm" c="dimmed">
              This is a conversation of {owner}. You can read it and decide what waits, but only{' '}
              {owner} writes in it.
            </Text>
          )}
        </Stack>
      </Grid.Col>
      {panel !== null && <Grid.Col span={{ base: 12, md: 5 }}>{panel}</Grid.Col>}
    </Grid>
  )
}

/** A panel beside the conversation with the work of some agents. */
function panelOf(agent: AgentView | undefined, turns: readonly RunSummaryView[]) {
  const last = turns.at(-1)
  if (agent?.kind === 'assist') return <AssistPanel agent={agent.name} turn={last} />
  return agent?.kind === 'support' && last !== undefined ? <SupportPanel turn={last} /> : null
}
