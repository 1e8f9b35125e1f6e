import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Tool } from '../../core/tool.ts'
import { REFERENCE_PATTERN } from './references.ts'

/**
 * The schema that a model's answer is held to, in the dialect of strict response formats: an object
 * at the root, closed objects only, every property required and optional ones nullable. One closed
 * variant for each tool; an answer is a plan or says why there is none.
 */
export function wireSchema(tools: readonly Tool[], planSize: number): JsonObject {
  return {
    type: 'object',
    properties: {
      actions: {
        anyOf: [
          {
            type: 'array',
            minItems: 1,
            maxItems: planSize,
            items: { anyOf: tools.map(actionSchema) },
          },
          { type: 'null' },
        ],
      },
      cannot: { type: ['string', 'null'] },
    },
    required: ['actions', 'cannot'],
    additionalProperties: false,
  }
}

function actionSchema(tool: Tool): JsonObject {
  return {
    type: 'object',
    properties: { tool: { const: tool.name, type: 'string' }, args: argsSchema(tool.jsonSchema) },
    required: ['tool', 'args'],
    additionalProperties: false,
  }
}

function argsSchema(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = isJsonArray(schema['required']) ? schema['required'] : []
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        argumentSchema(property, required.includes(name)),
      ]),
    ),
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

/** An argument as its tool takes it, or a reference to an earlier result. */
function argumentSchema(property: Json, isRequired: boolean): JsonObject {
  const reference = { type: 'string', pattern: REFERENCE_PATTERN }
  const isText = isJsonObject(property) && property['type'] === 'string'
  return {
    anyOf: [
      closed(property),
      ...(isText ? [] : [reference]),
      ...(isRequired ? [] : [{ type: 'null' }]),
    ],
  }
}

/** A schema without the keywords that strict formats refuse, its objects closed. */
function closed(schema: Json): Json {
  if (isJsonArray(schema)) return schema.map(closed)
  if (!isJsonObject(schema)) return schema
  const kept = Object.entries(schema).filter(([keyword]) => !REFUSED.has(keyword))
  const inner = Object.fromEntries(kept.map(([keyword, value]) => [keyword, closed(value)]))
  const { properties } = schema
  if (!isJsonObject(properties)) return inner
  const fields = Object.entries(properties).map(([name, field]) => [name, closed(field)])
  return {
    ...inner,
    properties: Object.fromEntries(fields),
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

const REFUSED: ReadonlySet<string> = new Set(['$schema', 'default', 'format', 'propertyNames'])
