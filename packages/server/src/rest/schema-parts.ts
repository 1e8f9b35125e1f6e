import { isJson, isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import { z } from 'zod'

export const json: z.ZodType<Json> = z
  .custom<Json>((value) => isJson(value))
  .meta({ description: 'Any JSON value' })

export const object: z.ZodType<JsonObject> = z
  .custom<JsonObject>((value) => isJson(value) && isJsonObject(value), 'must be an object')
  .meta({ type: 'object', additionalProperties: true })

export const time: z.ZodType<string> = z.string().meta({ format: 'date-time' })
export const money: z.ZodType<number | null> = z
  .number()
  .nullable()
  .meta({ description: 'US dollars; null if not known' })
export const count: z.ZodType<number> = z.int().min(0)

/** Ids and names that clients choose. */
export const idText: z.ZodType<string> = z
  .string()
  .min(1)
  .max(200)
  // oxlint-disable-next-line no-control-regex -- an id holds none
  .regex(/^[^\u0000-\u001F\u007F]+$/, 'must not hold control characters')
