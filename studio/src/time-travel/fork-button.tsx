import { Alert, Autocomplete, Button, Modal, MultiSelect, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconGitFork } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { StepView } from 'echelon/client'
import { type FormEvent, useState } from 'react'
import { agentsQuery } from '../api/queries.ts'
import { echelon } from '../api/client.ts'

interface ForkProps {
  readonly run: string
  readonly step: StepView
  /** Models by role. */
  readonly models: Readonly<Record<string, string>>
  readonly agent: string | undefined
}

/** Starts a run that repeats this one up to a step, and then runs on its own. */
export function ForkButton(props: ForkProps) {
  const [isOpen, { open, close }] = useDisclosure()
  const { seq } = props.step
  return (
    <>
      <Button size="xs" onClick={open} leftSection={<IconGitFork size={16} aria-hidden />}>
        Fork at step {seq}
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Fork at step ${seq}`} centered>
        <ForkForm {...props} />
      </Modal>
    </>
  )
}

function ForkForm({ run, step, models, agent }: ForkProps) {
  const [chosen, setChosen] = useState(models)
  const [act, setAct] = useState<readonly string[]>([])
  const { data: agents = [] } = useQuery(agentsQuery)
  const navigate = useNavigate()
  const known = [...new Set([...agents.flatMap((each) => each.models), ...Object.values(models)])]
  const tools = agents.find(({ name }) => name === agent)?.tools ?? []
  const fork = useMutation({
    mutationFn: () => {
      const other = Object.entries(chosen).filter(([role, model]) => model !== models[role])
      return echelon().runs.fork(run, {
        at: step.seq,
        ...(act.length > 0 && { act }),
        ...(other.length > 0 && { models: Object.fromEntries(other) }),
      })
    },
    onSuccess: ({ id }) => navigate({ to: '/runs/$run', params: { run: id } }),
  })
  const send = (event: FormEvent): void => {
    event.preventDefault()
    fork.mutate()
  }
  return (
    <form onSubmit={send}>
      <Stack>
        <Text size="sm">
          The new run takes the steps before step {step.seq} from the record, which costs nothing,
          and does this step and the rest again.
        </Text>
        {Object.entries(models).map(([role, model]) => (
          <Autocomplete
            key={role}
            label={`The model for ${role}`}
            description={`This run used ${model}.`}
            data={known}
            value={chosen[role] ?? model}
            onChange={(value) => setChosen({ ...chosen, [role]: value })}
            required
          />
        ))}
        <MultiSelect
          label="Tools that may act again"
          description="Other tools that acted return their recorded results."
          data={tools.map(({ name }) => name)}
          value={[...act]}
          onChange={setAct}
          clearable
        />
        {fork.isError && (
          <Alert color="red" role="alert">
            {fork.error.message}
          </Alert>
        )}
        <Button type="submit" loading={fork.isPending}>
          Start the fork
        </Button>
      </Stack>
    </form>
  )
}
