import { isJson, isJsonObject, type JsonObject } from 'echelon/runtime'
import { z } from 'zod'

/** The name of a tool, as OpenAI allows it. */
export const toolName: z.ZodType<string> = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'a tool has a name of at most 64 letters, digits, _ and -')

/** A JSON Schema; the agent checks what it says. */
export const jsonSchema: z.ZodType<JsonObject> = z.custom<JsonObject>(
  (value) => isJson(value) && isJsonObject(value),
  'give a JSON Schema',
)
