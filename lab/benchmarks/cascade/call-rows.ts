import {
  isJson,
  isJsonObject,
  isRecord,
  type Json,
  type JsonObject,
} from '../../../packages/echelon/src/core/value/json.ts'
import type { ToolCall } from '../../../packages/echelon/src/core/tool/tool-call.ts'
import type { Attempt, VerifiedTask } from '../../../packages/echelon/src/verify/answer.ts'
import { type DataRow, readDataFile } from '../tools/data-file.ts'

export const CALLS_FILE = 'esc_bfcl_calls.jsonl'

/** The models of the record: the small one, the one of second opinions, and the big one. */
export const CALLERS = {
  small: 'gpt-3.5-turbo-0125',
  opinion: 'gpt-4o-mini-2024-07-18',
  big: 'gpt-4o-2024-08-06',
} as const

/** The calls of a model, and whether they were right. */
export interface RecordedCalls {
  readonly calls: readonly ToolCall[]
  readonly right: boolean
  readonly tokens: { readonly input: number; readonly output: number }
}

/** A question with the calls of each model. Its accepted answers are not read: the record says what is right. */
export interface CallRow {
  readonly attempt: Attempt
  readonly small: RecordedCalls
  readonly opinion: RecordedCalls
  readonly big: RecordedCalls
}

/**
 * Reads the recorded calls; undefined if the folder does not have them.
 * @throws EchelonError INVALID_INPUT for a file of another form
 */
export async function readCalls(folder: string): Promise<readonly CallRow[] | undefined> {
  const data = await readDataFile(folder, CALLS_FILE)
  if (data === undefined) return undefined
  const rows = data.rows.flatMap((row) => rowOf(row) ?? [])
  if (rows.length === 0) throw data.unusable("a question with tools and three models' calls")
  return rows
}

function rowOf({ question, tools, answers }: DataRow): CallRow | undefined {
  if (typeof question !== 'string' || !Array.isArray(tools) || !isRecord(answers)) return undefined
  const small = callsOf(answers[CALLERS.small])
  const opinion = callsOf(answers[CALLERS.opinion])
  const big = callsOf(answers[CALLERS.big])
  if (small === undefined || opinion === undefined || big === undefined) return undefined
  const task: VerifiedTask = {
    question,
    wanted: { kind: 'calls' },
    tools: tools.flatMap((tool: unknown) => toolOf(tool) ?? []),
  }
  const attempt: Attempt = { task, answer: { type: 'calls', calls: small.calls }, made: [] }
  return { attempt, small, opinion, big }
}

function callsOf(record: unknown): RecordedCalls | undefined {
  if (!isRecord(record)) return undefined
  const { calls, ok, input_tokens: input, output_tokens: output } = record
  if (!Array.isArray(calls) || typeof ok !== 'boolean') return undefined
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const read = calls.flatMap((call: unknown, at): readonly ToolCall[] => {
    const { name, arguments: given }: DataRow = isRecord(call) ? call : {}
    return typeof name === 'string' && isJson(given)
      ? [{ id: `c${at}`, tool: name, input: given }]
      : []
  })
  return { calls: read, right: ok, tokens: { input, output } }
}

/** Providers take no points in a name, so that models call `math.hypot` as `math_hypot`. */
function toolOf(tool: unknown): NonNullable<VerifiedTask['tools']>[number] | undefined {
  if (!isRecord(tool)) return undefined
  const { name, description, parameters } = tool
  if (typeof name !== 'string' || typeof description !== 'string') return undefined
  const jsonSchema = isJson(parameters) ? schemaOf(parameters) : {}
  return {
    name: name.replaceAll('.', '_'),
    description,
    jsonSchema: isJsonObject(jsonSchema) ? jsonSchema : {},
  }
}

/** The types of the data set are those of Python. */
const TYPES: Readonly<Record<string, string>> = {
  dict: 'object',
  float: 'number',
  tuple: 'array',
}

function schemaOf(schema: Json): Json {
  if (!isJsonObject(schema)) return schema
  const { type, properties, items, ...rest } = schema
  const own: JsonObject =
    typeof type !== 'string' || type === 'any' ? {} : { type: TYPES[type] ?? type }
  return {
    ...rest,
    ...own,
    ...(properties !== undefined && isJsonObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, schemaOf(property)]),
          ),
        }
      : {}),
    ...(items === undefined ? {} : { items: schemaOf(items) }),
  }
}
