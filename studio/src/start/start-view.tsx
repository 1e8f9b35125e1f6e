import { Paper, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { AgentView } from 'echelon/client'
import { agentsQuery } from '../api/queries.ts'
import { Asked } from '../pieces/asked.tsx'
import { Empty } from '../pieces/empty.tsx'
import { Page } from '../pieces/page.tsx'
import { AgentForm } from './agent-form.tsx'
import { startRoute } from './route.ts'

/** Gives a task to an agent, by a form made from what the agent takes. */
export function StartView() {
  const agents = useQuery(agentsQuery)
  return (
    <Page title="Start a run" lead="Choose an agent, and describe its task.">
      <Asked query={agents}>{(list) => <Choice agents={list} />}</Asked>
    </Page>
  )
}

function Choice({ agents }: { readonly agents: readonly AgentView[] }) {
  const { agent: named, input } = startRoute.useSearch()
  const navigate = useNavigate({ from: '/runs/new' })
  const agent = agents.find(({ name }) => name === named) ?? agents[0]
  if (agent === undefined) return <Empty title="No agent is served here" />
  return (
    <Stack gap="lg" maw={720}>
      <Select
        label="Agent"
        data={agents.map(({ name }) => name)}
        value={agent.name}
        onChange={(name) => {
          if (name !== null) void navigate({ search: (now) => ({ ...now, agent: name }) })
        }}
        allowDeselect={false}
      />
      <Text c="dimmed" size="sm">
        {agent.description}
        {agent.models.length > 0 && ` Its models, the smallest first: ${agent.models.join(', ')}.`}
      </Text>
      <Paper withBorder p="lg">
        <AgentForm key={agent.name} agent={agent} input={input} />
      </Paper>
    </Stack>
  )
}
