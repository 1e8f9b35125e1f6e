import type { JsonObject } from '../value/json.ts'

export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

/** One line of a log: what happened at a decision, and what was decided by. */
export interface LogRecord {
  readonly level: LogLevel
  /** What happened, by a name that stays the same: `model.end`, `tool.end`, `permission`. */
  readonly event: string
  /** For people: short, and the same for all of its kind. */
  readonly message: string
  /** Numbers and names, redacted; what anybody said is in it only where it was asked for. */
  readonly data: JsonObject
}

/**
 * Port: where structured records go.
 * Contract: `write` neither waits nor throws; what it throws all the same is nobody's to hear.
 */
export interface Log {
  write(record: LogRecord): void
}

/** Writes, whatever the log makes of it: a log that breaks is no reason for work to break. */
export function writeTo(log: Log, record: LogRecord): void {
  try {
    log.write(record)
  } catch {
    // Nobody is left to tell: this is where it would be told.
  }
}

/** Names of fields whose texts are names themselves, and nobody's words. */
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

/** Names of fields that hold a model where they hold a fact. */
const MODELS: ReadonlySet<string> = new Set(['from', 'to'])
const MODEL = /^[\w.-]{1,64}\/[\w./:-]{1,96}$/

/** As identifiers are written: a sentence has blanks, and an address an at sign. */
const NAME = /^[\w.:/#+-]{1,128}$/

/** What tools are called with and give: whatever is called a fact in it is somebody's word. */
const SAID: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'input',
  'output',
  'result',
  'value',
])

/** A name that a model may have made up: as it is where it is written as one. */
export const nameIn = (name: string): string => (NAME.test(name) ? name : '(no name)')

/**
 * Data without anybody's words: numbers, truth values, and texts that are names under the name of a
 * fact. Whether a text is somebody's word nobody can tell by looking at it.
 */
export function factsOf(data: JsonObject): JsonObject {
  const facts: Record<string, JsonObject[string]> = {}
  for (const [name, value] of Object.entries(data)) {
    // A field may be called as somebody is.
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
