import { canonicalJson } from '../value/canonical-json.ts'
import { DEEPEST, excessOf, LOOK, sizeOf } from '../value/json-extent.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, sameJson } from '../value/json.ts'
import { isMultiple } from '../value/multiple.ts'
import {
  expression,
  Inspection,
  listIn,
  MOST_EFFORT,
  objectIn,
  referred,
  stepsOf,
} from './schema-inspection.ts'

/** A place where a value does not fit, and why. */
export interface SchemaIssue {
  readonly message: string
  readonly path: readonly (string | number)[]
}

export interface SchemaCheckOptions {
  /**
   * `passed` for a schema from an untrusted source: its regular expressions are skipped and match any
   * text. Default `held`.
   */
  readonly patterns?: 'held' | 'passed'
}

/**
 * Creates a check of values against a JSON Schema, drafts 7 to 2020-12, with `$ref` within the same
 * schema. `format` and other annotations are ignored. A check takes about a second at most: longer ones
 * are given up, and the value does not fit. A value nested more than 200 levels deep does not fit either.
 * @returns a function that returns up to 20 issues; none for a value that fits
 * @throws EchelonError INVALID_DEFINITION for a schema with unsupported constraints, or nested too
 * deeply
 */
export function jsonSchemaCheck(
  schema: JsonObject,
  { patterns = 'held' }: SchemaCheckOptions = {},
): (value: Json) => readonly SchemaIssue[] {
  const isHeld = patterns === 'held'
  new Inspection(schema, isHeld).whole()
  return (value) => {
    const excess = excessOf(value, MOST_EFFORT)
    if (excess !== undefined) return [excess === 'deep' ? TOO_DEEP : TOO_MUCH]
    const effort: Effort = {
      root: schema,
      left: MOST_EFFORT,
      referred: new Map(),
      written: new Map(),
      isHeld,
    }
    const checking = new Checking(effort)
    checking.check(schema, value, [])
    return effort.left > 0 ? checking.issues : [TOO_MUCH]
  }
}

const TOO_MUCH: SchemaIssue = { message: 'takes too long to check; write less', path: [] }
const TOO_DEEP: SchemaIssue = { message: 'is nested too deeply', path: [] }

/** State shared by all steps of one check. */
interface Effort {
  readonly root: JsonObject
  left: number
  readonly referred: Map<Json, Json>
  /** Cached texts for messages about the schema: a failing value may be tried a thousand times. */
  readonly written: Map<Json, string>
  /** Whether regular expressions are tried. */
  readonly isHeld: boolean
}

/** Cost of comparing one value of a list, or one name. */
const STEPS_OF_ONE = LOOK / 2
const MOST_ISSUES = 20
/** Cost of one message: a schema may list thousands of values. */
const MOST_CHARACTERS = 1000

type Path = readonly (string | number)[]

class Checking {
  readonly issues: SchemaIssue[] = []
  readonly #effort: Effort
  #depth = 0

  constructor(effort: Effort) {
    this.#effort = effort
  }

