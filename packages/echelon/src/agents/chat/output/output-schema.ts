import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../core/value/json.ts'

/**
 * Converts a schema for strict response formats: closed objects with all properties required, optional
 * ones nullable, and no unsupported keyword. An open object that cannot be converted stays as it is;
 * providers then send the schema as one that does not bind the model.
 */
export function strictSchema(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([keyword]) => !LEFT_OUT.has(keyword))
  const [only, ...more] = isJsonArray(schema['allOf']) ? schema['allOf'] : []
  if (isJsonObject(only) && more.length === 0) {
    const { allOf: _alone, ...others } = schema
    return strictSchema({ ...only, ...others })
  }
  const strict: Record<string, Json> = {}
  for (const [keyword, value] of kept) {
    strict[keyword === 'oneOf' ? 'anyOf' : keyword] = strictKeyword(keyword, value)
  }
  const { properties, additionalProperties = false, format, description } = schema
  // A format that is not sent is described.
  if (typeof format === 'string') {
    strict['description'] =
      typeof description === 'string' ? `${description} (${format})` : `format: ${format}`
  }
  if (!isJsonObject(properties)) return strict
  strict['properties'] = strictProperties(properties, schema['required'])
  strict['required'] = Object.keys(properties)
  strict['additionalProperties'] = additionalProperties
  return strict
}

const LEFT_OUT: ReadonlySet<string> = new Set(['$schema', 'default', 'format', 'propertyNames'])

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const OF_SCHEMAS: ReadonlySet<string> = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'not'])
const OF_NAMED: ReadonlySet<string> = new Set(['definitions', '$defs'])

function strictKeyword(keyword: string, value: Json): Json {
  if (OF_SCHEMAS.has(keyword)) return isJsonArray(value) ? value.map(strictIn) : strictIn(value)
  if (!OF_NAMED.has(keyword) || !isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, strictIn(own)]))
}

const strictIn = (schema: Json): Json => (isJsonObject(schema) ? strictSchema(schema) : schema)

function strictProperties(properties: JsonObject, required: Json = []): JsonObject {
  const strict = Object.entries(properties).map(([name, own]) => {
    const isMarked =
      isRequired({ required }, name) || takesNull({ root: undefined, schemas: [own] })
    return [name, isMarked ? strictIn(own) : nullable(strictIn(own))]
  })
  return Object.fromEntries(strict)
}

const NULL = { type: 'null' }

/** Extends an existing union: providers limit the number of unions. */
function nullable(schema: Json): Json {
  if (!isJsonObject(schema)) return schema
  const { type, anyOf, ...others } = schema
  if (isJsonArray(type) && !('enum' in schema)) return { ...schema, type: [...type, 'null'] }
  const isUnion = Object.keys(others).every((keyword) => keyword === 'description')
  return isJsonArray(anyOf) && isUnion && type === undefined
    ? { ...others, anyOf: [...anyOf, NULL] }
    : { anyOf: [schema, NULL] }
}

/**
 * Removes nulls that mean an absent property, which `strictSchema` has models write. Nulls that the
 * schema allows stay.
 * @param schema as the caller gave it
 */
export const withoutFillers = (schema: JsonObject, value: Json): Json =>
  withoutNulls({ root: schema, schemas: [schema] }, value)

/** The possible schemas of a value; references are resolved from the root. */
interface Forms {
  /** Without it references are not followed: a schema that allows null twice does no harm. */
  readonly root: JsonObject | undefined
  readonly schemas: readonly Json[]
}

function withoutNulls(forms: Forms, value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  const { root } = forms
  const plain = plainForms(forms)
  if (isJsonArray(value)) {
    const schemas = plain.flatMap(({ items }) => items ?? [])
    return value.map((item) => withoutNulls({ root, schemas }, item))
  }
  const kept = Object.entries(value).flatMap(([name, own]): [string, Json][] => {
    const schemas = plain.flatMap((form) => propertyOf(form, name) ?? [])
    const mayBeAbsent = plain.some(
      (form) => propertyOf(form, name) !== undefined && !isRequired(form, name),
    )
    const isFiller = own === null && mayBeAbsent && !takesNull({ root, schemas })
    return isFiller ? [] : [[name, withoutNulls({ root, schemas }, own)]]
  })
  return Object.fromEntries(kept)
}

function propertyOf({ properties }: JsonObject, name: string): Json | undefined {
  return isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
}

const isRequired = ({ required }: JsonObject, name: string): boolean =>
  isJsonArray(required) && required.includes(name)

const takesNull = (forms: Forms): boolean =>
  plainForms(forms).some(({ type, enum: values, const: value }) => {
    if (type !== undefined) return type === 'null' || (isJsonArray(type) && type.includes('null'))
    return values === undefined ? value === undefined || value === null : listsNull(values)
  })

const listsNull = (values: Json): boolean => isJsonArray(values) && values.includes(null)

/** The schemas with unions expanded and references followed, each once. */
function plainForms({ root, schemas }: Forms): readonly JsonObject[] {
  const plain: JsonObject[] = []
  const seen = new Set<Json>()
  const left = [...schemas]
  for (let schema = left.pop(); schema !== undefined; schema = left.pop()) {
    if (!isJsonObject(schema) || seen.has(schema)) continue
    seen.add(schema)
    const { anyOf, oneOf, allOf, $ref } = schema
    const inner = [anyOf, oneOf, allOf].flatMap((all) => (isJsonArray(all) ? all : []))
    if (typeof $ref === 'string') left.push(referred(root, $ref))
    else if (inner.length > 0) left.push(...inner)
    else plain.push(schema)
  }
  return plain
}

/** Resolves only local references, such as `#/definitions/node`. */
function referred(root: JsonObject | undefined, reference: string): Json {
  let found: Json | undefined = reference.startsWith('#') ? root : undefined
  for (const step of reference.split('/').slice(1)) {
    found = isJsonObject(found) ? propertyIn(found, step) : undefined
  }
  return found ?? null
}

const propertyIn = (within: JsonObject, step: string): Json | undefined => {
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
  return Object.hasOwn(within, name) ? within[name] : undefined
}
