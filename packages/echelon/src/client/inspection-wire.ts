import type { Amounts } from '../core/agent/budget.ts'
import type { Effect } from '../core/agent/effect.ts'
import type { Observation } from '../core/agent/observation.ts'
import type { Json, JsonObject } from '../core/value/json.ts'

/*
 * The inside of a run as the REST API shows it, from its journal: also while it works. All of
 * it is redacted, as events are.
 */

/** An operation of a JSON patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  /** A JSON pointer, such as `/rounds/0/answer`. */
  readonly path: string
  /** The new value; absent for `remove`. */
  readonly value?: Json | undefined
}

/** Something that the agent noted in a step, such as its gate's decision or a verdict. */
export interface NoteView {
  readonly stage: string
  readonly data: JsonObject
}

/** A question to a person in a step, with the reply. */
export interface AskedView {
  readonly id: string
  readonly about: Json
  readonly asked_at: string
  /** `null` without a reply. */
  readonly reply: Json
  /** The person who answered, if known. */
  readonly replied_by: string | null
}

/** A step of a run. */
export interface StepView {
  /** The run of the tree that it belongs to; `''` is the run itself, else a child run. */
  readonly path: string
  /** Its number within its path, from 0 on; with the path `''` also the `at` of a fork. */
  readonly seq: number
  /** `heard` is user input between two steps; `null` if the definition of the agent is not known here. */
  readonly effect: Effect['type'] | 'heard' | 'canceled' | null
  readonly actor: string | null
  /** The model of a call, the names of tools or of a memory. */
  readonly targets: readonly string[]
  /** The role of a model call. */
  readonly role: string | null
  readonly opened_at: string
  /** `null` while it works or waits. */
  readonly closed_at: string | null
  /** Its observation; `null` while it works or waits. */
  readonly seen: Observation | null
  /** The worst case that was reserved for its attempts, each before it was made. */
  readonly reserved: Amounts
  /** The usage booked while it was open: counters that changed, by how much. */
  readonly spent: Amounts
  readonly notes: readonly NoteView[]
  readonly asked: readonly AskedView[]
  /** The parts of the state that it changed, without their values. */
  readonly changed: readonly Pick<PatchOperation, 'op' | 'path'>[]
}

/** The steps of a run in the order in which they ended, open ones last. */
export interface StepList {
  readonly run: string
  /** Models by role, as the run began. */
  readonly models: Readonly<Record<string, string>>
  readonly steps: readonly StepView[]
  /** The run's first step on record; more than 0 if earlier ones were deleted. */
  readonly first: number
  /** Why effects, notes and states are unknown from some step on; `null` if they are known. */
  readonly unknown: string | null
  /** Pass it as `after` to get the next page; `null` on the last one. */
  readonly next: number | null
}

export interface PageQuery {
  /** Items to skip. */
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

/** A step of the run itself with the states around it. */
export interface StepStateView {
  readonly step: StepView
  /** The state before it, from which a fork at this step begins; `null` if it is not known. */
  readonly before: Json
  /** The state after it; `null` while it is open, or if it is not known. */
  readonly after: Json
  /** From `before` to `after`, with values. */
  readonly changes: readonly PatchOperation[]
  /** Why the states are unknown; `null` if they are known. */
  readonly unknown: string | null
}

/** An entry of the journal as it is stored, redacted. */
export interface JournalEntryView {
  /** Its place, from 0 on. */
  readonly n: number
  readonly entry: JsonObject
}

export interface JournalPage {
  readonly run: string
  readonly entries: readonly JournalEntryView[]
  /** Pass it as `after` to get the next page; `null` on the last one. */
  readonly next: number | null
}

/** A call of a model: what the agent asked, and the answer. */
export interface ModelCallView {
  readonly path: string
  readonly seq: number
  /** `null` for a call of a child run, whose definition is not asked. */
  readonly role: string | null
  readonly actor: string | null
  /** The model that answered; before, the one that the role was bound to. */
  readonly model: string
  readonly closed_at: string | null
  /** The prompt as the agent gave it, without the data of files; `null` for a call of a child run. */
  readonly prompt: readonly { readonly role: string; readonly content: Json }[] | null
  /** Whether middleware changed the prompt before it was sent. */
  readonly is_filtered: boolean
  /** Names of the tools that were offered. */
  readonly tools: readonly string[]
  /** The answer, a refusal or a failure; `null` while it is not there. */
  readonly seen: Observation | null
}

export interface ModelCallList {
  readonly run: string
  readonly calls: readonly ModelCallView[]
  /** Why later calls are unknown; `null` if all are known. */
  readonly unknown: string | null
  readonly next: number | null
}

/** The usage of one role of a run. */
export interface LedgerModelView {
  readonly role: string
  /** As it is bound now; `null` for a role that only child runs have. */
  readonly model: string | null
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  /** US dollars of the calls with a known price. */
  readonly cost: number
  /** Calls of unknown price, and calls whose usage was not plausible, which count with their worst case. */
  readonly unpriced: number
  readonly assumed: number
}

/** The budget of a run. Counters are those of limits, such as `money`, `tokens` and `calls.small`. */
export interface LedgerView {
  readonly run: string
  readonly limits: Amounts
  readonly spent: Amounts
  /** Worst cases of attempts that are open now. */
  readonly reserved: Amounts
  /** Of each counter with a limit: the limit without what is spent and reserved. */
  readonly left: Amounts
  readonly models: readonly LedgerModelView[]
  /** Of `spent`: what a fork has from the run it was forked from, which was paid there. */
  readonly inherited: Amounts
}
