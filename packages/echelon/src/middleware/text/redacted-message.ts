import type { Redactor } from '../../core/redaction/redaction.ts'
import type { AssistantContent, Message } from '../../core/message/thread.ts'

type UserPart = Extract<Message, { role: 'user' }>['content'][number]
type ToolPart = Extract<Message, { role: 'tool' }>['content'][number]
type Approval = Extract<ToolPart, { type: 'tool-approval-response' }>
type ToolResult = Extract<ToolPart, { type: 'tool-result' }>

/**
 * Redacts a message for a model: text, tool input and tool results. System messages, reasoning that a
 * provider needs back unchanged, and files other than text are not changed, except for file names.
 */
export function redactedMessage(message: Message, redact: Redactor): Message {
  switch (message.role) {
    case 'system':
      return message
    case 'user':
      return { ...message, content: message.content.map((part) => userPart(part, redact)) }
    case 'assistant':
      return { ...message, content: message.content.map((part) => assistantPart(part, redact)) }
    case 'tool':
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-result' ? toolResult(part, redact) : approval(part, redact),
        ),
      }
  }
}

function userPart(part: UserPart, redact: Redactor): UserPart {
  if (part.type === 'text') return { ...part, text: redact(part.text) }
  return file(part, redact)
}

type File = Pick<Extract<UserPart, { type: 'file' }>, 'data' | 'filename'>

/** A file name may contain a person's name. */
function file<Part extends File>(part: Part, redact: Redactor): Part {
  const { data, filename } = part
  return {
    ...part,
    ...(filename !== undefined && { filename: redact(filename) }),
    ...(data.type === 'text' && { data: { ...data, text: redact(data.text) } }),
  }
}

function assistantPart(part: AssistantContent[number], redact: Redactor): AssistantContent[number] {
  switch (part.type) {
    case 'text':
      return { ...part, text: redact(part.text) }
    case 'tool-call':
      return { ...part, input: redact(part.input) }
    case 'tool-result':
      return toolResult(part, redact)
    case 'file':
      return file(part, redact)
    case 'custom':
    case 'reasoning':
    case 'reasoning-file':
      return part
  }
}

function approval(part: Approval, redact: Redactor): Approval {
  return part.reason === undefined ? part : { ...part, reason: redact(part.reason) }
}

function toolResult(part: ToolResult, redact: Redactor): ToolResult {
  return { ...part, output: toolOutput(part.output, redact) }
}

function toolOutput(output: ToolResult['output'], redact: Redactor): ToolResult['output'] {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: redact(output.value) }
    case 'json':
    case 'error-json':
      return { ...output, value: redact(output.value) }
    case 'execution-denied':
      return output.reason === undefined ? output : { ...output, reason: redact(output.reason) }
    case 'content':
      return {
        ...output,
        value: output.value.map((part) => {
          if (part.type === 'text') return { ...part, text: redact(part.text) }
          return part.type === 'file' ? file(part, redact) : part
        }),
      }
  }
}
