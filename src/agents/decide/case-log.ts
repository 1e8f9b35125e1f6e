import type { RunEvent } from '../../core/event.ts'
import type { JsonObject } from '../../core/json.ts'
import { type LogEntry, type LogFields, STEP_TYPES, type StepType } from './log.ts'
import { timestampIn } from './timestamp.ts'

type NoteEvent = Extract<RunEvent, { type: 'note' }>

/** The log of one case, made of the notes that its run emits, which are redacted by then. */
export class CaseLog {
  readonly entries: LogEntry[] = []
  readonly #ids: { readonly runId: string; readonly taskId: string }
  readonly #timeZone: string
  readonly #sink: ((entry: LogEntry) => void) | undefined
  #plan: string | null = null

  /** @param sink hears each entry as it is made; must not throw */
  constructor(
    ids: { readonly runId: string; readonly taskId: string },
    timeZone: string,
    sink?: (entry: LogEntry) => void,
  ) {
    this.#ids = ids
    this.#timeZone = timeZone
    this.#sink = sink
  }

  hear(event: RunEvent): void {
    if (event.type !== 'note' || !isStepType(event.note.stage)) return
    const entry = this.#toEntry(event, event.note.stage)
    this.entries.push(entry)
    this.#sink?.(entry)
  }

  /** What follows a plan belongs to it. */
  #toEntry({ id, at, note }: NoteEvent, stepType: StepType): LogEntry {
    const { tier, rung, ...fields } = note.data
    const parent = stepType === 'H_plan' ? null : this.#plan
    if (stepType === 'H_plan') this.#plan = id
    return {
      kind: 'log',
      ts: timestampIn(this.#timeZone, at),
      run_id: this.#ids.runId,
      task_id: this.#ids.taskId,
      step_id: id,
      parent_step_id: parent,
      tier: tier === 'small' ? 'small' : 'big',
      step_type: stepType,
      rung: typeof rung === 'string' ? rung : '',
      ...readFields(fields),
    }
  }
}

const isStepType = (stage: string): stage is StepType => STEP_TYPES.some((type) => type === stage)

// A note's data was made by `logNote` of these very fields; on the way it was only redacted.
function readFields(data: JsonObject): LogFields
function readFields(data: object): object {
  return data
}
