import { nearest } from '../core/value/nearest.ts'
import { EchelonError } from '../core/value/error.ts'
import { isRecord } from '../core/value/json.ts'

/** One question of a data set with its expected result. */
export interface EvalCase {
  /** Letters, digits, `.`, `_` and `-`; also the name of the case's folder. */
  readonly id: string
  readonly input: string
  /** Tools that the answer must be based on. */
  readonly expected_tools: readonly string[]
  /** Null if only the verifier decides. */
  readonly gold_answer: string | null
  /** `refused`: the correct result is that no model answers. Default `answered`. */
  readonly expect: 'answered' | 'refused'
  /** Groups cases in the report. Default `other`. */
  readonly category: string
  /** Whether its latency counts for the gate. Default: whether one tool is enough to answer it. */
  readonly easy: boolean
  /** ISO date used as today. Default: the current day. */
  readonly today: string | null
  /** IANA name. Default: the decider's time zone. */
  readonly timezone: string | null
}

/**
 * Reads the cases of a data set: a JSON array of `{id, input, expected_tools?, gold_answer?,
 * expect?, category?, easy?, today?, timezone?}`. Adding cases needs no code.
 * @throws EchelonError INVALID_INPUT that names the case and the correction
 */
export function readDataset(text: string): readonly EvalCase[] {
  const rows = parse(text)
  if (!Array.isArray(rows)) throw invalid('it must be a JSON array of cases')
  if (rows.length === 0) throw invalid('it holds no cases')
  const cases = rows.map((row: unknown, index) => readCase(row, index))
  const seen = new Set<string>()
  for (const { id } of cases) {
    // Case-insensitive, since some file systems do not distinguish folder names by case.
    if (seen.has(id.toLowerCase())) throw invalid(`two cases have the id ${id}; rename one`)
    seen.add(id.toLowerCase())
  }
  return cases
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError('INVALID_INPUT', `the data set is not JSON: ${reason}`, { cause })
  }
}

const FIELDS = [
  'id',
  'input',
  'expected_tools',
  'gold_answer',
  'expect',
  'category',
  'easy',
  'today',
  'timezone',
] as const

function readCase(row: unknown, index: number): EvalCase {
  if (!isRecord(row)) throw invalid(`case ${index + 1} is not an object`)
  const id = row['id']
  if (typeof id !== 'string' || !/^[A-Za-z0-9][\w.-]{0,99}$/.test(id)) {
    throw invalid(
      `case ${index + 1} needs an id of at most 100 letters, digits, ., _ and -, such as math-001`,
    )
  }
  const field = reader(row, id)
  field.refuseUnknown()
  const expect = field.oneOf('expect', ['answered', 'refused'], 'answered')
  const tools = field.texts('expected_tools')
  return {
    id,
    input: field.text('input') ?? field.missing('input'),
    expected_tools: tools,
    gold_answer: field.text('gold_answer'),
    expect,
    category: field.text('category') ?? 'other',
    easy: field.truth('easy') ?? (expect === 'answered' && tools.length === 1),
    today: field.text('today'),
    timezone: field.text('timezone'),
  }
}

interface FieldReader {
  text(name: string): string | null
  texts(name: string): readonly string[]
  truth(name: string): boolean | null
  oneOf<Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice
  missing(name: string): never
  refuseUnknown(): void
}

/** Reads the fields of one case; absent and null fields have their defaults. */
function reader(row: Readonly<Record<string, unknown>>, id: string): FieldReader {
  const wrong = (name: string, kind: string): never => {
    throw invalid(`case ${id}: ${name} must be ${kind}, not ${JSON.stringify(row[name])}`)
  }
  return {
    text: (name) => {
      const value = row[name] ?? null
      return value === null || typeof value === 'string' ? value : wrong(name, 'a text or null')
    },
    texts: (name) => {
      const value = row[name] ?? []
      const isTexts =
        Array.isArray(value) && value.every((item: unknown) => typeof item === 'string')
      return isTexts ? value : wrong(name, 'a list of names')
    },
    truth: (name) => {
      const value = row[name] ?? null
      return value === null || typeof value === 'boolean' ? value : wrong(name, 'true or false')
    },
    oneOf: (name, choices, otherwise) => {
      const value = row[name] ?? otherwise
      return choices.find((choice) => choice === value) ?? wrong(name, choices.join(' or '))
    },
    missing: (name) => {
      throw invalid(`case ${id} has no ${name}`)
    },
    refuseUnknown: () => {
      const unknown = Object.keys(row).find((key) => !FIELDS.some((known) => known === key))
      if (unknown === undefined) return
      const near = nearest(unknown, FIELDS)
      const hint = near === null ? `a case has ${FIELDS.join(', ')}` : `did you mean ${near}?`
      throw invalid(`case ${id}: ${unknown} is not a field of a case; ${hint}`)
    },
  }
}

const invalid = (message: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `the data set cannot be used: ${message}`)
