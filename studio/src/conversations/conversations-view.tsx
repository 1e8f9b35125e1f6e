import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { agentsQuery } from '../api/queries.ts'
import { Asked } from '../pieces/asked.tsx'
import { Empty } from '../pieces/empty.tsx'
import { Page } from '../pieces/page.tsx'
import { NewConversation } from './new-conversation.tsx'
import { sessionsQuery } from './queries.ts'
import { SessionRow } from './session-row.tsx'
import classes from './session-row.module.css'

/** Conversations with agents that remember: a new one, and those before. */
export function ConversationsView() {
  const agents = useQuery(agentsQuery)
  const sessions = useQuery(sessionsQuery)
  return (
    <Page title="Conversations" lead="Talk with an agent that remembers what was said.">
      <Stack gap="xl">
        <section aria-labelledby="new">
          <Title order={2} size="h4" mb="sm" id="new">
            Begin a new one
          </Title>
          <Asked query={agents}>
            {(list) => (
              <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
                {list
                  .filter(({ accepts }) => accepts.sessions)
                  .map((agent) => (
                    <NewConversation key={agent.name} agent={agent} />
                  ))}
              </SimpleGrid>
            )}
          </Asked>
        </section>
        <section aria-labelledby="earlier">
          <Title order={2} size="h4" mb="sm" id="earlier">
            Continue one
          </Title>
          <Asked query={sessions}>
            {(list) =>
              list.length === 0 ? (
                <Empty title="No conversations yet">Begin one above.</Empty>
              ) : (
                <ul className={classes['list']}>
                  {list.map((session) => (
                    <SessionRow
                      key={`${session.owner}/${session.agent}/${session.id}`}
                      session={session}
                    />
                  ))}
                </ul>
              )
            }
          </Asked>
          <Text size="sm" c="dimmed" mt="sm">
            A conversation is kept until you delete it.
          </Text>
        </section>
      </Stack>
    </Page>
  )
}
