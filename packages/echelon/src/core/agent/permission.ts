import { isRecord, type Json, type JsonObject } from '../value/json.ts'
import type { ToolCall } from '../tool/tool-call.ts'

/** What is to be allowed. */
export type PermitRequest =
  /** A whole turn: may this caller use this agent? */
  | { readonly type: 'turn'; readonly agent: string }
  /** A tool before it is offered to the model: one that is denied here, the model never sees. */
  | { readonly type: 'offer'; readonly tool: string }
  | {
      readonly type: 'call'
      readonly call: ToolCall
      /** Set where the agent asks before it makes the call (`Permit`). */
      readonly ahead?: true
    }

/** The answer to a request. Only a call can be asked about: elsewhere `ask` allows. */
export type Verdict =
  | {
      readonly type: 'allow'
      /** Told to an agent that asks ahead; nothing else reads it. */
      readonly details?: Json
    }
  | {
      readonly type: 'deny'
      readonly reason: string
      /** Which rule says so, for whoever counts; nobody else goes by it. */
      readonly rule?: string
      /** Told to an agent that asks ahead; nothing else reads it. */
      readonly details?: Json
    }
  | {
      readonly type: 'ask'
      /** Told to whoever is asked. */
      readonly why: string
      /** Set where the tool itself wants it (`needsApproval`): a rule that allows the call is enough. */
      readonly by?: 'tool'
      /** Which rule says so, for whoever counts; nobody else goes by it. */
      readonly rule?: string
      /** For what no answer may settle for good: it is asked each time. */
      readonly eachTime?: true
      /** Hears an answer that is to hold from now on. Without it an answer holds for this call. */
      readonly remember?: (choice: 'always' | 'never') => void
      /** Told to an agent that asks ahead; nothing else reads it. */
      readonly details?: Json
    }

/** A verdict as plain data, as an agent that asks ahead is told it. */
export type ToldVerdict =
  | Exclude<Verdict, { readonly type: 'ask' }>
  | Omit<Extract<Verdict, { readonly type: 'ask' }>, 'remember'>

/**
 * What can be answered to a request for approval: yes to this call (`once`) or from now on (`always`),
 * no to this call (`deny`) or from now on (`never`).
 */
export const APPROVALS = ['once', 'always', 'deny', 'never'] as const
export type Approval = (typeof APPROVALS)[number]

/** What a request for approval is about, as whoever is asked sees it. */
export interface ApprovalRequest {
  readonly type: 'approval'
  readonly tool: string
  readonly call: string
  readonly input: Json
  readonly why: string
  readonly choices: readonly Approval[]
  /**
   * SHA-256 of the call, of the rule that asks and its reason, and of what the tool says of itself: the
   * answer holds for this call and no other.
   */
  readonly hash: string
}

/** What a request is about: a call that waits to be approved, or a question of the agent's. */
export type RequestAbout = ApprovalRequest | QuestionRequest

/** What a question is about, as whoever is asked sees it. */
export interface QuestionRequest {
  readonly question: string
  /** Of the reply, as JSON Schema; `null` where any will do. */
  readonly schema: JsonObject | null
}

/**
 * Tells the two apart: `about` of a `request-open` event is an `ApprovalRequest`, or else a
 * `QuestionRequest`.
 */
export const isApproval = (about: unknown): about is ApprovalRequest =>
  isRecord(about) && about['type'] === 'approval'
