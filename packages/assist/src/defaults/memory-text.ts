import type * as Yaml from 'yaml'
import { EchelonError, isJson } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { parseYaml } from 'echelon/internal/yaml'
import { type MemoryName, memorySchemas } from './memory-schema.ts'

/** Lines of intent.json, so that it fits on a page. */
const MOST_INTENT_LINES = 49
const MOST_CHARACTERS = 2_000_000
const MOST_PROBLEMS = 10

/**
 * Parses the text of a file.
 * @param path the name used in error messages
 * @throws EchelonError INVALID_INPUT with one line per error: file, line, what to do
 */
export async function readMemoryText(name: MemoryName, text: string, path: string): Promise<Json> {
  checkSize(name, text, path)
  const value = parsed(text, path)
  const [yaml, { z }] = await Promise.all([import('yaml'), import('zod')])
  // JSON is YAML, whose parser knows the position of each value.
  const parsedYaml = parseYaml(yaml, text, { keys: 'string' })
  if (parsedYaml === undefined) throw unusable([`${path} is nested too deeply`])
  const { document, lines } = parsedYaml
  const slips = document.errors.map(
    ({ pos, message }) => `${path}:${lines.linePos(pos[0]).line}: ${message}`,
  )
  if (slips.length > 0) throw unusable(slips)
  const read = memorySchemas(z)[name].safeParse(value)
  if (read.success) return value
  throw unusable(
    read.error.issues.map((issue) => {
      const place = [...issue.path, ...(keysOf(issue).slice(0, 1) ?? [])]
      const { line } = lines.linePos(offsetOf(yaml, document, place))
      return `${path}:${line}: ${sentence(issue)}`
    }),
  )
}

function checkSize(name: MemoryName, text: string, path: string): void {
  if (text.length > MOST_CHARACTERS) {
    throw unusable([`${path} is longer than such a file may be; take out what is old`])
  }
  const lines = text.trimEnd().split('\n').length
  if (name === 'intent' && lines > MOST_INTENT_LINES) {
    throw unusable([
      `${path}:${MOST_INTENT_LINES + 1}: an intent has fewer than 50 lines, and this has ${lines}; take out what counts least`,
    ])
  }
}

function parsed(text: string, path: string): Json {
  try {
    // Some editors start a file with a byte order mark.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/u, ''))
    if (isJson(value)) return value
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const what = message.replace(/ in JSON at.*$|, (?:\.\.\.)?".*$/s, '')
    throw unusable([`${path}:${brokenLine(text, message)}: this is not JSON (${what})`])
  }
  throw unusable([`${path} is nested too deep`])
}

/**
 * The line of the first error. The JSON parser gives no position for an unexpected character, so look for the
 * first line with which the text is wrong rather than unfinished.
 */
function brokenLine(text: string, message: string): number {
  const lines = text.trimEnd().split('\n')
  const position = positionIn(message)
  if (position !== undefined) {
    return Math.min(text.slice(0, position).split('\n').length, lines.length)
  }
  let [least, most] = [1, lines.length]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (isUnfinished(lines.slice(0, middle).join('\n'))) least = middle + 1
    else most = middle
  }
  return least
}

/** Whether the beginning of a text may still become JSON: its only error is that it ends. */
function isUnfinished(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (/^(?:Unexpected end|Unterminated string)/.test(message)) return true
    return (positionIn(message) ?? 0) >= text.length
  }
}

function positionIn(message: string): number | undefined {
  const [, position] = / in JSON at position (\d+)/.exec(message) ?? []
  return position === undefined ? undefined : Number(position)
}

interface Issue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
}

const keysOf = ({ keys = [] }: Issue): readonly string[] => keys

function sentence(issue: Issue): string {
  const where = issue.path.map(String).join('.')
  const colon = where === '' ? '' : `${where}: `
  const keys = keysOf(issue)
  if (keys.length === 0) return `${colon}${issue.message}`
  return `${colon}${keys.join(', ')} is not known here; take it out, or correct its name`
}

/** The position of the deepest of these path steps that exists. */
function offsetOf(
  yaml: typeof Yaml,
  document: Yaml.Document.Parsed,
  at: readonly PropertyKey[],
): number {
  let [node, offset]: [unknown, number] = [document.contents, 0]
  for (const step of at) {
    if (yaml.isSeq(node)) {
      node = node.items[Number(step)]
      if (!yaml.isNode(node)) break
      offset = node.range?.[0] ?? offset
      continue
    }
    if (!yaml.isMap(node)) break
    const pair = node.items.find((item) => yaml.isScalar(item.key) && item.key.value === step)
    if (pair === undefined || !yaml.isScalar(pair.key)) break
    offset = pair.key.range?.[0] ?? offset
    node = pair.value
  }
  return offset
}

export const unusable = (problems: readonly string[], cause?: unknown): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    [...new Set(problems)].slice(0, MOST_PROBLEMS).join('\n'),
    cause === undefined ? {} : { cause },
  )

const WIDTH = 100

/** Formats JSON as a person would: a value that fits on a line stands on one. */
export function memoryText(value: Json, indent = ''): string {
  const short = oneLine(value)
  if (short.length + indent.length <= WIDTH && (indent !== '' || !isNested(value))) return short
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => `${inner}${memoryText(item, inner)}`)
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  if (value === null || typeof value !== 'object') return short
  const pairs = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${memoryText(item, inner)}`,
  )
  return `{\n${pairs.join(',\n')}\n${indent}}`
}

const isNested = (value: Json): boolean => value !== null && typeof value === 'object'

function oneLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => oneLine(item)).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const pairs = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${oneLine(item)}`,
  )
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}
