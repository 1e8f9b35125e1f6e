import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../core/value/json.ts'
import type { Tool } from '../../../core/tool/tool.ts'
import { REFERENCE_PATTERN } from './references.ts'

/**
 * The schema for a model's answer, in the dialect of strict response formats: an object at the root, closed
 * objects only, every property required and optional ones nullable. It has one closed variant per tool; an answer
 * is a plan or gives the reason for having none.
 * @param answer the schema of a direct answer, where one is allowed in place of a plan
 */
export function wireSchema(
  tools: readonly Tool[],
  planSize: number,
  answer?: JsonObject,
): JsonObject {
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
      ...(answer === undefined ? {} : { answer }),
      cannot: { type: ['string', 'null'] },
    },
    required: ['actions', ...(answer === undefined ? [] : ['answer']), 'cannot'],
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

/**
 * An argument as its tool takes it, or a reference to an earlier result. A flat union, and as few as possible:
 * Anthropic refuses a schema with more than sixteen.
 */
function argumentSchema(property: Json, isRequired: boolean): Json {
  const own = closed(property)
  const isText = isJsonObject(property) && property['type'] === 'string'
  const more = [...(isText ? [] : [REFERENCE]), ...(isRequired ? [] : [NULL])]
  if (more.length === 0) return own
  if (!isUnion(own)) return { anyOf: [own, ...more] }
  const { anyOf, ...annotations } = own
  const known = anyOf.map((one) => JSON.stringify(one))
  const added = more.filter((one) => !known.includes(JSON.stringify(one)))
  return { ...annotations, anyOf: [...anyOf, ...added] }
}

const REFERENCE = { type: 'string', pattern: REFERENCE_PATTERN }
const NULL = { type: 'null' }

/** A union without sibling keywords, which would also apply to variants added to it. */
const isUnion = (schema: Json): schema is JsonObject & { readonly anyOf: readonly Json[] } =>
  isJsonObject(schema) &&
  isJsonArray(schema['anyOf']) &&
  Object.keys(schema).every((keyword) => ['anyOf', 'title', 'description'].includes(keyword))

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
