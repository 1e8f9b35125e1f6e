import { canonicalJson } from '../../core/value/canonical-json.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../core/value/json.ts'
import type { ToolCall } from '../../core/tool/tool-call.ts'
import type { VerifiedTask } from '../answer.ts'

/**
 * Tool calls in a form that equal calls share in any order: optional arguments that have their default are
 * left out, and numbers and texts are compared by value.
 * @param by `arguments` gives one part for each call's name and each of its arguments, for a measure of nearness
 */
export function callForms(
  calls: readonly ToolCall[],
  { tools = [] }: Pick<VerifiedTask, 'tools'>,
  by: 'calls' | 'arguments' = 'calls',
): readonly string[] {
  return calls
    .flatMap(({ tool, input }) => {
      const schema = tools.find(({ name }) => name === tool)?.jsonSchema ?? {}
      const form = argumentsForm(input, schema)
      if (by === 'calls' || !isJsonObject(form)) return [`${tool}(${canonicalJson(form)})`]
      const parts = Object.entries(form).map(([name, value]) => `${name}=${canonicalJson(value)}`)
      return [tool, ...parts.map((part) => `${tool}.${part}`)]
    })
    .toSorted()
}

function argumentsForm(input: Json, schema: JsonObject): Json {
  if (!isJsonObject(input)) return valueForm(input)
  const properties = objectOf(schema['properties'])
  const required = isJsonArray(schema['required']) ? schema['required'] : []
  return Object.fromEntries(
    Object.entries(input)
      .map(([name, value]) => [name, valueForm(value, objectOf(properties[name]))] as const)
      .filter(([name, value]) => {
        if (required.includes(name)) return true
        const usual = defaultOf(objectOf(properties[name]))
        return usual === undefined || canonicalJson(usual) !== canonicalJson(value)
      }),
  )
}

/** The default of a parameter, from its schema or the words of its description; undefined if none is stated. */
export function defaultOf(property: JsonObject): Json | undefined {
  if (property['default'] !== undefined) return valueForm(property['default'], property)
  const { description } = property
  const stated =
    typeof description === 'string' ? DEFAULT.exec(description.slice(0, LONGEST_DESCRIPTION)) : null
  const text = stated?.groups?.['quoted'] ?? stated?.groups?.['bare']
  return text === undefined ? undefined : valueForm(wordValue(text), property)
}

const LONGEST_DESCRIPTION = 2_000
const DEFAULT =
  /\bdefault(?:s|ed)?(?: value)?(?: is| to|:)?(?: set to)? ?(?:(?<quote>['"‘“`])(?<quoted>[^'"’”`]*)['"’”`]|(?<bare>-?\d+(?:\.\d+)?|[\w-]+))/i

const wordValue = (text: string): Json =>
  /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text

/** A value as it is compared: without case and blanks, and as a number where the schema wants one. */
function valueForm(value: Json, property: JsonObject = {}): Json {
  if (isJsonArray(value)) {
    return value.map((item) => valueForm(item, objectOf(property['items'])))
  }
  if (isJsonObject(value)) {
    const properties = objectOf(property['properties'])
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        valueForm(inner, objectOf(properties[name])),
      ]),
    )
  }
  if (typeof value !== 'string') return value
  const text = value
    .toLowerCase()
    .replaceAll('**', '^')
    .replaceAll(/\s+/g, '')
    .replace(/[.!]+$/, '')
  const wantsNumber = property['type'] === 'number' || property['type'] === 'integer'
  return wantsNumber && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
