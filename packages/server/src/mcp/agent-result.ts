import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from 'echelon/runtime'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { Asked } from './elicitation.ts'

/** JSON Schema of what every agent's tool returns. */
export const RESULT_SCHEMA: NonNullable<Tool['outputSchema']> = {
  type: 'object',
  properties: {
    status: { enum: ['finished', 'waiting', 'canceled', 'failed'] },
    run: { type: 'string', description: 'The id of the run' },
    answer: { type: 'string' },
    output: { description: 'The object of an answer by a schema' },
    checked: {
      enum: ['proved', 'supported', 'unsupported', 'refuted', 'unchecked'],
      description: 'What the verification says of the answer',
    },
    confidence: { type: ['number', 'null'], description: 'How likely the answer is right, 0 to 1' },
    escalated: { type: 'boolean', description: 'Whether a bigger model was asked' },
    cost: { type: ['number', 'null'], description: 'US dollars; null if a price is unknown' },
    reason: { type: 'string', description: 'Why it ended' },
    waits: {
      type: 'object',
      description: 'What it waits for; answer it with the tool answer_request',
      properties: {
        request: { type: 'string' },
        kind: { enum: ['approval', 'question'] },
        message: { type: 'string' },
        choices: { type: 'array', items: { type: 'string' } },
        schema: { type: ['object', 'null'] },
      },
      required: ['request', 'kind', 'message'],
    },
  },
  required: ['status', 'run'],
}

/** Where a file of a run is read. */
export interface FileLink {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

export function endedResult(
  end: TurnEnd,
  { run, files }: { readonly run: string; readonly files: readonly FileLink[] },
): CallToolResult {
  const { status, text, output, checked, confidence, escalated, cost, reason, detail } = end
  const shown = text !== '' ? text : (detail ?? `it ended with ${reason}`)
  const structured: JsonObject = {
    status,
    run,
    answer: text,
    ...(output !== undefined && { output }),
    checked,
    confidence,
    escalated,
    cost,
    reason,
  }
  return {
    content: [
      { type: 'text', text: shown },
      ...files.map((file) => ({ type: 'resource_link' as const, ...file })),
    ],
    structuredContent: { ...structured },
    ...(status === 'failed' && { isError: true }),
  }
}

/** For a client that can't ask its user: its model does, and answers with a tool. */
export function waitingResult(asked: Asked, run: string): CallToolResult {
  const { request } = asked
  const waits =
    asked.type === 'approval'
      ? {
          request,
          kind: 'approval',
          message: `${asked.about.tool} wants to run with ${JSON.stringify(asked.about.input).slice(0, 2000)}: ${asked.about.why}`,
          choices: [...asked.about.choices],
        }
      : { request, kind: 'question', message: asked.question, schema: asked.schema }
  const how =
    asked.type === 'approval'
      ? `one of ${asked.about.choices.join(', ')}`
      : 'the answer of the user'
  const text = `The run waits. ${waits.message}\nAsk the user. Then call answer_request with run ${run}, request ${request} and reply: ${how}.`
  return {
    content: [{ type: 'text', text }],
    structuredContent: { status: 'waiting', run, waits },
  }
}

export const errorResult = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
})
