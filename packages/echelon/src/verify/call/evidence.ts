import { jsonSchemaCheck } from '../../core/schema/json-schema.ts'
import type { ToolCall } from '../../core/tool/tool-call.ts'
import { isJsonArray, isJsonObject, type Json } from '../../core/value/json.ts'
import { defaultOf } from '../agree/call-form.ts'
import type { VerifiedTask } from '../answer.ts'
import { partsOf, rootOf, rootsIn, shareIn } from '../words.ts'
import { figuresSaid, isNear, isSaid, type Said } from './figures-said.ts'

type OfferedTool = NonNullable<VerifiedTask['tools']>[number]

/** The content of a task, read once for all calls. */
export interface Told {
  readonly figures: readonly Said[]
  /** The roots of all words. */
  readonly roots: ReadonlySet<string>
  /** The roots of the question's words that carry meaning. */
  readonly topics: readonly string[]
}

export function toldBy({ question, earlier = [], today }: VerifiedTask): Told {
  const all = [...earlier, question, today ?? ''].join('\n')
  return {
    figures: figuresSaid(all),
    roots: new Set(partsOf(all).map(rootOf)),
    topics: rootsIn(question),
  }
}

/** Lists the misfits of calls and tools: unknown names, missing and wrong arguments. */
export function misfits(
  calls: readonly ToolCall[],
  tools: readonly OfferedTool[],
): readonly string[] {
  return calls.flatMap(({ tool, input }) => {
    const offered = tools.find(({ name }) => name === tool)
    if (offered === undefined) return [`there is no tool ${tool}`]
    return issuesOf(offered, input).map(
      ({ path, message }) => `${[tool, ...path].join('.')}: ${message}`,
    )
  })
}

function issuesOf(
  { jsonSchema }: OfferedTool,
  input: Json,
): ReturnType<ReturnType<typeof jsonSchemaCheck>> {
  try {
    return jsonSchemaCheck(jsonSchema, { patterns: 'passed' })(input)
  } catch {
    // A schema that the check does not support gives no evidence.
    return []
  }
}

/** A value at the end of an argument, however deep. */
export interface Leaf {
  readonly call: number
  readonly name: string
  readonly value: string | number
  /** True if the tool states this value as the default. */
  readonly isDefault: boolean
  /** True if the schema lists the allowed values. */
  readonly isListed: boolean
}

export function leavesOf(
  calls: readonly ToolCall[],
  tools: readonly OfferedTool[],
): readonly Leaf[] {
  return calls.flatMap(({ tool, input }, call) => {
    if (!isJsonObject(input)) return []
    const schema = tools.find(({ name }) => name === tool)?.jsonSchema ?? {}
    const properties = objectOf(schema['properties'])
    return Object.entries(input).flatMap(([name, value]) => {
      const property = objectOf(properties[name])
      const usual = defaultOf(property)
      const isDefault = usual !== undefined && textOf(usual) === textOf(value)
      const isListed = property['enum'] !== undefined
      return ends(value).map((end) => ({ call, name, value: end, isDefault, isListed }))
    })
  })
}

const objectOf = (value: Json | undefined): Readonly<Record<string, Json>> =>
  value !== undefined && isJsonObject(value) ? value : {}

const textOf = (value: Json): string => JSON.stringify(value).toLowerCase().replaceAll(/\s+/g, '')

function ends(value: Json): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value]
  if (isJsonArray(value)) return value.flatMap(ends)
  return isJsonObject(value) ? Object.values(value).flatMap(ends) : []
}

/** Share of a value that occurs in the task, 0 to 1. */
export function saidShare({ name, value }: Leaf, told: Told): number {
  if (typeof value === 'number') return Number(isSaid(value, told.figures, DATE_NAME.test(name)))
  const parts = partsOf(value)
  if (parts.length === 0) return 1
  const isDate = DATE.test(value)
  const said = parts.filter((part) =>
    DIGITS.test(part)
      ? told.roots.has(part) || isSaid(Number(part), told.figures, isDate)
      : told.roots.has(rootOf(part)),
  )
  return said.length / parts.length
}

const DATE_NAME = /day|month|year|date/i
const DATE = /\d[-/.]\d/
const DIGITS = /^\p{N}+$/u

/** The numbers of the question that no argument holds. */
export function unused(told: Told, leaves: readonly Leaf[]): readonly Said[] {
  const used = leaves.flatMap(({ value }) =>
    typeof value === 'number'
      ? [value]
      : figuresSaid(value).flatMap(({ values, ofDate = [] }) => [...values, ...ofDate]),
  )
  return told.figures.filter(({ values, ofDate = [] }) => {
    const any = [...values, ...ofDate]
    return any.length > 0 && !any.some((value) => used.some((one) => isNear(one, value)))
  })
}

/** Counts calls that add nothing: another call of the same tool has all their values. */
export function repeated(calls: readonly ToolCall[]): number {
  const values = calls.map(({ tool, input }) => ({ tool, ends: new Set(ends(input).map(lower)) }))
  return values.filter((one, at) =>
    values.some(
      (other, place) =>
        place !== at &&
        other.tool === one.tool &&
        one.ends.isSubsetOf(other.ends) &&
        // Of two with the same values one is enough.
        (one.ends.size < other.ends.size || place < at),
    ),
  ).length
}

const lower = (value: string | number): string => String(value).toLowerCase()

/** Overlap of a tool and the question, 0 to 1 each. */
export interface Relevance {
  /** Share of the words of the tool's name in the question. */
  readonly name: number
  /** Share of the words of its description. */
  readonly description: number
  /** Share of the question's words that the tool, its parameters or the arguments hold. */
  readonly covered: number
}

export function relevanceOf(
  tool: OfferedTool | undefined,
  told: Told,
  leaves: readonly Leaf[] = [],
): Relevance {
  const topics = new Set(told.topics)
  const { name = '', description = '', jsonSchema = {} } = tool ?? {}
  const own = rootsIn(
    `${name} ${description} ${parametersOf(jsonSchema)} ${leaves.map(({ value }) => value).join(' ')}`,
  )
  return {
    name: shareIn(rootsIn(name.replaceAll('_', ' ')), topics, 0),
    description: shareIn(rootsIn(description), topics, 0),
    covered: shareIn(told.topics, new Set(own), 1),
  }
}

function parametersOf(schema: Readonly<Record<string, Json>>): string {
  return Object.entries(objectOf(schema['properties']))
    .map(([name, property]) => {
      const { description } = objectOf(property)
      return `${name} ${typeof description === 'string' ? description : ''}`
    })
    .join(' ')
}
