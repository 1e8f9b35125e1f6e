import { Alert, Button, Stack, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Json } from 'echelon/client'
import { type FormEvent, useState } from 'react'
import { echelon } from '../../api/client.ts'
import { isObject } from '../story/fields.ts'

interface QuestionFormProps {
  readonly run: string
  readonly request: string
  /** JSON Schema of the reply; `null` allows any. */
  readonly schema: Json | undefined
}

/** Answers a question of an agent: with a text, or with JSON where its schema wants another type. */
export function QuestionForm({ run, request, schema }: QuestionFormProps) {
  const [text, setText] = useState('')
  const queries = useQueryClient()
  const isText = !isObject(schema) || schema['type'] === 'string' || schema['type'] === undefined
  const answer = useMutation({
    mutationFn: async () => {
      const reply: Json = isText ? text : JSON.parse(text)
      return echelon().runs.answer(run, request, reply)
    },
    onSettled: () => queries.invalidateQueries(),
  })
  const send = (event: FormEvent): void => {
    event.preventDefault()
    answer.mutate()
  }
  return (
    <form onSubmit={send}>
      <Stack gap="xs" mt="sm" align="flex-start">
        <Textarea
          label={isText ? 'Your answer' : 'Your answer, as JSON'}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          autosize
          minRows={2}
          w="100%"
        />
        <Button type="submit" size="xs" loading={answer.isPending}>
          Answer
        </Button>
        {answer.isError && (
          <Alert color="red" role="alert" p="xs">
            {answer.error.message}
          </Alert>
        )}
      </Stack>
    </form>
  )
}
