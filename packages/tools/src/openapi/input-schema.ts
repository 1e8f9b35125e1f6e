import type { Operation } from 'oas/operation'
import { isJson, isJsonObject, utf8Bytes } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'

/**
 * Thrown when an operation cannot be a tool. The message completes a sentence that begins with the
 * operation.
 */
export class UnusableOperation extends Error {
  override readonly name = 'UnusableOperation'
}

/** Limit of one schema in a prompt. */
const MAX_SCHEMA_BYTES = 32_768

const PLACES = ['path', 'query', 'header', 'cookie', 'body', 'formData'] as const

/**
 * The input of an operation as JSON Schema draft 7: an object with `path`, `query`, `header`,
 * `cookie` and `body` or `formData`, where the operation has them. Referenced types are under
 * `definitions`.
 * @throws UnusableOperation
 */
export function inputSchema(operation: Operation): JsonObject {
  const printed: unknown = operation.getParametersAsJSONSchema({
    hideReadOnlyProperties: true,
    includeDiscriminatorMappingRefs: false,
    mergeIntoBodyAndMetadata: false,
  })
  const groups = Array.isArray(printed) ? printed : []
  const properties: Record<string, Json> = {}
  const definitions: Record<string, Json> = {}
  const required: string[] = []
  for (const place of PLACES) {
    const group: unknown = groups.find(
      (one) => isJson(one) && isJsonObject(one) && one['type'] === place,
    )
    if (!isJson(group) || !isJsonObject(group)) continue
    const { schema = null } = group
    if (!isJsonObject(schema)) continue
    const { components = null, $schema: _, ...rest } = schema
    const types = isJsonObject(components) ? (components['schemas'] ?? null) : null
    if (isJsonObject(types)) {
      for (const [name, type] of Object.entries(types)) definitions[name] = plain(type)
    }
    properties[place] = plain(rest)
    if (isRequired(operation, place, rest)) required.push(place)
  }
  const schema = {
    type: 'object',
    properties,
    required,
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 && { definitions }),
  }
  checkReferences(schema, definitions)
  const bytes = utf8Bytes(JSON.stringify(schema))
  if (bytes <= MAX_SCHEMA_BYTES) return schema
  throw new UnusableOperation(
    `has a schema of ${bytes} bytes, and at most ${MAX_SCHEMA_BYTES} are allowed`,
  )
}

function isRequired(operation: Operation, place: string, schema: JsonObject): boolean {
  if (place === 'body' || place === 'formData') return operation.hasRequiredRequestBody()
  return Array.isArray(schema['required']) && schema['required'].length > 0
}

const TYPES = '#/components/schemas/'

/** Points references to `definitions` and removes the library's annotations. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map(plain)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
    .filter(([key]) => !key.startsWith('x-readme-') && key !== '$schema')
    .map(([key, part]): [string, Json] =>
      key === '$ref' && typeof part === 'string' && part.startsWith(TYPES)
        ? [key, `#/definitions/${part.slice(TYPES.length)}`]
        : [key, plain(part)],
    )
  return Object.fromEntries(entries)
}

const DEFINITIONS = '#/definitions/'

function checkReferences(value: Json, definitions: Readonly<Record<string, Json>>): void {
  if (Array.isArray(value)) return value.forEach((part) => checkReferences(part, definitions))
  if (!isJsonObject(value)) return
  const { $ref } = value
  const isKnown =
    typeof $ref !== 'string' ||
    ($ref.startsWith(DEFINITIONS) && Object.hasOwn(definitions, $ref.slice(DEFINITIONS.length)))
  if (!isKnown) throw new UnusableOperation(`refers to ${$ref}, which is not in the document`)
  for (const part of Object.values(value)) checkReferences(part, definitions)
}
