import { canonicalJson } from './canonical-json.ts'
import { EchelonError } from './error.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, sameJson } from './json.ts'

/** One place where a value does not fit. */
export interface SchemaIssue {
  readonly message: string
  readonly path: readonly (string | number)[]
}

/**
 * A check of values against a JSON Schema: drafts 7 to 2020-12, with `$ref` to places in the same schema.
 * `format` and other annotations say nothing about whether a value fits.
 * @returns finds what does not fit, 20 issues at most; none for a value that fits
 * @throws EchelonError INVALID_DEFINITION for a schema that this check does not hold a value to whole
 */
export function jsonSchemaCheck(schema: JsonObject): (value: Json) => readonly SchemaIssue[] {
  new Inspection(schema).of(schema)
  return (value) => {
    const checking = new Checking(schema)
    checking.check(schema, value, [])
    return checking.issues
  }
}

const MOST_ISSUES = 20
/** A schema may refer to itself; a value is not followed any deeper. */
const DEEPEST = 200

type Path = readonly (string | number)[]

// ---- the schema ----

/** Constraints that nothing here checks: to pass over them would let through what they forbid. */
const NOT_CHECKED = [
  '$dynamicRef',
  '$recursiveRef',
  'additionalItems',
  'dependencies',
  'dependentSchemas',
  'maxContains',
  'minContains',
  'unevaluatedItems',
  'unevaluatedProperties',
]

const ONE_SCHEMA = [
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
]
const SCHEMAS_BY_NAME = ['$defs', 'definitions', 'patternProperties', 'properties']
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

/** Looks through a schema once, when it is given. */
class Inspection {
  readonly #root: JsonObject

  constructor(root: JsonObject) {
    this.#root = root
  }