  check(schema: Json, value: Json, path: Path): void {
    if (!this.#affords(LOOK) || schema === true || this.issues.length >= MOST_ISSUES) return
    if (!isJsonObject(schema)) return this.#tell(path, 'is not allowed')
    // A schema may refer to itself.
    if (this.#depth === DEEPEST) return this.#tell(path, TOO_DEEP.message)
    this.#depth++
    this.#one(schema, value, path)
    this.#depth--
  }

  #one(schema: JsonObject, value: Json, path: Path): void {
    const { $ref, type, enum: allowed, const: only } = schema
    if ($ref !== undefined) this.check(this.#referred($ref), value, path)
    if (!this.#affords(listIn(type).length * STEPS_OF_ONE)) return
    if (type !== undefined && !hasType(value, type)) {
      return this.#tell(path, `expected ${this.#written(type, typesOf)}`)
    }
    if (isJsonArray(allowed) && !allowed.some((one) => this.#isSame(one, value))) {
      this.#tell(path, `expected one of ${this.#written(allowed, textsOf)}`)
    }
    if (only !== undefined && !this.#isSame(only, value)) {
      this.#tell(path, `expected ${this.#written(only, textOf)}`)
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
    if (isNumber(multipleOf) && !isMultiple(value, multipleOf)) {
      this.#tell(path, `is not a multiple of ${multipleOf}`)
    }
  }

  #string(schema: JsonObject, value: string, path: Path): void {
    const { minLength, maxLength, pattern } = schema
    const isCounted = isNumber(minLength) || isNumber(maxLength)
    // Counts characters, some of which are two units long.
    const length = isCounted && this.#affords(value.length) ? Array.from(value).length : 0
    if (isNumber(minLength) && length < minLength) {
      this.#tell(path, `has ${length} characters and needs ${minLength}`)
    }
    if (isNumber(maxLength) && length > maxLength) {
      this.#tell(path, `has ${length} characters and may have ${maxLength}`)
    }
    if (pattern !== undefined && !this.#matches(pattern, value)) {
      this.#tell(path, `does not match ${JSON.stringify(pattern)}`)
    }
  }

  #array(schema: JsonObject, value: readonly Json[], path: Path): void {
    const { minItems, maxItems, uniqueItems, items, contains } = schema
    const { length } = value
    if (!this.#affords(length)) return
    if (isNumber(minItems) && length < minItems) {
      this.#tell(path, `has ${length} items and needs ${minItems}`)
    }
    if (isNumber(maxItems) && length > maxItems) {
      this.#tell(path, `has ${length} items and may have ${maxItems}`)
    }
    if (uniqueItems === true && this.#hasTwice(value)) {
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
    if (!this.#affords(names.length)) return
    this.#requireAll(value, listIn(schema['required']), path)
    for (const [name, needed] of this.#entries(schema['dependentRequired'])) {
      if (Object.hasOwn(value, name)) this.#requireAll(value, listIn(needed), path)
    }
    if (isNumber(minProperties) && names.length < minProperties) {
      this.#tell(path, `has ${names.length} properties and needs ${minProperties}`)
    }
    if (isNumber(maxProperties) && names.length > maxProperties) {
      this.#tell(path, `has ${names.length} properties and may have ${maxProperties}`)
    }
    const properties = objectIn(schema['properties'])
    const patterns = this.#entries(schema['patternProperties'])
    for (const [name, item] of Object.entries(value)) {
      if (!this.#affords(patterns.length * STEPS_OF_ONE)) return
      const at = [...path, name]
      if (propertyNames !== undefined) this.check(propertyNames, name, at)
      const its = patterns.filter(([pattern]) => this.#matches(pattern, name))
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (own !== undefined) this.check(own, item, at)
      if (this.#effort.isHeld) for (const [, one] of its) this.check(one, item, at)
      if (own !== undefined || its.length > 0 || additionalProperties === undefined) continue
      if (additionalProperties === false) this.#tell(at, 'is not a known property')
      else this.check(additionalProperties, item, at)
    }
  }

  #requireAll(value: JsonObject, names: readonly Json[], path: Path): void {
    if (!this.#affords(names.length * STEPS_OF_ONE)) return
    for (const name of names) {
      if (typeof name === 'string' && !Object.hasOwn(value, name)) {
        this.#tell([...path, name], 'is required')
      }
    }
  }

  #entries(part: Json | undefined): readonly (readonly [string, Json])[] {
    const fields = objectIn(part)
    return this.#affords(Object.keys(fields).length * STEPS_OF_ONE) ? Object.entries(fields) : []
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
    const trial = new Checking(this.#effort)
    trial.#depth = this.#depth
    trial.check(schema, value, [])
    return trial.issues.length === 0
  }

  /** Compares in both directions: each object may have names that the other lacks. */
  #isSame(one: Json, value: Json): boolean {
    if (!this.#affords(LOOK / 4)) return false
    const isLarge = isJsonObject(one) && isJsonObject(value)
    const steps = sizeOf(one) + (isLarge ? sizeOf(value) : 0)
    return this.#affords(steps) && sameJson(one, value)
  }

  #hasTwice(value: readonly Json[]): boolean {
    return this.#affords(sizeOf(value)) && new Set(value.map(canonicalJson)).size < value.length
  }

  /** A text on which the pattern could run for too long does not match. */
  #matches(pattern: Json, value: string): boolean {
    if (!this.#effort.isHeld) return true
    const found = expression(pattern)
    const { source } = found
    const steps = stepsOf(source, value.length) + LOOK * source.length
    return this.#affords(steps) && found.test(value)
  }

  #referred(reference: Json): Json {
    const known = this.#effort.referred.get(reference)
    if (known !== undefined) return known
    const found = referred(this.#effort.root, reference)
    this.#effort.referred.set(reference, found)
    return found
  }

  /** A value as messages quote it. */
  #written(part: Json, write: (part: Json) => string): string {
    const known = this.#effort.written.get(part)
    if (known !== undefined) return known
    const text = this.#affords(sizeOf(part)) ? write(part).slice(0, MOST_CHARACTERS) : ''
    this.#effort.written.set(part, text)
    return text
  }

  /** @returns whether the budget allows this cost; if so, the cost is deducted */
  #affords(steps: number): boolean {
    this.#effort.left -= steps
    return this.#effort.left > 0
  }

  #tell(path: Path, message: string): void {
    if (this.issues.length >= MOST_ISSUES) return
    this.issues.push({ message: message.slice(0, MOST_CHARACTERS), path })
  }
}

const isNumber = (value: Json | undefined): value is number => typeof value === 'number'

const hasType = (value: Json, type: Json): boolean =>
  isJsonArray(type) ? type.some((one) => hasType(value, one)) : isOfType(value, type)

const typesOf = (types: Json): string => [types].flat().map(typeName).join(' or ')

const textOf = (part: Json): string => JSON.stringify(part)

const textsOf = (parts: Json): string => listIn(parts).map(textOf).join(', ')

const typeName = (type: Json): string => (typeof type === 'string' ? type : JSON.stringify(type))

function isOfType(value: Json, type: Json): boolean {
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return isJsonArray(value)
  if (type === 'object') return isJsonObject(value)
  return typeof value === type
}
