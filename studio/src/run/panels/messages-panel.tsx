import { Accordion, Alert, Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ModelCallView, RunView } from 'echelon/client'
import { messagesQuery } from '../../api/queries.ts'
import { Asked } from '../../pieces/asked.tsx'
import { Empty } from '../../pieces/empty.tsx'
import { JsonView } from '../../pieces/json-view.tsx'
import { Prose } from '../moments/prose.tsx'
import { spokenText } from './spoken-text.ts'
import { useWhileOpen } from './use-while-open.ts'

/** Each call of a model: what it was asked, and what it answered. */
export function MessagesPanel({ run }: { readonly run: RunView }) {
  const query = useQuery(messagesQuery(run.id))
  useWhileOpen(run, query.refetch)
  return (
    <Asked query={query}>
      {({ calls, unknown }) => (
        <>
          {unknown !== null && (
            <Alert color="yellow" mb="sm">
              {unknown}
            </Alert>
          )}
          {calls.length === 0 && <Empty title="No model was asked" />}
          <Accordion
            variant="separated"
            defaultValue={calls[0] === undefined ? null : keyOf(calls[0])}
          >
            {calls.map((call, index) => (
              <Call key={keyOf(call)} call={call} number={index + 1} />
            ))}
          </Accordion>
        </>
      )}
    </Asked>
  )
}

const keyOf = ({ path, seq }: ModelCallView): string => `${path}#${seq}`

function Call({ call, number }: { readonly call: ModelCallView; readonly number: number }) {
  const { model, role, prompt, tools, seen, is_filtered: isFiltered } = call
  return (
    <Accordion.Item value={keyOf(call)}>
      <Accordion.Control>
        <Group gap="xs">
          <Text fw={600}>
            Call {number}: {model}
          </Text>
          <Text c="dimmed" size="sm">
            as {role}
            {prompt !== null &&
              `, ${prompt.length} ${prompt.length === 1 ? 'message' : 'messages'}`}
          </Text>
          {isFiltered && (
            <Badge variant="default" tt="none">
              a filter changed it before it was sent
            </Badge>
          )}
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        {prompt === null && <Text size="sm">The prompt is unknown.</Text>}
        {prompt?.map((message, index) => (
          <section key={`${index}`}>
            <Text size="xs" c="dimmed" fw={600} mt="xs">
              {message.role}
            </Text>
            <Prose>{spokenText(message.content)}</Prose>
          </section>
        ))}
        {tools.length > 0 && (
          <Text size="sm" c="dimmed" mt="sm">
            Tools it could use: {tools.join(', ')}
          </Text>
        )}
        <Text size="xs" c="dimmed" fw={600} mt="sm">
          answer
        </Text>
        {seen === null ? <Text>No answer yet.</Text> : <Answer seen={seen} />}
      </Accordion.Panel>
    </Accordion.Item>
  )
}

const Answer = ({ seen }: { readonly seen: NonNullable<ModelCallView['seen']> }) =>
  seen.type === 'generated' && seen.calls.length === 0 ? (
    <Prose>{seen.text}</Prose>
  ) : (
    <JsonView value={seen} open={2} />
  )
