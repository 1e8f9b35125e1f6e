import { isJson, isJsonObject, type JsonObject } from '../../core/value/json.ts'
import { wordHint } from '../../core/value/nearest.ts'
import type { Source, VerifiedTask, Wanted } from '../../verify/answer.ts'
import { Fields } from './fields.ts'

const PLAIN = ['number', 'date', 'yes-no', 'calls', 'text'] as const
const KINDS: readonly string[] = [...PLAIN, 'choice', 'json']

/**
 * Reads what a row of traces asks.
 * @throws EchelonError INVALID_INPUT that names the place and what must be there
 */
export function readTask(row: Fields): VerifiedTask {
  const [earlier, today] = [row.texts('earlier'), row.text('today')]
  const tools = row.list('tools')?.map((tool, at) => readTool(tool, row.within(`tools[${at}]`)))
  const sources = row
    .list('sources')
    ?.map((source, at) => readSource(source, row.within(`sources[${at}]`)))
  return {
    question: row.required('question'),
    wanted: readWanted(row),
    ...(earlier === undefined ? {} : { earlier }),
    ...(tools === undefined ? {} : { tools }),
    ...(sources === undefined ? {} : { sources }),
    ...(today === undefined ? {} : { today }),
  }
}

/** A kind by its name alone, or an object with what else the kind needs. */
function readWanted(row: Fields): Wanted {
  const value = row.any('wanted') ?? 'text'
  const given = typeof value === 'string' ? { kind: value } : value
  const wanted = new Fields(given, row.within('wanted'), ['kind', 'choices', 'schema'])
  const kind = wanted.required('kind')
  const plain = PLAIN.find((each) => each === kind)
  if (plain !== undefined) return { kind: plain }
  if (kind === 'choice') {
    const choices = wanted.texts('choices')
    if (choices !== undefined && choices.length > 1) return { kind, choices }
    throw wanted.wrong('choices', 'a list of at least two texts')
  }
  if (kind === 'json') return { kind, schema: readSchema(wanted, 'schema') }
  throw wanted.unusable(`there is no kind ${JSON.stringify(kind)}${wordHint(kind, KINDS)}`)
}

function readSchema(fields: Fields, name: string): JsonObject {
  const schema = fields.any(name)
  if (isJson(schema) && isJsonObject(schema)) return schema
  throw fields.wrong(name, 'a JSON Schema')
}

function readTool(value: unknown, place: string): NonNullable<VerifiedTask['tools']>[number] {
  const tool = new Fields(value, place, ['name', 'description', 'parameters'])
  return {
    name: tool.required('name'),
    description: tool.text('description') ?? '',
    jsonSchema: tool.has('parameters') ? readSchema(tool, 'parameters') : { type: 'object' },
  }
}

function readSource(value: unknown, place: string): Source {
  const source = new Fields(value, place, ['name', 'text'])
  return { name: source.required('name'), text: source.required('text') }
}
