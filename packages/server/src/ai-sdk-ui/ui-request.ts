import { z } from 'zod'
import { isJson, isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import type { ClientTool } from '../agents/served-agent.ts'
import { HttpProblem } from '../http/problem.ts'

const MOST_MESSAGES = 2000
const MOST_PARTS = 2000
const MOST_TOOLS = 128

const jsonObject = z.custom<JsonObject>(
  (value) => isJson(value) && isJsonObject(value),
  'give a JSON object',
)
const json = z.custom<Json>((value) => value === undefined || isJson(value), 'give JSON')

const part = z.looseObject({
  type: z.string().max(200),
  text: z.string().optional(),
  url: z.string().optional(),
  filename: z.string().max(255).optional(),
  toolCallId: z.string().max(1000).optional(),
  toolName: z.string().max(200).optional(),
  state: z.string().max(100).optional(),
  input: json.optional(),
  output: json.optional(),
  errorText: z.string().optional(),
  approval: z
    .looseObject({ id: z.string().max(1000), approved: z.boolean().optional() })
    .optional(),
})

const schema = z.looseObject({
  id: z.string().min(1).max(200),
  messages: z
    .array(
      z.looseObject({
        id: z.string().max(1000),
        role: z.enum(['system', 'user', 'assistant']),
        parts: z.array(part).max(MOST_PARTS),
      }),
    )
    .min(1)
    .max(MOST_MESSAGES),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: z.string().max(1000).nullish(),
  options: jsonObject.optional(),
  tools: z
    .array(
      z.looseObject({
        name: z.string().regex(/^[\w-]{1,64}$/),
        description: z.string().default(''),
        parameters: jsonObject,
      }),
    )
    .max(MOST_TOOLS)
    .optional(),
})

/** A part of a message: only what is read of it. */
export interface UiPart {
  readonly type: string
  readonly text?: string | undefined
  readonly url?: string | undefined
  readonly filename?: string | undefined
  readonly toolCallId?: string | undefined
  readonly toolName?: string | undefined
  readonly state?: string | undefined
  readonly input?: Json | undefined
  readonly output?: Json | undefined
  readonly errorText?: string | undefined
  readonly approval?: { readonly id: string; readonly approved?: boolean | undefined } | undefined
}

export interface UiMessage {
  readonly id: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly UiPart[]
}

/** The request body of `useChat`. */
export interface UiRequest {
  readonly chat: string
  readonly messages: readonly UiMessage[]
  readonly last: UiMessage
  /** Whether the last message of the user replaces one, or is answered again. */
  readonly isRewrite: boolean
  readonly options: JsonObject | undefined
  readonly tools: readonly ClientTool[]
}

/** @throws HttpProblem 400 */
export function readUiRequest(body: JsonObject): UiRequest {
  const result = schema.safeParse(body)
  if (!result.success) {
    const [issue] = result.error.issues
    const at = (issue?.path ?? []).join('.').slice(0, 200) || 'the body'
    throw new HttpProblem(400, 'invalid_input', `${at} cannot be used: ${issue?.message ?? ''}`)
  }
  const { id, messages, trigger, messageId, options, tools = [] } = result.data
  const last = messages.at(-1)
  if (last === undefined) throw new HttpProblem(400, 'invalid_input', 'there is no message')
  const isEdit = last.role === 'user' && messageId === last.id
  return {
    chat: id,
    messages,
    last,
    isRewrite: trigger === 'regenerate-message' || isEdit,
    options,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  }
}
