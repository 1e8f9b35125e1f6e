import { isJson, isJsonObject, type JsonObject } from 'echelon/runtime'
import type { Skill } from '@echelon/knowledge/skills'
import type { Tool } from 'echelon'
import { ToolError } from 'echelon/internal/tool'
import { z } from 'zod'

/** What of a tool a recording holds, so that it is offered again without whoever brought it. */
export type OfferedTool = Pick<
  Tool,
  | 'name'
  | 'description'
  | 'jsonSchema'
  | 'does'
  | 'timeoutMs'
  | 'retries'
  | 'parallel'
  | 'needsApproval'
  | 'delegates'
  | 'origin'
  | 'mayAct'
>

/** What of a skill it holds, so that a replay needs no folder. */
export interface OfferedSkill {
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly files: readonly string[]
}

/** What comes to a chat from outside of the command. */
export interface Brought {
  /** Of MCP servers. */
  readonly tools: readonly OfferedTool[]
  readonly skills: readonly OfferedSkill[]
}

export const OFFERED_TOOL: z.ZodType<OfferedTool> = z.object({
  name: z.string(),
  description: z.string(),
  jsonSchema: z.custom<JsonObject>((value) => isJson(value, 128) && isJsonObject(value)),
  does: z.enum(['reads', 'idempotent', 'acts']),
  timeoutMs: z.number(),
  retries: z.number(),
  parallel: z.boolean(),
  needsApproval: z.boolean(),
  delegates: z.boolean(),
  origin: z.string().exactOptional(),
  mayAct: z.boolean().exactOptional(),
})

export const OFFERED_SKILL: z.ZodType<OfferedSkill> = z.object({
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  files: z.array(z.string()),
})

/** A tool, without what it does. */
export function offered(tool: Tool): OfferedTool {
  const { name, description, jsonSchema, does, timeoutMs } = tool
  const { retries, parallel, needsApproval, delegates, origin, mayAct } = tool
  return {
    name,
    description,
    jsonSchema,
    does,
    timeoutMs,
    retries,
    parallel,
    needsApproval,
    delegates,
    ...(origin !== undefined && { origin }),
    ...(mayAct !== undefined && { mayAct }),
  }
}

/** A skill with its instructions as they are now. */
export const offeredSkill = async (skill: Skill): Promise<OfferedSkill> => ({
  name: skill.name,
  description: skill.description,
  instructions: await skill.instructions().catch(() => ''),
  files: skill.files,
})

/** A tool that is offered as it was, and does nothing but what is on record. */
export const absentTool = (tool: OfferedTool): Tool => ({
  ...tool,
  input: z.unknown(),
  run: () => {
    throw absent(`${tool.name} is a tool of an MCP server, which no replay or fork connects to`)
  },
})

/** Why something is not done that is not on record. */
export const absent = (why: string): ToolError =>
  new ToolError('TOOL_ERROR', `${why}, and this call is not on record`)
