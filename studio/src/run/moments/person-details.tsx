import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { JsonObject, RunView } from 'echelon/client'
import { echelon } from '../../api/client.ts'
import { JsonView } from '../../pieces/json-view.tsx'
import { isObject, textOf } from '../story/fields.ts'
import type { MomentOf } from '../story/moment.ts'
import { Prose } from './prose.tsx'
import { QuestionForm } from './question-form.tsx'

interface PersonDetailsProps {
  readonly moment: MomentOf<'person'>
  readonly run: RunView
}

/** What a person is asked, with the ways to answer, or what was answered. */
export function PersonDetails({ moment, run }: PersonDetailsProps) {
  const { about, reply } = moment
  const asked = isObject(about) ? about : {}
  const isOpen = reply === undefined && run.requests.some(({ id }) => id === moment.request)
  const question = textOf(asked, 'question')
  return (
    <>
      {question !== undefined && <Prose>{question}</Prose>}
      {asked['type'] === 'approval' && <Call asked={asked} />}
      {isOpen && <Reply run={run} request={moment.request} asked={asked} />}
      {reply !== undefined && reply !== null && (
        <>
          <Text size="xs" c="dimmed" mt={6}>
            The answer
          </Text>
          <JsonView value={reply} open={2} />
        </>
      )}
    </>
  )
}

const Call = ({ asked }: { readonly asked: JsonObject }) => (
  <>
    <Text size="sm">
      Would call <code>{textOf(asked, 'tool')}</code>
      {textOf(asked, 'why') !== undefined && `, which needs approval: ${textOf(asked, 'why')}`}
    </Text>
    <JsonView value={asked['input']} open={3} />
  </>
)

const CHOICES: Readonly<Record<string, string>> = {
  once: 'Approve',
  always: 'Always approve',
  deny: 'Deny',
  never: 'Never approve',
}

interface ReplyProps {
  readonly run: RunView
  readonly request: string
  readonly asked: JsonObject
}

function Reply({ run, request, asked }: ReplyProps) {
  const queries = useQueryClient()
  const answer = useMutation({
    mutationFn: (choice: string) =>
      echelon().approvals.answer({ run: run.id, request }, { choice, hash: textOf(asked, 'hash') }),
    onSettled: () => queries.invalidateQueries(),
  })
  if (asked['type'] !== 'approval') {
    return <QuestionForm run={run.id} request={request} schema={asked['schema']} />
  }
  const choices = Array.isArray(asked['choices']) ? asked['choices'].map(String) : []
  return (
    <Group gap="xs" mt="sm">
      {choices.map((choice) => (
        <Button
          key={choice}
          size="xs"
          variant={choice === 'once' ? 'filled' : 'default'}
          loading={answer.isPending && answer.variables === choice}
          onClick={() => answer.mutate(choice)}
        >
          {CHOICES[choice] ?? choice}
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
