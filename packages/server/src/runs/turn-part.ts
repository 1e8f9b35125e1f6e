import type { ApprovalRequest } from 'echelon'
import type { Json, JsonObject } from 'echelon/runtime'
import type { ToolOutcome } from 'echelon/internal/tool'
import type { TurnEnd } from '../agents/served-agent.ts'

/**
 * A part of a turn as a client sees it, independent of the protocol. Each protocol maps these with one table.
 *
 * Blocks are balanced: a `text-start` has one `text-end`, a `tool-call` at most one `tool-result`. Ids are
 * unique within the run. `depth` is 0 for the agent itself and more for its sub-agents.
 */
export type TurnPart =
  | { readonly type: 'start'; readonly run: string; readonly agent: string }
  | {
      readonly type: 'step-start'
      readonly step: string
      readonly depth: number
      /** The kind of effect: a model call, tool calls, a question, … */
      readonly effect: string
      /** The actor of the step: planner, executor, verifier, … */
      readonly actor: string
      /** The model, or the tools. */
      readonly targets: readonly string[]
    }
  | { readonly type: 'step-end'; readonly step: string; readonly depth: number }
  | { readonly type: 'text-start'; readonly id: string }
  | { readonly type: 'text-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'text-end'; readonly id: string }
  /** The text of a block does not hold: a client takes it back. It comes after the block's `text-end`. */
  | { readonly type: 'text-drop'; readonly id: string }
  /** The model's reasoning before an answer, if its provider returns it. It comes with the answer. */
  | { readonly type: 'reasoning'; readonly id: string; readonly text: string }
  /** A partial object of an answer by a schema. */
  | { readonly type: 'partial'; readonly partial: JsonObject }
  | {
      readonly type: 'tool-call'
      readonly id: string
      readonly tool: string
      readonly input: Json
      readonly depth: number
      /** Whether the client executes it. */
      readonly byClient: boolean
      /** Set if it waits for an approval, which is the next part. */
      readonly isHeld?: true
    }
  | { readonly type: 'tool-progress'; readonly id: string; readonly data: Json }
  | {
      readonly type: 'tool-result'
      readonly id: string
      readonly tool: string
      readonly outcome: ToolOutcome
    }
  /** A tool call waits for a person. The answer is one of the choices. */
  | {
      readonly type: 'approval'
      readonly request: string
      /** The tool call, which came before. */
      readonly call: string
      readonly about: ApprovalRequest
    }
  /** The agent asks the user. */
  | {
      readonly type: 'question'
      readonly request: string
      readonly question: string
      /** JSON Schema of the reply; `null` for any. */
      readonly schema: JsonObject | null
    }
  /** The run waits until the client executes the calls that it was given. */
  | {
      readonly type: 'client-turn'
      readonly request: string
      readonly calls: readonly string[]
      /** The place of each of these calls among those of its step, as `LiveRun.giveResults` wants it. */
      readonly places: readonly number[]
      /** The place of the call whose result the request takes. */
      readonly place: number
    }
  | { readonly type: 'answered'; readonly request: string; readonly reply: Json }
  /** A decision of the agent: the gate's, a promotion, a stage. */
  | { readonly type: 'note'; readonly id: string; readonly stage: string; readonly data: Json }
  | { readonly type: 'model'; readonly role: string; readonly model: string }
  | { readonly type: 'warning'; readonly message: string }
  /** The run left this process while it waits. */
  | { readonly type: 'suspended'; readonly requests: readonly string[] }
  | { readonly type: 'end'; readonly end: TurnEnd }
