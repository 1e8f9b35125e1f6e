import { defineTool, type Tool, ToolError } from 'echelon'
import { isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import type { ClientTool } from './served-agent.ts'

/*
 * A tool that the client executes is a tool that asks: the run waits, on record, until a client gives the
 * result. So one run, with one budget and one journal, spans several requests of a stateless client.
 */

/** The calls that a client is asked to execute. */
export interface ClientCall {
  readonly tool: string
  readonly input: JsonObject
  /** The place of the call among those of its step. */
  readonly index: number
}

/** The reply to the request of a client's tool. */
export type ClientResult =
  | { readonly type: 'result'; readonly value: Json }
  | { readonly type: 'error'; readonly message: string }

const MARK = 'client-tool:'

/** @returns the call that a question stands for; `undefined` for a question to a person */
export function clientCallIn(about: Json): ClientCall | undefined {
  const question = isJsonObject(about) ? about['question'] : undefined
  if (typeof question !== 'string' || !question.startsWith(MARK)) return undefined
  const call: Json = JSON.parse(question.slice(MARK.length))
  if (!isJsonObject(call)) return undefined
  const { tool, input = {}, index } = call
  const isCall = typeof tool === 'string' && isJsonObject(input) && typeof index === 'number'
  return isCall ? { tool, input, index } : undefined
}

/** Client tools as tools of an agent. The text of such a question is fixed here, so no agent can imitate it. */
export const clientTools = (tools: readonly ClientTool[]): readonly Tool[] => tools.map(clientTool)

function clientTool({ name, description, parameters }: ClientTool): Tool {
  return defineTool({
    name,
    description,
    input: parameters,
    // The client executes it; to this server it is a question.
    does: 'reads',
    parallel: true,
    origin: 'the client',
    async run(input, { ask, key }) {
      if (ask === undefined)
        throw new ToolError('TOOL_ERROR', 'no client is connected to execute it')
      const index = Number(/:(\d+)$/.exec(key)?.[1] ?? 0)
      const reply = await ask(MARK + JSON.stringify({ tool: name, input, index }), REPLY)
      if (reply === null) throw new ToolError('TOOL_ERROR', 'the client gave no result')
      const { type, value = null, message } = isJsonObject(reply) ? reply : {}
      if (type === 'result') return value
      const why = typeof message === 'string' ? message : 'the client reports an error'
      throw new ToolError('TOOL_ERROR', why)
    },
  })
}

const REPLY: JsonObject = {
  type: 'object',
  properties: { type: { enum: ['result', 'error'] }, value: {}, message: { type: 'string' } },
  required: ['type'],
  additionalProperties: false,
}
