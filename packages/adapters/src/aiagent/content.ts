import type { Json, JsonObject } from 'echelon/runtime'

export interface TextContent {
  readonly type: 'text'
  readonly text: string
}

export interface TextReasoningContent {
  readonly type: 'reasoning'
  readonly text: string
}

/** A file in base64. */
export interface DataContent {
  readonly type: 'data'
  readonly data: string
  readonly mediaType: string
  readonly name?: string
}

/** A file by URI. */
export interface UriContent {
  readonly type: 'uri'
  readonly uri: string
  readonly mediaType: string
}

export interface FunctionCallContent {
  readonly type: 'functionCall'
  readonly callId: string
  readonly name: string
  readonly arguments: Json
}

export interface FunctionResultContent {
  readonly type: 'functionResult'
  readonly callId: string
  readonly name: string
  readonly result: Json
  /** The error message; absent on success. */
  readonly exception?: string
}

/** A tool call that waits for approval. */
export interface ToolApprovalRequestContent {
  readonly type: 'toolApprovalRequest'
  readonly requestId: string
  readonly toolCall: FunctionCallContent
  /** The reason for asking. */
  readonly reason: string
  /** Whether the answer, yes or no, can be made permanent: `always` in the response. */
  readonly mayRemember: boolean
}

/** Sent in a message to the next run of the same session. */
export interface ToolApprovalResponseContent {
  readonly type: 'toolApprovalResponse'
  readonly requestId: string
  readonly approved: boolean
  /**
   * Applies the answer to this tool for the rest of the conversation. Default false: to this call only.
   */
  readonly always?: boolean
}

/** A question of the agent or of one of its tools. */
export interface UserInputRequestContent {
  readonly type: 'userInputRequest'
  readonly requestId: string
  readonly question: string
  /** JSON Schema of the response; `null` if any value will do. */
  readonly schema: JsonObject | null
}

export interface UserInputResponseContent {
  readonly type: 'userInputResponse'
  readonly requestId: string
  readonly response: Json
}

/** Why a run ended without an answer. */
export interface ErrorContent {
  readonly type: 'error'
  readonly message: string
  readonly errorCode: string
}

export interface UsageDetails {
  readonly inputTokenCount: number
  readonly outputTokenCount: number
  readonly totalTokenCount: number
}

export interface UsageContent {
  readonly type: 'usage'
  readonly details: UsageDetails
}

export type AIContent =
  | TextContent
  | TextReasoningContent
  | DataContent
  | UriContent
  | FunctionCallContent
  | FunctionResultContent
  | ToolApprovalRequestContent
  | ToolApprovalResponseContent
  | UserInputRequestContent
  | UserInputResponseContent
  | ErrorContent
  | UsageContent

export type ChatRole = 'system' | 'user' | 'assistant' | 'tool'

export interface ChatMessage {
  readonly role: ChatRole
  readonly contents: readonly AIContent[]
  readonly authorName?: string
  readonly messageId?: string
}

/** Input of a run: a string is a user message. */
export type RunInput = string | ChatMessage | readonly ChatMessage[]

/** The text of all contents, joined. */
export const textOfContents = (contents: readonly AIContent[]): string =>
  contents.map((content) => (content.type === 'text' ? content.text : '')).join('')

/**
 * The response to a request for approval: `{ role: 'user', contents: [approvalResponse(request, true)]
 * }`.
 */
export const approvalResponse = (
  { requestId }: ToolApprovalRequestContent,
  approved: boolean,
  { always = false }: { readonly always?: boolean } = {},
): ToolApprovalResponseContent => ({ type: 'toolApprovalResponse', requestId, approved, always })
