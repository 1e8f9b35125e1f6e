import type { Note } from './agent.ts'
import type { Amounts } from './budget.ts'
import type { Effect } from './effect.ts'
import type { Json, JsonObject } from '../value/json.ts'
import type { Observation } from './observation.ts'
import type { Problem } from '../model/problem.ts'
import type { ThrownError } from '../value/thrown-error.ts'
import type { ToolCall, ToolOutcome } from '../tool/tool-call.ts'

/** Where in the run an event belongs. */
interface Place {
  readonly path: string
  readonly seq: number
}

/**
 * What a run tells whoever watches it, in order. Names are noun and verb; an event object exists
 * only while somebody listens. All but those that speak to the user are redacted.
 */
export type RunEvent =
  | { readonly type: 'run-start'; readonly runId: string; readonly agent: string }
  | (Place & {
      readonly type: 'step-start'
      readonly effect: Effect['type']
      readonly actor: string
      /** The role's model for `generate`, the tools' names for `call-tools`. */
      readonly targets: readonly string[]
      /** Of `generate`: the role that is asked, and a name that the same prompt has in every run. */
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
   * The object so far, of an answer that is to be JSON: as the model writes it, checked against no
   * schema. After `text-drop` it begins anew.
   */
  | (Place & { readonly type: 'output-partial'; readonly partial: JsonObject })
  /** The answer broke off after visible text: what was shown of this step is void. */
  | (Place & { readonly type: 'text-drop' })
  | (Place & { readonly type: 'retry-wait'; readonly problem: Problem; readonly waitMs: number })
  | (Place & { readonly type: 'model-warning'; readonly message: string })
  | (Place & { readonly type: 'tool-start'; readonly call: ToolCall })
  | (Place & {
      readonly type: 'tool-end'
      readonly call: ToolCall
      readonly outcome: ToolOutcome
      /** What the tool threw, with its stack and causes; the model is told the message alone. */
      readonly error?: ThrownError
    })
  | (Place & { readonly type: 'tool-progress'; readonly call: string; readonly data: Json })
  /** `about` is a `RequestAbout` as JSON; `isApproval` tells which. */
  | (Place & { readonly type: 'request-open'; readonly request: string; readonly about: Json })
  /** The reply; `null` when nobody gave one before the request ended or the run was canceled. */
  | (Place & { readonly type: 'request-close'; readonly request: string; readonly reply: Json })
  | (Place & { readonly type: 'said'; readonly text: string })
  /** From the next model call on the role is played by another model. */
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
  /** Stored states met other code than they were stored by. */
  | {
      readonly type: 'schema-changed'
      /** Whether they were stored before states had versions; a migration alone is no upgrade. */
      readonly isUpgrade: boolean
      /** Sorted keys of the states; the same as `now` when only versions were raised. */
      readonly before: string | null
      readonly now: string
      /** States that were brought to a newer version. */
      readonly migrated: readonly {
        readonly key: string
        readonly from: number
        readonly to: number
      }[]
    }
  | {
      readonly type: 'log'
      readonly level: 'info' | 'warning' | 'error'
      /** In the runtime's words. */
      readonly message: string
      /** In the words of what failed. */
      readonly detail?: string
    }
  /** The last one of a run that lets go of its process: it goes on when it is resumed. */
  | {
      readonly type: 'run-suspended'
      /** What it waits for an answer to. */
      readonly requests: readonly string[]
      /** When it goes on without one, in milliseconds since the epoch; `null` where it does not. */
      readonly wakeAt: number | null
    }
  | {
      readonly type: 'run-end'
      readonly status: 'finished' | 'canceled'
      readonly reason: string
      readonly spent: Amounts
    }

/** Somebody who watches runs. */
export interface Listener {
  /** Hears events, redacted, and the id of the run that they are of. Must not throw. */
  readonly hear: (event: RunEvent, runId: string) => void
  /** Which events; default all. What nobody hears costs nothing. */
  readonly only?: ReadonlySet<RunEvent['type']>
}

/**
 * Events whose text is meant for the user, who may see what they themselves wrote. Nothing of it is
 * hidden; whoever hands it on to others redacts it.
 */
export const SPOKEN: ReadonlySet<RunEvent['type']> = new Set([
  'text-delta',
  'output-partial',
  'said',
  'request-open',
])
