import type { Json } from './json.ts'
import type { ToolCall } from './tool-call.ts'

/** What is to be allowed. */
export type PermitRequest =
  /** A whole turn: may this caller use this agent? */
  | { readonly type: 'turn'; readonly agent: string }
  /** A tool before it is offered to the model: one that is denied here, the model never sees. */
  | { readonly type: 'offer'; readonly tool: string }
  | { readonly type: 'call'; readonly call: ToolCall }

/** The answer to a request. Only a call can be asked about: elsewhere `ask` allows. */
export type Verdict =
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly reason: string }
  | {
      readonly type: 'ask'
      /** Told to whoever is asked. */
      readonly why: string
      /** Set where the tool itself wants it (`needsApproval`): a rule that allows the call is enough. */
      readonly by?: 'tool'
      /** Hears an answer that is to hold from now on. Without it `always` is not to be chosen. */
      readonly remember?: (choice: 'always' | 'never') => void
    }

/** What can be answered to a request for approval. */
export const APPROVALS = ['once', 'always', 'never'] as const
export type Approval = (typeof APPROVALS)[number]

/** What a request for approval is about, as whoever is asked sees it. */
export interface ApprovalRequest {
  readonly type: 'approval'
  readonly tool: string
  readonly call: string
  readonly input: Json
  readonly why: string
  readonly choices: readonly Approval[]
  /** SHA-256 of the tool and its input: the answer holds for this call and no other. */
  readonly hash: string
}
