import type { Note } from './agent.ts'
import type { Amounts } from './budget.ts'
import type { Effect } from './effect.ts'
import type { Json, JsonObject } from '../value/json.ts'
import type { Observation } from './observation.ts'
import type { Problem } from '../model/problem.ts'
import type { ThrownError } from '../value/thrown-error.ts'
import type { ToolCall, ToolOutcome } from '../tool/tool-call.ts'

/** The branch and step that an event belongs to. */
interface Place {
  readonly path: string
  readonly seq: number
}

/**
 * An event of a run. Events come in order, and are created only while a listener wants them. All
 * are redacted except those with text for the user (`SPOKEN`).
 */
export type RunEvent =
  | { readonly type: 'run-start'; readonly runId: string; readonly agent: string }
  | (Place & {
      readonly type: 'step-start'
      readonly effect: Effect['type']
      readonly actor: string
      /** The role's model for `generate`, the tools' names for `call-tools`. */
      readonly targets: readonly string[]
      /** For `generate`: the role, and an id that the same prompt has in every run. */
      readonly role?: string
      readonly prompt?: string
    })
  | (Place & { readonly type: 'step-end'; readonly seen: Observation })
  | (Place & {
      readonly type: 'note'
      readonly id: string
      readonly at: number
      readonly note: Note
    })
  | (Place & { readonly type: 'text-delta'; readonly delta: string })
  /**
   * The partial object of a JSON answer while the model writes it, not validated against the
   * schema. It starts over after `text-drop`.
   */
  | (Place & { readonly type: 'output-partial'; readonly partial: JsonObject })
  /** The answer broke off after visible text: discard the text shown for this step. */
  | (Place & { readonly type: 'text-drop' })
  | (Place & { readonly type: 'retry-wait'; readonly problem: Problem; readonly waitMs: number })
  | (Place & { readonly type: 'model-warning'; readonly message: string })
  | (Place & { readonly type: 'tool-start'; readonly call: ToolCall })
  | (Place & {
      readonly type: 'tool-end'
      readonly call: ToolCall
      readonly outcome: ToolOutcome
      /** The error that the tool threw, with stack and causes; the model sees only its message. */
      readonly error?: ThrownError
    })
  | (Place & { readonly type: 'tool-progress'; readonly call: string; readonly data: Json })
  /** `about` is a `RequestAbout` as JSON; `isApproval` tells the two kinds apart. */
  | (Place & { readonly type: 'request-open'; readonly request: string; readonly about: Json })
  /** `reply` is `null` when the request expired or the run was canceled before a reply came. */
  | (Place & { readonly type: 'request-close'; readonly request: string; readonly reply: Json })
  | (Place & { readonly type: 'said'; readonly text: string })
  /** The role uses another model from its next call on. */
  | {
      readonly type: 'model-switch'
      readonly path: string
      readonly role: string
      readonly model: string
    }
  | {
      readonly type: 'middleware'
      readonly middleware: string
      readonly event: string
      readonly data: Json
    }
  /** Stored states were loaded by code whose state schemas differ. */
  | {
      readonly type: 'schema-changed'
      /** Whether they were stored before states had versions. A migration alone is not an upgrade. */
      readonly isUpgrade: boolean
      /** Sorted keys of the states; equal to `now` when only versions were raised. */
      readonly before: string | null
      readonly now: string
      /** States that were migrated to a newer version. */
      readonly migrated: readonly {
        readonly key: string
        readonly from: number
        readonly to: number
      }[]
    }
  | {
      readonly type: 'log'
      readonly level: 'info' | 'warning' | 'error'
      /** The runtime's own message. */
      readonly message: string
      /** The message of the failed component. */
      readonly detail?: string
    }
  /** The last event of a run that is suspended. It continues when it is resumed. */
  | {
      readonly type: 'run-suspended'
      /** Ids of the requests that it waits for. */
      readonly requests: readonly string[]
      /** When it continues without a reply, in milliseconds since the epoch; `null` for never. */
      readonly wakeAt: number | null
    }
  | {
      readonly type: 'run-end'
      readonly status: 'finished' | 'canceled'
      readonly reason: string
      readonly spent: Amounts
    }

/** Receives events of runs. */
export interface Listener {
  /** Called with each redacted event and the id of its run. Must not throw. */
  readonly hear: (event: RunEvent, runId: string) => void
  /** The event types to receive; default all. Events without a listener cost nothing. */
  readonly only?: ReadonlySet<RunEvent['type']>
}

/**
 * Events whose text is for the user, who may see what they wrote themselves. These events are not
 * redacted. Redact them before you pass them on to others.
 */
export const SPOKEN: ReadonlySet<RunEvent['type']> = new Set([
  'text-delta',
  'output-partial',
  'said',
  'request-open',
])
