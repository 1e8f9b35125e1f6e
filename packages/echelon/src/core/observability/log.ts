import type { JsonObject } from '../value/json.ts'

export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

/** A structured log record: what happened, and the facts behind a decision. */
export interface LogRecord {
  readonly level: LogLevel
  /** Stable name of what happened: `model.end`, `tool.end`, `permission`. */
  readonly event: string
  /** Short message for people, the same for all records of its kind. */
  readonly message: string
  /** Numbers and names, redacted. User and model text is included only if the log asks for it. */
  readonly data: JsonObject
}

/**
 * Port: receives structured log records.
 * Contract: `write` is synchronous and must not throw; errors are ignored.
 */
export interface Log {
  write(record: LogRecord): void
}

/** Writes a record and ignores errors: a broken log must not stop the work. */
export function writeTo(log: Log, record: LogRecord): void {
  try {
    log.write(record)
  } catch {
    // The log itself failed, so the error cannot be reported.
  }
}

/** Names of fields whose values are identifiers, not text of a user or model. */
const FACTS: ReadonlySet<string> = new Set([
  'actor',
  'agent',
  'asked',
  'call',
  'caller',
  'calls',
  'code',
  'decision',
  'effect',
  'error_code',
  'event',
  'finish',
  'holds',
  'kind',
  'limit',
  'middleware',
  'mode',
  'model',
  'outcome',
  'path',
  'prompt',
  'prompt_id',
  'provider',
  'reason',
  'request',
  'role',
  'rule',
  'run',
  'rung',
  'rung_model',
  'session',
  'stage',
  'status',
  'step_type',
  'targets',
  'tier',
  'tool',
  'variant',
  'verdict',
  'what',
  'would',
])

/** Names of fields whose values are facts only if they name a model. */
const MODELS: ReadonlySet<string> = new Set(['from', 'to'])
const MODEL = /^[\w.-]{1,64}\/[\w./:-]{1,96}$/

/** The form of identifiers; it excludes sentences (blanks) and email addresses (@). */
const NAME = /^[\w.:/#+-]{1,128}$/

/** Fields with the input and output of tools, of which no text counts as a fact. */
const SAID: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'input',
  'output',
  'result',
  'value',
])

/** Returns a name that a model may have made up, if it has the form of an identifier. */
export const nameIn = (name: string): string => (NAME.test(name) ? name : '(no name)')

/**
 * Removes user and model text from data. It keeps numbers, booleans, and identifiers in fields that
 * are known to hold facts: the text alone does not show whether a user or a model wrote it.
 */
export function factsOf(data: JsonObject): JsonObject {
  const facts: Record<string, JsonObject[string]> = {}
  for (const [name, value] of Object.entries(data)) {
    // The name of a field may itself be a person's name.
    const fact = NAME.test(name) ? factOf(name, value) : undefined
    if (fact !== undefined) facts[name] = fact
  }
  return facts
}

function factOf(name: string, value: JsonObject[string]): JsonObject[string] | undefined {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'string') {
    const isFact = MODELS.has(name) ? MODEL.test(value) : FACTS.has(name) && NAME.test(value)
    return isFact ? value : undefined
  }
  if (SAID.has(name)) return undefined
  if (isList(value)) return value.flatMap((item) => factOf(name, item) ?? [])
  const facts = factsOf(value)
  return Object.keys(facts).length === 0 ? undefined : facts
}

const isList = (value: JsonObject[string]): value is readonly JsonObject[string][] =>
  Array.isArray(value)
