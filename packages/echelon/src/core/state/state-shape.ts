import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../value/json.ts'

/** The content of one line of a shape. */
interface Field {
  /** `items?[].name`: the path, with a question mark after optional fields; empty for the state itself. */
  readonly path: string
  readonly type: string
}

/** A schema within its document, which `$ref` refers to. */
interface Place {
  readonly path: string
  readonly root: JsonObject
  /** References being followed, so that a recursive schema ends. */
  readonly within: readonly string[]
}

/**
 * The shape of a state as sorted lines, one for each value that it can hold:
 * `count.*: number` (a record), `items[].name: string` (an array), `reason?: string` (optional),
 * `last: null | string` (either). Bounds, formats and descriptions are not included.
 * @param schema JSON Schema draft 7
 */
export function shapeOf(schema: JsonObject): readonly string[] {
  const fields = fieldsOf(schema, { path: '', root: schema, within: [] })
  return [...new Set(fields.map(lineOf))].toSorted()
}

const lineOf = ({ path, type }: Field): string => `${path === '' ? '.' : path}: ${type}`

function fieldsOf(given: Json | undefined, place: Place): readonly Field[] {
  const { schema, within, recurs } = followed(given, place)
  if (recurs) return [{ path: place.path, type: 'recursive' }]
  const here = { ...place, within }
  const inner = [...propertiesOf(schema, here), ...valuesOf(schema, here), ...itemsOf(schema, here)]
  // A union is one line: a stored value does not say which form it has.
  if (inner.length > 0 && alternativesOf(schema).length === 0) return inner
  return [{ path: place.path, type: typeOf(schema, here) }]
}

interface Followed {
  readonly schema: JsonObject
  readonly within: readonly string[]
  /** Whether it refers back to its container. */
  readonly recurs: boolean
}

/** The schema with references resolved. Several that must all hold are merged. */
function followed(given: Json | undefined, { root, within }: Place): Followed {
  const schema = isJsonObject(given) ? given : {}
  const { $ref, allOf, ...rest } = schema
  if (typeof $ref === 'string') {
    if (within.includes($ref)) return { schema, within, recurs: true }
    const target = at(root, $ref)
    return followed({ ...rest, ...target }, place(root, [...within, $ref]))
  }
  if (!isJsonArray(allOf)) return { schema, within, recurs: false }
  const parts = allOf.map((part) => followed(part, place(root, within)))
  return {
    schema: parts.reduce<JsonObject>((all, part) => both(all, part.schema), rest),
    within: [...within, ...parts.flatMap((part) => part.within)],
    recurs: parts.some((part) => part.recurs),
  }
}

const place = (root: JsonObject, within: readonly string[]): Place => ({
  path: '',
  root,
  within,
})

function both(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...objectIn(one, 'properties'), ...objectIn(other, 'properties') }
  const required = [...listIn(one, 'required'), ...listIn(other, 'required')]
  const merged = { ...one, ...other }
  return Object.keys(properties).length === 0 ? merged : { ...merged, properties, required }
}

/** `#/definitions/node`; `#` is the whole document. */
function at(root: JsonObject, reference: string): JsonObject {
  let found: Json | undefined = root
  for (const part of reference.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return isJsonObject(found) ? found : {}
}

function propertiesOf(schema: JsonObject, here: Place): readonly Field[] {
  const required = listIn(schema, 'required')
  return Object.entries(objectIn(schema, 'properties')).flatMap(([name, property]) => {
    // A field with a default is filled in when absent, so it is optional.
    const isOptional = !required.includes(name) || (isJsonObject(property) && 'default' in property)
    const path = `${here.path === '' ? '' : `${here.path}.`}${named(name)}${isOptional ? '?' : ''}`
    return fieldsOf(property, { ...here, path })
  })
}

/** Quotes a name that would otherwise be ambiguous on a line. */
const named = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))

function valuesOf(schema: JsonObject, here: Place): readonly Field[] {
  const values = schema['additionalProperties']
  if (!isJsonObject(values)) return []
  // An object that allows unknown properties also prints `{}`.
  const isOpen = Object.keys(values).length === 0 && 'properties' in schema
  const path = here.path === '' ? '*' : `${here.path}.*`
  return isOpen ? [] : fieldsOf(values, { ...here, path })
}

function itemsOf(schema: JsonObject, here: Place): readonly Field[] {
  const { items, additionalItems: rest } = schema
  const inside = (index: string): Place => ({ ...here, path: `${here.path}[${index}]` })
  if (isJsonArray(items)) {
    const first = items.flatMap((item, index) => fieldsOf(item, inside(String(index))))
    return isJsonObject(rest) ? [...first, ...fieldsOf(rest, inside(''))] : first
  }
  const isArray = schema['type'] === 'array' || items !== undefined
  return isArray ? fieldsOf(items, inside('')) : []
}

function alternativesOf(schema: JsonObject): readonly Json[] {
  const { type, properties: _p, additionalProperties: _a, items: _i, ...rest } = schema
  const alternatives = [...listIn(schema, 'anyOf'), ...listIn(schema, 'oneOf')]
  if (alternatives.length > 0 || !isJsonArray(type)) return alternatives
  // Each type with its own constraints; choices are listed as they are.
  if ('enum' in schema) return []
  return type.map((one) =>
    one === 'object' || one === 'array' ? { ...schema, type: one } : { ...rest, type: one },
  )
}

/** A short type name, for values without lines of their own. */
function typeOf(schema: JsonObject, here: Place): string {
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) {
    return either(alternatives.map((one) => inWords(one, { ...here, path: '' })))
  }
  if ('const' in schema) return JSON.stringify(schema['const'])
  const values = listIn(schema, 'enum')
  if (values.length > 0) return either(values.map((value) => JSON.stringify(value)))
  const type = schema['type']
  return typeof type === 'string' ? type : 'any'
}

const either = (types: readonly string[]): string => [...new Set(types)].toSorted().join(' | ')

/** One form of a union, its own lines in braces. */
function inWords(schema: Json, here: Place): string {
  const lines = fieldsOf(schema, here).map((field) =>
    field.path === '' ? field.type : lineOf(field),
  )
  const [only] = lines
  const isPlain = lines.length === 1 && only !== undefined && !only.includes(': ')
  return isPlain ? only : `{ ${lines.toSorted().join('; ')} }`
}

function objectIn(schema: JsonObject, name: string): JsonObject {
  const value = schema[name]
  return isJsonObject(value) ? value : {}
}

function listIn(schema: JsonObject, name: string): readonly Json[] {
  const value = schema[name]
  return isJsonArray(value) ? value : []
}

/** One step of a path: a property, any value of a record, an item. */
export interface Step {
  readonly name: string
  readonly optional: boolean
}

/** Parses a line of a shape; undefined for anything else. */
export function readLine(
  line: string,
): { readonly steps: readonly Step[]; readonly type: string } | undefined {
  const found = LINE.exec(line)?.groups
  if (found === undefined) return undefined
  const { path = '', type = '' } = found
  const steps = [...path.matchAll(STEP)].map(([, name = '', optional]) => ({
    name,
    optional: optional !== undefined,
  }))
  return { steps, type }
}

const NAME = String.raw`"(?:[^"\\]|\\.)*"|[\w-]+|\*`
const ITEM = String.raw`\[\d*\]`
const STEP = new RegExp(String.raw`(${NAME}|${ITEM})(\?)?`, 'g')
const LINE = new RegExp(
  String.raw`^(?<path>\.|(?:${NAME}|${ITEM})\??(?:\.(?:${NAME})\??|${ITEM})*): (?<type>.+)$`,
)
