import { Paper, Text } from '@mantine/core'
import type { AgentView } from 'echelon/client'
import { useState } from 'react'
import { ButtonLink } from '../pieces/links.tsx'
import { newSession } from './new-session.ts'
import classes from './new-conversation.module.css'

/** An agent to talk with. */
export function NewConversation({ agent }: { readonly agent: AgentView }) {
  const [session] = useState(newSession)
  const { name, description } = agent
  return (
    <Paper withBorder p="md" className={classes['card']} component="article">
      <Text component="h3" fw={600} tt="capitalize">
        {name}
      </Text>
      <Text size="sm" c="dimmed" flex={1} mt={4}>
        {description}
      </Text>
      <ButtonLink
        to="/conversations/$agent/$session"
        params={{ agent: name, session }}
        variant="light"
        mt="md"
        aria-label={`Talk with ${name}`}
      >
        Talk
      </ButtonLink>
    </Paper>
  )
}