  of(schema: Json): void {
    if (typeof schema === 'boolean') return
    if (!isJsonObject(schema))
      throw wrong(`${JSON.stringify(schema)} stands where a schema belongs`)
    const unknown = NOT_CHECKED.find((name) => schema[name] !== undefined)
    if (unknown !== undefined) throw wrong(`${unknown} is not supported; leave it out`)
    if (isJsonArray(schema['items'])) throw wrong('items is a list; write it as prefixItems')
    if (schema['$ref'] !== undefined) referred(this.#root, schema['$ref'])
    if (schema['pattern'] !== undefined) expression(schema['pattern'])
    for (const pattern of namesIn(schema['patternProperties'])) expression(pattern)
    for (const name of ONE_SCHEMA) {
      const inner = schema[name]
      if (inner !== undefined) this.of(inner)
    }
    for (const name of SCHEMAS_BY_NAME) Object.values(objectIn(schema[name])).forEach(this.#each)
    for (const name of SCHEMA_LISTS) listIn(schema[name]).forEach(this.#each)
  }

  readonly #each = (schema: Json): void => this.of(schema)
}

const namesIn = (value: Json | undefined): readonly string[] => Object.keys(objectIn(value))
const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const listIn = (value: Json | undefined): readonly Json[] => (isJsonArray(value) ? value : [])

/** The schema that a reference leads to, by a JSON Pointer. */
function referred(root: JsonObject, reference: Json): Json {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) {
    throw wrong(
      `$ref ${JSON.stringify(reference)} leads out of the schema; put what it means inside`,
    )
  }
  let found: Json | undefined = root
  for (const part of reference.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (isJsonArray(found)) found = found[Number(name)]
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  if (found === undefined) throw wrong(`$ref ${reference} leads to nothing`)
  return found
}

function expression(pattern: Json): RegExp {
  const problem = `the pattern ${JSON.stringify(pattern)} is no regular expression`
  if (typeof pattern !== 'string') throw wrong(problem)
  try {
    return new RegExp(pattern, 'u')
  } catch {
    throw wrong(problem)
  }
}

const wrong = (problem: string): EchelonError =>
  new EchelonError('INVALID_DEFINITION', `a JSON Schema cannot be used: ${problem}`)

// ---- a value ----

class Checking {
  readonly issues: SchemaIssue[] = []
  readonly #root: JsonObject
  #depth = 0

  constructor(root: JsonObject) {
    this.#root = root
  }

  check(schema: Json, value: Json, path: Path): void {
    if (schema === true || this.issues.length >= MOST_ISSUES) return
    if (!isJsonObject(schema)) return this.#tell(path, 'is not allowed')
    if (this.#depth === DEEPEST) return this.#tell(path, 'is nested too deeply')
    this.#depth++
    this.#one(schema, value, path)
    this.#depth--
  }

  #one(schema: JsonObject, value: Json, path: Path): void {
    const { $ref, type, enum: allowed, const: only } = schema
    if ($ref !== undefined) this.check(referred(this.#root, $ref), value, path)
    if (type !== undefined && !hasType(value, type)) {
      return this.#tell(path, `expected ${[type].flat().map(typeName).join(' or ')}`)
    }
    if (isJsonArray(allowed) && !allowed.some((one) => sameJson(one, value))) {
      this.#tell(path, `expected one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`)
    }
    if (only !== undefined && !sameJson(only, value)) {
      this.#tell(path, `expected ${JSON.stringify(only)}`)
    }
    if (typeof value === 'number') this.#number(schema, value, path)
    else if (typeof value === 'string') this.#string(schema, value, path)
    else if (isJsonArray(value)) this.#array(schema, value, path)
    else if (isJsonObject(value)) this.#object(schema, value, path)
    this.#combined(schema, value, path)
  }

  #number(schema: JsonObject, value: number, path: Path): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
    if (isNumber(minimum) && value < minimum) this.#tell(path, `is below ${minimum}`)
    if (isNumber(maximum) && value > maximum) this.#tell(path, `is above ${maximum}`)
    if (isNumber(exclusiveMinimum) && value <= exclusiveMinimum) {
      this.#tell(path, `is not above ${exclusiveMinimum}`)
    }
    if (isNumber(exclusiveMaximum) && value >= exclusiveMaximum) {
      this.#tell(path, `is not below ${exclusiveMaximum}`)
    }
    if (isNumber(multipleOf) && !Number.isInteger(value / multipleOf)) {
      this.#tell(path, `is no multiple of ${multipleOf}`)
    }
  }

  #string(schema: JsonObject, value: string, path: Path): void {
    const { minLength, maxLength, pattern } = schema
    const isCounted = isNumber(minLength) || isNumber(maxLength)
    // Characters, of which some are two units long.
    const length = isCounted ? Array.from(value).length : 0
    if (isNumber(minLength) && length < minLength) {
      this.#tell(path, `has ${length} characters and needs ${minLength}`)
    }
    if (isNumber(maxLength) && length > maxLength) {
      this.#tell(path, `has ${length} characters and may have ${maxLength}`)
    }
    if (pattern !== undefined && !expression(pattern).test(value)) {
      this.#tell(path, `does not match ${JSON.stringify(pattern)}`)
    }
  }

  #array(schema: JsonObject, value: readonly Json[], path: Path): void {
    const { minItems, maxItems, uniqueItems, items, contains } = schema
    const { length } = value
    if (isNumber(minItems) && length < minItems) {
      this.#tell(path, `has ${length} items and needs ${minItems}`)
    }
    if (isNumber(maxItems) && length > maxItems) {
      this.#tell(path, `has ${length} items and may have ${maxItems}`)
    }
    if (uniqueItems === true && new Set(value.map(canonicalJson)).size < length) {
      this.#tell(path, 'has an item twice')
    }
    const first = listIn(schema['prefixItems'])
    for (const [index, item] of value.entries()) {
      const its = first[index] ?? items
      if (its !== undefined) this.check(its, item, [...path, index])
    }
    if (contains !== undefined && !value.some((item) => this.#fits(contains, item))) {
      this.#tell(path, 'lacks an item that it needs')
    }
  }

  #object(schema: JsonObject, value: JsonObject, path: Path): void {
    const { minProperties, maxProperties, propertyNames, additionalProperties } = schema
    const names = Object.keys(value)
    for (const name of listIn(schema['required'])) this.#require(value, name, path)
    for (const [name, needed] of Object.entries(objectIn(schema['dependentRequired']))) {
      if (!Object.hasOwn(value, name)) continue
      for (const other of listIn(needed)) this.#require(value, other, path)
    }
    if (isNumber(minProperties) && names.length < minProperties) {
      this.#tell(path, `has ${names.length} properties and needs ${minProperties}`)
    }
    if (isNumber(maxProperties) && names.length > maxProperties) {
      this.#tell(path, `has ${names.length} properties and may have ${maxProperties}`)
    }
    const properties = objectIn(schema['properties'])
    const patterns = Object.entries(objectIn(schema['patternProperties']))
    for (const [name, item] of Object.entries(value)) {
      const at = [...path, name]
      if (propertyNames !== undefined) this.check(propertyNames, name, at)
      const its = patterns.filter(([pattern]) => expression(pattern).test(name))
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (own !== undefined) this.check(own, item, at)
      for (const [, one] of its) this.check(one, item, at)
      if (own !== undefined || its.length > 0 || additionalProperties === undefined) continue
      if (additionalProperties === false) this.#tell(at, 'is not a known property')
      else this.check(additionalProperties, item, at)
    }
  }

  #require(value: JsonObject, name: Json, path: Path): void {
    if (typeof name === 'string' && !Object.hasOwn(value, name)) {
      this.#tell([...path, name], 'is required')
    }
  }

  #combined(schema: JsonObject, value: Json, path: Path): void {
    const { anyOf, oneOf, not, if: condition, then, else: otherwise } = schema
    for (const one of listIn(schema['allOf'])) this.check(one, value, path)
    if (isJsonArray(anyOf) && !anyOf.some((one) => this.#fits(one, value))) {
      this.#tell(path, 'fits none of the allowed forms')
    }
    if (isJsonArray(oneOf)) {
      const fitting = oneOf.filter((one) => this.#fits(one, value)).length
      if (fitting === 0) this.#tell(path, 'fits none of the allowed forms')
      if (fitting > 1) this.#tell(path, 'fits several of the forms, of which only one may fit')
    }
    if (not !== undefined && this.#fits(not, value)) this.#tell(path, 'is not allowed')
    if (condition === undefined) return
    const next = this.#fits(condition, value) ? then : otherwise
    if (next !== undefined) this.check(next, value, path)
  }

  #fits(schema: Json, value: Json): boolean {
    const trial = new Checking(this.#root)
    trial.#depth = this.#depth
    trial.check(schema, value, [])
    return trial.issues.length === 0
  }

  #tell(path: Path, message: string): void {
    if (this.issues.length < MOST_ISSUES) this.issues.push({ message, path })
  }
}

const isNumber = (value: Json | undefined): value is number => typeof value === 'number'

const hasType = (value: Json, type: Json): boolean =>
  isJsonArray(type) ? type.some((one) => hasType(value, one)) : isOfType(value, type)

const typeName = (type: Json): string => (typeof type === 'string' ? type : JSON.stringify(type))

function isOfType(value: Json, type: Json): boolean {
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return isJsonArray(value)
  if (type === 'object') return isJsonObject(value)
  return typeof value === type
}
