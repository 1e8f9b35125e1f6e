import { Alert, Button, Stack, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Json, JsonObject } from 'echelon/client'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { echelon } from '../../api/client.ts'
import { Loading } from '../../pieces/loading.tsx'
import { isObject } from '../story/fields.ts'

const SchemaReply = lazy(() => import('./schema-reply.tsx'))

interface QuestionFormProps {
  readonly run: string
  readonly request: string
  /** JSON Schema of the reply; `null` allows any. */
  readonly schema: Json | undefined
}

/** Answers a question of an agent: with a text, or by a form where its schema wants something else. */
export function QuestionForm({ run, request, schema }: QuestionFormProps) {
  const queries = useQueryClient()
  const answer = useMutation({
    mutationFn: (reply: Json) => echelon().runs.answer(run, request, reply),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <Stack gap="xs" mt="sm">
      {isObject(schema) && !isAnyText(schema) ? (
        <Suspense fallback={<Loading rows={1} />}>
          <SchemaReply schema={schema} isPending={answer.isPending} onReply={answer.mutate} />
        </Suspense>
      ) : (
        <TextReply isPending={answer.isPending} onReply={answer.mutate} />
      )}
      {answer.isError && (
        <Alert color="red" role="alert" p="xs">
          {answer.error.message}
        </Alert>
      )}
    </Stack>
  )
}

/** A schema that says nothing is for a text too. */
const isAnyText = (schema: JsonObject): boolean =>
  schema['enum'] === undefined &&
  (schema['type'] === 'string' || !KINDS.some((kind) => kind in schema))

const KINDS = ['type', 'anyOf', 'oneOf', 'allOf', 'const', '$ref']

interface TextReplyProps {
  readonly isPending: boolean
  readonly onReply: (reply: Json) => void
}

function TextReply({ isPending, onReply }: TextReplyProps) {
  const [text, setText] = useState('')
  const send = (event: FormEvent): void => {
    event.preventDefault()
    onReply(text)
  }
  return (
    <form onSubmit={send}>
      <Stack gap="xs" align="flex-start">
        <Textarea
          label="Your answer"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          autosize
          minRows={2}
          w="100%"
        />
        <Button type="submit" size="xs" loading={isPending}>
          Answer
        </Button>
      </Stack>
    </form>
  )
}
