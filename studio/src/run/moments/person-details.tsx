import { Box, Text } from '@mantine/core'
import type { JsonObject, RunView } from 'echelon/client'
import { ApprovalChoices } from '../../approvals/approval-choices.tsx'
import { JsonView } from '../../pieces/json-view.tsx'
import { isObject, textOf } from '../story/fields.ts'
import type { MomentOf } from '../story/moment.ts'
import { Prose } from './prose.tsx'
import { QuestionForm } from './question-form.tsx'

interface PersonDetailsProps {
  readonly moment: MomentOf<'person'>
  readonly run: RunView
}

/** A question to a person, with the ways to answer, or the answer. */
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

interface ReplyProps {
  readonly run: RunView
  readonly request: string
  readonly asked: JsonObject
}

function Reply({ run, request, asked }: ReplyProps) {
  if (asked['type'] !== 'approval') {
    return <QuestionForm run={run.id} request={request} schema={asked['schema']} />
  }
  const choices = Array.isArray(asked['choices']) ? asked['choices'].map(String) : []
  const hash = textOf(asked, 'hash')
  return (
    <Box mt="sm">
      <ApprovalChoices run={run.id} request={request} choices={choices} hash={hash} />
    </Box>
  )
}
