import type { RunEvent } from '../../core/event.ts'
import type { JsonObject } from '../../core/json.ts'
import { errorCode, type LogEntry, type LogFields, STEP_TYPES, type StepType, cut } from './log.ts'
import { timestampIn } from './timestamp.ts'

type NoteEvent = Extract<RunEvent, { type: 'note' }>
type RetryEvent = Extract<RunEvent, { type: 'retry-wait' }>

/** What a log is made of. */
export const LOGGED_EVENTS: ReadonlySet<RunEvent['type']> = new Set([
  'step-start',
  'retry-wait',
  'note',
])

interface LogOptions {
  readonly runId: string
  readonly taskId: string
  /** IANA name. */
  readonly timeZone: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Hears each entry as it is made. Must not throw. */
  readonly sink?: ((entry: LogEntry) => void) | undefined
}

/**
 * The log of one case, made of what its run tells: the agent's notes, and the runtime's retries,
 * which the agent does not see. All of it is redacted by then.
 */
export class CaseLog {
  readonly entries: LogEntry[] = []
  readonly #options: LogOptions
  readonly #began: string
  /** What follows a plan belongs to it. */
  #plan: string | null = null
  #retries = 0
  #step: StepType = 'H_plan'
  #where: Pick<LogEntry, 'tier' | 'rung'> = { tier: 'small', rung: 'small' }

  constructor(options: LogOptions) {
    this.#options = options
    this.#began = timestampIn(options.timeZone, options.now())
  }

  /** When the last entry was made, or when the case began. */
  get lastTimestamp(): string {
    return this.entries.at(-1)?.ts ?? this.#began
  }

  hear(event: RunEvent): void {
    if (event.type === 'step-start') this.#step = stepOf(event.effect, event.actor)
    else if (event.type === 'retry-wait') this.#add(this.#retry(event))
    else if (event.type === 'note' && isStepType(event.note.stage)) {
      this.#add(this.#noted(event, event.note.stage))
    }
  }

  #add(entry: LogEntry): void {
    this.entries.push(entry)
    this.#options.sink?.(entry)
  }

  #noted({ id, at, note }: NoteEvent, stepType: StepType): LogEntry {
    const { tier, rung, ...fields } = note.data
    this.#where = {
      tier: tier === 'small' ? 'small' : 'big',
      rung: typeof rung === 'string' ? rung : '',
    }
    const parent = stepType === 'H_plan' ? null : this.#plan
    if (stepType === 'H_plan') this.#plan = id
    // A promotion is told by the rung that gives up; what follows is the next one's.
    const entry = this.#entry(id, at, { stepType, parent })
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

  #entry(
    id: string,
    at: number,
    { stepType, parent }: { readonly stepType: StepType; readonly parent: string | null },
  ): LogEntry {
    const { runId, taskId, timeZone } = this.#options
    return {
      kind: 'log',
      ts: timestampIn(timeZone, at),
      run_id: runId,
      task_id: taskId,
      step_id: id,
      parent_step_id: parent,
      step_type: stepType,
      ...this.#where,
    }
  }
}

function stepOf(effect: string, actor: string): StepType {
  if (effect === 'generate') return 'H_plan'
  return actor === 'verifier' ? 'verify' : 'L_exec'
}

const isStepType = (stage: string): stage is StepType => STEP_TYPES.some((type) => type === stage)

const SUMMARY = 300
const COMPLETION = 200

/** A secret that is cut before it is redacted looks like none: so the order is this one. */
function cutFields(fields: LogFields): LogFields {
  const { output_summary: summary, details } = fields
  const completion = details?.['completion_text']
  return {
    ...fields,
    ...(summary === undefined ? {} : { output_summary: cut(summary, SUMMARY) }),
    ...(typeof completion === 'string'
      ? { details: { ...details, completion_text: completion.slice(0, COMPLETION) } }
      : {}),
  }
}

// A note's data was made by `logNote` of these very fields; on the way it was only redacted.
function readFields(data: JsonObject): LogFields
function readFields(data: object): object {
  return data
}
