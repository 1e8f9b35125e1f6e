import '@mantine/dates/styles.css'
import { Alert, Button, Group } from '@mantine/core'
import { generateForm } from '@rjsf/mantine'
import type { UiSchema } from '@rjsf/utils'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { AgentView, RunRequest } from 'echelon/client'
import { useMemo, useState } from 'react'
import { echelon } from '../api/client.ts'
import { useRequestKey } from '../api/use-request-key.ts'
import { hasOptions, shownSchema } from './form-schema.ts'
import { interpretedSchemas } from './interpreted-schemas.ts'

interface AgentFormProps {
  readonly agent: AgentView
  readonly input: string | undefined
}

const TaskForm = generateForm<RunRequest>()

/** How the fields look; what they are is said by the agent. */
const LOOK: UiSchema<RunRequest> = {
  'ui:submitButtonOptions': { norender: true },
  'ui:order': ['input', 'session', '*'],
  agent: { 'ui:widget': 'hidden' },
  input: { 'ui:widget': 'textarea', 'ui:title': 'Task', 'ui:options': { rows: 3 } },
  session: { 'ui:title': 'Conversation' },
  options: { 'ui:title': 'Options' },
}

/** A form from the JSON Schema of an agent's input, which starts a run. */
export function AgentForm({ agent, input }: AgentFormProps) {
  const navigate = useNavigate()
  const [isDetailed, { toggle }] = useDisclosure()
  const schema = useMemo(() => shownSchema(agent, isDetailed), [agent, isDetailed])
  const [data, setData] = useState<RunRequest>({ agent: agent.name, input: input ?? '' })
  const { keyOf } = useRequestKey()
  const start = useMutation({
    mutationFn: (request: RunRequest) => echelon().runs.start(request, { key: keyOf(request) }),
    onSuccess: ({ id }) => navigate({ to: '/runs/$run', params: { run: id } }),
  })
  return (
    <TaskForm
      schema={schema}
      uiSchema={LOOK}
      validator={interpretedSchemas}
      formData={data}
      onChange={({ formData }) => setData(formData ?? data)}
      onSubmit={({ formData }) => {
        if (formData !== undefined) start.mutate(withoutEmpty(formData))
      }}
      idPrefix="run"
      showErrorList={false}
      noHtml5Validate
    >
      {start.isError && (
        <Alert color="red" role="alert" mt="md">
          {start.error.message}
        </Alert>
      )}
      <Group mt="md">
        <Button type="submit" loading={start.isPending}>
          Start
        </Button>
        {hasOptions(agent) && (
          <Button variant="subtle" onClick={toggle} aria-expanded={isDetailed}>
            {isDetailed ? 'Fewer options' : 'More options'}
          </Button>
        )}
      </Group>
    </TaskForm>
  )
}

/** A field that is left empty is not sent. */
function withoutEmpty({ session, options, ...rest }: RunRequest): RunRequest {
  const given = Object.entries(options ?? {}).filter(([, value]) => {
    const isEmpty =
      value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    return !isEmpty
  })
  return {
    ...rest,
    ...(session !== undefined && session !== '' && { session }),
    ...(given.length > 0 && { options: Object.fromEntries(given) }),
  }
}
