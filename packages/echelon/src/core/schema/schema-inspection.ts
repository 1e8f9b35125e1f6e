import { EchelonError } from '../value/error.ts'
import { DEEPEST, excessOf } from '../value/json-extent.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../value/json.ts'
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

/** Steps that a schema may be worth as it is written out: 200,000 parts. No model reads as much. */
const MOST_OF_SCHEMA = 20_000_000
/** Characters of what a message quotes of a schema. */
const MOST_QUOTED = 200

/**
 * Before anything else looks at what is given as a schema.
 * @throws EchelonError INVALID_DEFINITION for what is nested too deeply, or has parts that stand in so
 * many places that nobody could write it out
 */
export function assertBearable(schema: unknown): void {
  const excess = excessOf(schema, MOST_OF_SCHEMA)
  if (excess === 'deep') {
    throw wrong(`it is nested more than ${DEEPEST} levels deep; say what repeats once, by $ref`)
  }
  if (excess === 'large') {
    throw wrong('it is too large as it is written out; say what repeats once, by $ref')
  }
}

/** Looks through a schema once, when it is given, and through all that it refers to. */
export class Inspection {
  readonly #root: JsonObject
  readonly #isHeld: boolean
  readonly #met: Set<Json> = new Set()
  readonly #patterns: Set<Json> = new Set()

  constructor(root: JsonObject, isHeld: boolean) {
    this.#root = root
    this.#isHeld = isHeld
  }

  /** @throws EchelonError INVALID_DEFINITION */
  whole(): void {
    assertBearable(this.#root)
    this.#meet(this.#root)
    // A set also hands out what is added meanwhile. Not by recursion: references make chains of any length.
    for (const schema of this.#met) this.#one(schema)
  }

  readonly #meet = (schema: Json): void => void this.#met.add(schema)

  #one(schema: Json): void {
    if (typeof schema === 'boolean') return
    if (!isJsonObject(schema)) throw wrong(`${quoted(schema)} stands where a schema belongs`)
    const unknown = NOT_CHECKED.find((name) => schema[name] !== undefined)
    if (unknown !== undefined) throw wrong(`${unknown} is not supported; leave it out`)
    if (isJsonArray(schema['items'])) throw wrong('items is a list; write it as prefixItems')
    if (schema['$ref'] !== undefined) this.#meet(referred(this.#root, schema['$ref']))
    if (this.#isHeld) {
      if (schema['pattern'] !== undefined) this.#pattern(schema['pattern'])
      for (const pattern of namesIn(schema['patternProperties'])) this.#pattern(pattern)
    }
    for (const name of ONE_SCHEMA) {
      const inner = schema[name]
      if (inner !== undefined) this.#meet(inner)
    }
    for (const name of SCHEMAS_BY_NAME) assertKind(schema, name, isJsonObject)
    for (const name of SCHEMA_LISTS) assertKind(schema, name, isJsonArray)
    for (const name of SCHEMAS_BY_NAME) Object.values(objectIn(schema[name])).forEach(this.#meet)
    for (const name of SCHEMA_LISTS) listIn(schema[name]).forEach(this.#meet)
  }

  #pattern(pattern: Json): void {
    if (this.#patterns.has(pattern)) return
    checkPattern(pattern)
    this.#patterns.add(pattern)
  }
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
    throw wrong(`$ref ${quoted(reference)} leads out of the schema; put what it means inside`)
  }
  let found: Json | undefined = root
  for (const part of reference.split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (isJsonArray(found)) found = found[Number(name)]
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  if (found === undefined) throw wrong(`$ref ${reference.slice(0, MOST_QUOTED)} leads to nothing`)
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
  const problem = `the pattern ${quoted(pattern)} is no regular expression`
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
    throw wrong(`the pattern ${quoted(source)} is too large`)
  }
  if (stepsOf(source, SHORTEST_TEXT) <= MOST_EFFORT) return
  throw wrong(
    `the pattern ${quoted(source)} may take forever on some text; repeat nothing that repeats, or leave it out and check the value in the tool`,
  )
}

/** What a search that fails takes at most: every way of matching, from every place. */
export const stepsOf = (pattern: string, length: number): number =>
  waysToMatch(pattern, length) * (length + 1)

/** So long must a text be allowed to be for its pattern, whatever stands there. */
const SHORTEST_TEXT = 64

const quoted = (part: Json): string =>
  JSON.stringify(typeof part === 'string' ? part.slice(0, MOST_QUOTED) : part).slice(
    0,
    MOST_QUOTED + 2,
  )

const wrong = (problem: string): EchelonError =>
  new EchelonError('INVALID_DEFINITION', `a JSON Schema cannot be used: ${problem}`)
