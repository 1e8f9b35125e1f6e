import { isRecord } from '../../core/value/json.ts'

/**
 * Whether a schema may be sent as strict, which binds the model to it: an object at the root, all
 * objects closed with every property required, and only keywords that OpenAI supports there. OpenAI
 * rejects the whole request if a schema sent as strict does not qualify.
 */
export const isStrict = (schema: unknown): boolean =>
  isRecord(schema) && schema['type'] === 'object' && isComplete(schema)

function isComplete(schema: unknown): boolean {
  if (!isRecord(schema) || !Object.keys(schema).every((keyword) => TAKEN.has(keyword))) return false
  const { type, properties, required, additionalProperties, items, anyOf } = schema
  const fields = isRecord(properties) ? properties : {}
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'))
  if (isObject && (additionalProperties !== false || !namesAll(required, fields))) return false
  return [
    ...Object.values(fields),
    ...[schema['$defs'], schema['definitions']].flatMap((all) =>
      isRecord(all) ? Object.values(all) : [],
    ),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? anyOf : []),
  ].every(isComplete)
}

const namesAll = (required: unknown, fields: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(fields).every((name) => Array.isArray(required) && required.includes(name))

const TAKEN: ReadonlySet<string> = new Set(
  (
    'type properties required additionalProperties items anyOf enum const $ref $defs definitions ' +
    'title description pattern minLength maxLength minimum maximum exclusiveMinimum ' +
    'exclusiveMaximum multipleOf minItems maxItems'
  ).split(' '),
)
