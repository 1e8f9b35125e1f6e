import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../value/json.ts'

/** What stands on one line of a shape. */
interface Field {
  /** `items?[].name`: where, a question mark behind what may be absent; empty for the state itself. */
  readonly path: string
  readonly type: string
}

/** A schema on the way through its document: `$ref` leads back into it. */
interface Place {
  readonly path: string
  readonly root: JsonObject
  /** References that are being followed, so that a schema which holds itself comes to an end. */
  readonly within: readonly string[]
}

/**
 * The shape of a state as sorted lines, one for each value that it can hold:
 * `count.*: number` (a record), `items[].name: string` (an array), `reason?: string` (may be absent),
 * `last: null | string` (either). Bounds, formats and descriptions are no part of it.
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
  // A union is one line: which of its forms a value has is not written down with it.
  if (inner.length > 0 && alternativesOf(schema).length === 0) return inner
  return [{ path: place.path, type: typeOf(schema, here) }]
}

interface Followed {
  readonly schema: JsonObject
  readonly within: readonly string[]
  /** Whether it leads back to what holds it. */
  readonly recurs: boolean
}

/** The schema itself, references behind it. Several that must all hold are taken as one. */
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

/** `#/definitions/node`; `#` is the whole. */
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
    // What has a default is filled in when it is absent, so it may be.
    const isOptional = !required.includes(name) || (isJsonObject(property) && 'default' in property)
    const path = `${here.path === '' ? '' : `${here.path}.`}${named(name)}${isOptional ? '?' : ''}`
    return fieldsOf(property, { ...here, path })
  })
}

/** A name that would read as something else on a line stands in quotes. */
const named = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))

function valuesOf(schema: JsonObject, here: Place): readonly Field[] {
  const values = schema['additionalProperties']
  if (!isJsonObject(values)) return []
  // `{}` is also what an object says that lets unknown properties pass.
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
  // Each type with what is said of it alone; choices stand for themselves.
  if ('enum' in schema) return []
  return type.map((one) =>
    one === 'object' || one === 'array' ? { ...schema, type: one } : { ...rest, type: one },
  )
}

/** A type in few words, for what has no lines of its own. */
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

/** One form of a union: its own lines in braces. */
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

/** One step of the way to a value: a property, any value of a record, an item. */
export interface Step {
  readonly name: string
  readonly optional: boolean
}

/** A line of a shape, read again; nothing for what is no line. */
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
