import type { JsonObject } from 'echelon/runtime'
import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Skill } from '@echelon/knowledge/skills'
import type { Tool } from 'echelon'
import { ToolError } from 'echelon/internal/tool'
import { z } from 'zod'

/** Parts of a tool that a recording holds, so that it can be offered again without its server. */
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

/** Parts of a skill that a recording holds, so that a replay needs no folder. */
export interface OfferedSkill {
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly files: readonly string[]
}

/** Tools and skills of a chat from outside the command. */
export interface OfferedParts {
  /** Tools of MCP servers. */
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

/** A tool without its code. */
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

/** A skill with its current instructions. */
export const offeredSkill = async (skill: Skill): Promise<OfferedSkill> => ({
  name: skill.name,
  description: skill.description,
  instructions: await skill.instructions().catch(() => ''),
  files: skill.files,
})

/** A tool offered as recorded; a call that is not on record fails. */
export const absentTool = (tool: OfferedTool): Tool => ({
  ...tool,
  input: z.unknown(),
  run: () => {
    throw absent(
      `${tool.name} is a tool of an MCP server, which a replay or fork does not connect to`,
    )
  },
})

/** Error for a call that is not on record. */
export const absent = (why: string): ToolError =>
  new ToolError('TOOL_ERROR', `${why}, and this call is not on record`)
