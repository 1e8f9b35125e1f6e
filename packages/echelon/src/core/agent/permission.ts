import { isRecord, type Json, type JsonObject } from '../value/json.ts'
import type { ToolCall } from '../tool/tool-call.ts'

/** A request to the permission rules. */
export type PermitRequest =
  /** A whole turn: whether this caller may use this agent. */
  | { readonly type: 'turn'; readonly agent: string }
  /** A tool before it is offered to the model. The model never sees a tool that is denied here. */
  | { readonly type: 'offer'; readonly tool: string }
  | {
      readonly type: 'call'
      readonly call: ToolCall
      /** Set if the agent checks the call before making it (`Permit`). */
      readonly ahead?: true
    }

/** The answer to a request. `ask` works for calls only; for other requests it means `allow`. */
export type Verdict =
  | {
      readonly type: 'allow'
      /** Told to an agent that asks ahead; nothing else reads it. */
      readonly details?: Json
    }
  | {
      readonly type: 'deny'
      readonly reason: string
      /** Name of the rule, used for statistics only. */
      readonly rule?: string
      /** Told to an agent that asks ahead; nothing else reads it. */
      readonly details?: Json
    }
  | {
      readonly type: 'ask'
      /** The reason, shown to the approver. */
      readonly why: string
      /** Set if the tool itself requires approval (`needsApproval`); a rule that allows the call waives it. */
      readonly by?: 'tool'
      /** Name of the rule, used for statistics only. */
      readonly rule?: string
      /** Asks for approval each time; no answer is remembered. */
      readonly eachTime?: true
      /** Called with an answer for all later calls. Without it, an answer is for this call only. */
      readonly remember?: (choice: 'always' | 'never') => void
      /** Told to an agent that asks ahead; nothing else reads it. */
      readonly details?: Json
    }

/** A verdict as plain data, as the agent gets it for a `Permit`. */
export type ToldVerdict =
  | Exclude<Verdict, { readonly type: 'ask' }>
  | Omit<Extract<Verdict, { readonly type: 'ask' }>, 'remember'>

/**
 * Answers to a request for approval: yes to this call (`once`) or from now on (`always`), no to
 * this call (`deny`) or from now on (`never`).
 */
export const APPROVALS = ['once', 'always', 'deny', 'never'] as const
export type Approval = (typeof APPROVALS)[number]

/** A request for approval, as the approver sees it. */
export interface ApprovalRequest {
  readonly type: 'approval'
  readonly tool: string
  readonly call: string
  readonly input: Json
  readonly why: string
  readonly choices: readonly Approval[]
  /**
   * SHA-256 of the call, the rule that asks, its reason and the tool's description. An answer with
   * this hash applies to this call only.
   */
  readonly hash: string
}

/** The content of a request: a call that needs approval, or a question of the agent. */
export type RequestAbout = ApprovalRequest | QuestionRequest

/** A question of the agent, as the user sees it. */
export interface QuestionRequest {
  readonly question: string
  /** JSON Schema of the reply; `null` allows any reply. */
  readonly schema: JsonObject | null
}

/**
 * Returns whether `about` of a `request-open` event is an `ApprovalRequest`; otherwise it is a
 * `QuestionRequest`.
 */
export const isApproval = (about: unknown): about is ApprovalRequest =>
  isRecord(about) && about['type'] === 'approval'
