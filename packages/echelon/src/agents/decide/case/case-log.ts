import type { RunEvent } from '../../../core/agent/event.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../core/value/json.ts'
import {
  errorCode,
  type LogEntry,
  type LogFields,
  STEP_TYPES,
  type StepType,
  cut,
  trimEdge,
} from './log.ts'
import { timestampIn } from '../../../core/value/timestamp.ts'

type NoteEvent = Extract<RunEvent, { type: 'note' }>
type StepEvent = Extract<RunEvent, { type: 'step-start' }>
type WarningEvent = Extract<RunEvent, { type: 'model-warning' }>
type RetryEvent = Extract<RunEvent, { type: 'retry-wait' }>

/** The run events that the log is built from. */
export const LOGGED_EVENTS: ReadonlySet<RunEvent['type']> = new Set([
  'step-start',
  'retry-wait',
  'model-warning',
  'note',
])

interface LogOptions {
  readonly runId: string
  readonly taskId: string
  /** IANA name. */
  readonly timeZone: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** On every entry: facts about the run as a whole. */
  readonly metadata?: JsonObject
  /** Receives each entry as it is made. Must not throw. */
  readonly sink?: ((entry: LogEntry) => void) | undefined
}

/** The stage, tier and parent of an entry. */
interface Place {
  readonly stepType: StepType
  readonly parent: string | null
  /** Metadata of this step, added to that of the run. */
  readonly facts?: JsonObject
}

/**
 * The log of one case, built from run events: the agent's notes, plus retries by the runtime and warnings of
 * models, which the agent does not see. All of it is already redacted.
 */
export class CaseLog {
  readonly entries: LogEntry[] = []
  readonly #options: LogOptions
  readonly #began: string
  /** The current plan, parent of the entries that follow it. */
  #plan: string | null = null
  #retries = 0
  /** The model being asked. */
  #model: string | undefined
  readonly #warnings = new Set<string>()
  #step: StepType = 'H_plan'
  /** The prompt that was sent last. */
  #prompt: string | undefined
  #where: Pick<LogEntry, 'tier' | 'rung'> = placeOf('small')

  constructor(options: LogOptions) {
    this.#options = options
    this.#began = timestampIn(options.timeZone, options.now())
  }

  /** When the last entry was made, or when the case began. */
  get lastTimestamp(): string {
    return this.entries.at(-1)?.ts ?? this.#began
  }

  hear(event: RunEvent): void {
    if (event.type === 'step-start') this.#begin(event)
    else if (event.type === 'retry-wait') this.#add(this.#retry(event))
    else if (event.type === 'model-warning') this.#warn(event)
    else if (event.type === 'note' && isStepType(event.note.stage)) {
      this.#add(this.#noted(event, event.note.stage))
    }
  }

  /** The rung that gives up reports the promotion; later entries belong to the next rung. */
  #begin({ effect, actor, role, prompt, targets }: StepEvent): void {
    this.#step = stepOf(effect, actor)
    if (effect === 'generate') this.#model = targets[0]
    if (role !== undefined) this.#where = placeOf(role)
    this.#prompt = prompt ?? this.#prompt
  }

  #add(entry: LogEntry): void {
    this.entries.push(entry)
    this.#options.sink?.(entry)
  }

  #noted({ id, at, note }: NoteEvent, stepType: StepType): LogEntry {
    const { tier: _, rung, metadata, ...fields } = note.data
    this.#where = placeOf(typeof rung === 'string' ? rung : '')
    const parent = stepType === 'H_plan' ? null : this.#plan
    if (stepType === 'H_plan') this.#plan = id
    const facts = isJsonObject(metadata) ? metadata : {}
    const entry = this.#entry(id, at, { stepType, parent, facts })
    return { ...entry, ...cutFields(readFields(fields)) }
  }

  #retry({ seq, problem, waitMs }: RetryEvent): LogEntry {
    const id = `${this.#options.runId}:${seq}.retry${++this.#retries}`
    const entry = this.#entry(id, this.#options.now(), {
      stepType: this.#step,
      parent: this.#plan,
    })
    return {
      ...entry,
      event: 'retry',
      error_code: errorCode(problem),
      output_summary: cut(problem.message, SUMMARY),
      details: { attempts: problem.attempts, wait_ms: Math.round(waitMs) },
    }
  }

  /** Models warn on every call; log a warning once. */
  #warn({ seq, message }: WarningEvent): void {
    const warning = JSON.stringify([this.#model, message])
    if (this.#warnings.has(warning)) return
    this.#warnings.add(warning)
    const id = `${this.#options.runId}:${seq}.warning${this.#warnings.size}`
    const entry = this.#entry(id, this.#options.now(), {
      stepType: this.#step,
      parent: this.#plan,
    })
    this.#add({
      ...entry,
      event: 'model_warning',
      ...(this.#model === undefined ? {} : { model: this.#model }),
      output_summary: cut(message, SUMMARY),
    })
  }

  #entry(id: string, at: number, { stepType, parent, facts = {} }: Place): LogEntry {
    const { runId, taskId, timeZone } = this.#options
    const metadata = { ...this.#options.metadata, ...facts }
    return {
      kind: 'log',
      ts: timestampIn(timeZone, at),
      run_id: runId,
      task_id: taskId,
      step_id: id,
      parent_step_id: parent,
      step_type: stepType,
      ...(stepType === 'H_plan' && this.#prompt !== undefined ? { prompt_id: this.#prompt } : {}),
      ...this.#where,
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    }
  }
}

/** The first rung is small, all others are big. */
const placeOf = (rung: string): Pick<LogEntry, 'tier' | 'rung'> => ({
  tier: rung === 'small' ? 'small' : 'big',
  rung,
})

function stepOf(effect: string, actor: string): StepType {
  if (effect === 'generate') return 'H_plan'
  // Only a verifier of answers asks for several things at once.
  if (effect === 'together') return 'verify'
  return actor === 'verifier' ? 'verify' : 'L_exec'
}

const isStepType = (stage: string): stage is StepType => STEP_TYPES.some((type) => type === stage)

const SUMMARY = 300
const COMPLETION = 200

/** Cut only after redaction: a truncated secret no longer matches the redactor's patterns. */
function cutFields(fields: LogFields): LogFields {
  const { output_summary: summary, details } = fields
  return {
    ...fields,
    ...(summary === undefined ? {} : { output_summary: cut(trimEdge(summary), SUMMARY) }),
    ...(details === undefined ? {} : { details: cutDetails(details) }),
  }
}

const cutDetails = (details: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      name === 'completion_text' && typeof value === 'string'
        ? trimEdge(value).slice(0, COMPLETION)
        : trimEdges(value),
    ]),
  )

function trimEdges(value: Json): Json {
  if (typeof value === 'string') return trimEdge(value)
  if (isJsonArray(value)) return value.map(trimEdges)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, trimEdges(inner)]))
}

// `logNote` made the note's data from these fields; since then it was only redacted.
function readFields(data: JsonObject): LogFields
function readFields(data: object): object {
  return data
}
