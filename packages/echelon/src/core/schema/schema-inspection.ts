import { EchelonError } from '../value/error.ts'
import { DEEPEST, excessOf } from '../value/json-extent.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../value/json.ts'
import { waysToMatch } from './pattern-cost.ts'

/**
 * The budget of one check in regular expression steps; a second has about 200 million. A schema whose
 * parts refer to each other twice, or a pattern that backtracks exponentially, would take years.
 */
export const MOST_EFFORT = 200_000_000

/** Constraints that are not supported: ignoring them would accept values that they forbid. */
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

/** The maximum expanded size of a schema in steps, worth 200,000 parts: more than any model reads. */
const MOST_OF_SCHEMA = 20_000_000
/** Number of characters of a schema that a message quotes. */
const MOST_QUOTED = 200

/**
 * Checks a schema's size before anything else reads it.
 * @throws EchelonError INVALID_DEFINITION for one that is nested too deeply, or whose shared parts
 * would expand to too large a schema
 */
export function assertBearable(schema: unknown): void {
  const excess = excessOf(schema, MOST_OF_SCHEMA)
  if (excess === 'deep') {
    throw wrong(
      `it is nested more than ${DEEPEST} levels deep; define repeated parts once, with $ref`,
    )
  }
  if (excess === 'large') {
    throw wrong('it is too large as it is written out; define repeated parts once, with $ref')
  }
}

/** Checks a schema and everything that it refers to, once, when it is given. */
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
    // A set also iterates values added meanwhile. Not recursive: reference chains can have any length.
    for (const schema of this.#met) this.#one(schema)
  }

  readonly #meet = (schema: Json): void => void this.#met.add(schema)

  #one(schema: Json): void {
    if (typeof schema === 'boolean') return
    if (!isJsonObject(schema)) throw wrong(`${quoted(schema)} is in the place of a schema`)
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

/** Resolves a reference (JSON Pointer) to a schema. */
export function referred(root: JsonObject, reference: Json): Json {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) {
    throw wrong(`$ref ${quoted(reference)} leads out of the schema; put its target inside`)
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

/** A percent sign that does not start a code is literal. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function expression(pattern: Json): RegExp {
  const problem = `the pattern ${quoted(pattern)} is not a regular expression`
  if (typeof pattern !== 'string') throw wrong(problem)
  try {
    return new RegExp(pattern, 'u')
  } catch {
    throw wrong(problem)
  }
}

/** Rejects a pattern that could run for hours on a short text: the values come from a model. */
function checkPattern(pattern: Json): void {
  const found = expression(pattern)
  const { source } = found
  try {
    // A regular expression is compiled at the first match, which fails if it is too large.
    found.test('')
  } catch {
    throw wrong(`the pattern ${quoted(source)} is too large`)
  }
  if (stepsOf(source, SHORTEST_TEXT) <= MOST_EFFORT) return
  throw wrong(
    `the pattern ${quoted(source)} may take forever on some text; avoid nested repetitions, or leave it out and check the value in the tool`,
  )
}

/** The maximum cost of a failing search: every way to match, from every position. */
export const stepsOf = (pattern: string, length: number): number =>
  waysToMatch(pattern, length) * (length + 1)

/** The text length that a pattern must allow within the budget, regardless of the text. */
const SHORTEST_TEXT = 64

const quoted = (part: Json): string =>
  JSON.stringify(typeof part === 'string' ? part.slice(0, MOST_QUOTED) : part).slice(
    0,
    MOST_QUOTED + 2,
  )

const wrong = (problem: string): EchelonError =>
  new EchelonError('INVALID_DEFINITION', `a JSON Schema cannot be used: ${problem}`)
