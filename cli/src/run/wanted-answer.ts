import { InvalidArgumentError } from 'commander'
import { readGivenTextSync } from 'echelon/config'
import type { WantedAnswer } from 'echelon/decide'
import type { JsonObject } from 'echelon/runtime'
import { isJson, isJsonObject } from 'echelon/internal/value'

const PLAIN = ['number', 'date', 'yes-no', 'text'] as const

/** Far more than any schema of an answer has. */
const MOST_BYTES = 256 * 1024

/** Parses the kind of an answer: `number`, `choice=red,blue`, `json=schema.json`. */
export function wantedAnswer(text: string): WantedAnswer {
  const plain = PLAIN.find((kind) => kind === text)
  if (plain !== undefined) return { kind: plain }
  const at = text.indexOf('=')
  const [kind, value] = [text.slice(0, at), text.slice(at + 1).trim()]
  if (kind === 'choice' && value !== '') {
    return { kind, choices: value.split(',').map((choice) => choice.trim()) }
  }
  if (kind === 'json' && value !== '') return { kind, schema: schemaIn(value) }
  throw new InvalidArgumentError(
    `Write ${PLAIN.join(', ')}, choice=FIRST,SECOND or json=SCHEMA.json.`,
  )
}

function schemaIn(file: string): JsonObject {
  try {
    const schema: unknown = JSON.parse(readGivenTextSync(file, MOST_BYTES))
    if (isJson(schema) && isJsonObject(schema)) return schema
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replaceAll(/\s+/g, ' ') : String(cause)
    throw new InvalidArgumentError(`The schema ${file} cannot be read: ${reason}.`)
  }
  throw new InvalidArgumentError(`The schema ${file} is not a JSON object.`)
}
