import { EchelonError } from './error.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts'
import { waysToMatch } from './pattern-cost.ts'

/**
 * What one check may take, in steps of a regular expression, of which a second has some 200 million. A
 * schema whose parts refer to each other twice each, or a pattern that tries everything, would take
 * years.
 */
export const MOST_EFFORT = 200_000_000

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
export class Inspection {
  readonly #root: JsonObject
  readonly #isHeld: boolean

  constructor(root: JsonObject, isHeld: boolean) {
    this.#root = root
    this.#isHeld = isHeld
  }

  of(schema: Json): void {
    if (typeof schema === 'boolean') return
    if (!isJsonObject(schema))
      throw wrong(`${JSON.stringify(schema)} stands where a schema belongs`)
    const unknown = NOT_CHECKED.find((name) => schema[name] !== undefined)
    if (unknown !== undefined) throw wrong(`${unknown} is not supported; leave it out`)
    if (isJsonArray(schema['items'])) throw wrong('items is a list; write it as prefixItems')
    if (schema['$ref'] !== undefined) referred(this.#root, schema['$ref'])
    if (this.#isHeld) {
      if (schema['pattern'] !== undefined) checkPattern(schema['pattern'])
      for (const pattern of namesIn(schema['patternProperties'])) checkPattern(pattern)
    }
    for (const name of ONE_SCHEMA) {
      const inner = schema[name]
      if (inner !== undefined) this.of(inner)
    }
    for (const name of SCHEMAS_BY_NAME) assertKind(schema, name, isJsonObject)
    for (const name of SCHEMA_LISTS) assertKind(schema, name, isJsonArray)
    for (const name of SCHEMAS_BY_NAME) Object.values(objectIn(schema[name])).forEach(this.#each)
    for (const name of SCHEMA_LISTS) listIn(schema[name]).forEach(this.#each)
  }

  readonly #each = (schema: Json): void => this.of(schema)
}

function assertKind(schema: JsonObject, name: string, fits: (value: Json) => boolean): void {
  const value = schema[name]
  if (value !== undefined && !fits(value)) throw wrong(`${name} holds no schemas`)
}

const namesIn = (value: Json | undefined): readonly string[] => Object.keys(objectIn(value))
export const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
export const listIn = (value: Json | undefined): readonly Json[] =>
  isJsonArray(value) ? value : []

/** The schema that a reference leads to, by a JSON Pointer. */
export function referred(root: JsonObject, reference: Json): Json {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) {
    throw wrong(
      `$ref ${JSON.stringify(reference)} leads out of the schema; put what it means inside`,
    )
  }
  let found: Json | undefined = root
  for (const part of reference.split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (isJsonArray(found)) found = found[Number(name)]
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  if (found === undefined) throw wrong(`$ref ${reference} leads to nothing`)
  return found
}

/** A percent sign that begins no code stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function expression(pattern: Json): RegExp {
  const problem = `the pattern ${JSON.stringify(pattern)} is no regular expression`
  if (typeof pattern !== 'string') throw wrong(problem)
  try {
    return new RegExp(pattern, 'u')
  } catch {
    throw wrong(problem)
  }
}

/** Refuses one that could be tried on a short text for hours: the values are a model's. */
function checkPattern(pattern: Json): void {
  const found = expression(pattern)
  const { source } = found
  try {
    // Compiled when it is first tried, and only then found to be too large.
    found.test('')
  } catch {
    throw wrong(`the pattern ${JSON.stringify(source.slice(0, 200))} is too large`)
  }
  if (stepsOf(source, SHORTEST_TEXT) <= MOST_EFFORT) return
  throw wrong(
    `the pattern ${JSON.stringify(source.slice(0, 200))} may take forever on some text; repeat nothing that repeats, or leave it out and check the value in the tool`,
  )
}

/** What a search that fails takes at most: every way of matching, from every place. */
export const stepsOf = (pattern: string, length: number): number =>
  waysToMatch(pattern, length) * (length + 1)

/** So long must a text be allowed to be for its pattern, whatever stands there. */
const SHORTEST_TEXT = 64

const wrong = (problem: string): EchelonError =>
  new EchelonError('INVALID_DEFINITION', `a JSON Schema cannot be used: ${problem}`)
