import '@mantine/dates/styles.css'
import { Button } from '@mantine/core'
import { generateForm } from '@rjsf/mantine'
import type { Json, JsonObject } from 'echelon/client'
import { useState } from 'react'
import { interpretedSchemas } from '../../start/interpreted-schemas.ts'

interface SchemaReplyProps {
  readonly schema: JsonObject
  readonly isPending: boolean
  readonly onReply: (reply: Json) => void
}

const ReplyForm = generateForm<unknown>()

/** Answers a question by a form made from the JSON Schema of its reply: a choice, a number, yes or no, fields. */
export default function SchemaReply({ schema, isPending, onReply }: SchemaReplyProps) {
  const [reply, setReply] = useState<unknown>()
  return (
    <ReplyForm
      schema={{ title: 'Your answer', ...schema }}
      uiSchema={{ 'ui:submitButtonOptions': { norender: true } }}
      validator={interpretedSchemas}
      formData={reply}
      onChange={({ formData }) => setReply(formData)}
      onSubmit={({ formData }) => {
        if (formData === undefined) return
        const said: Json = JSON.parse(JSON.stringify(formData))
        onReply(said)
      }}
      idPrefix="reply"
      showErrorList={false}
      noHtml5Validate
    >
      <Button type="submit" size="xs" mt="xs" loading={isPending}>
        Answer
      </Button>
    </ReplyForm>
  )
}
