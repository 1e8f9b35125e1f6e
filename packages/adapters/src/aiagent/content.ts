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

/** A file by its address. */
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
  /** What went wrong, in a sentence; nothing when nothing did. */
  readonly exception?: string
}

/** A tool call that waits to be approved. */
export interface ToolApprovalRequestContent {
  readonly type: 'toolApprovalRequest'
  readonly requestId: string
  readonly toolCall: FunctionCallContent
  /** Why it is asked. */
  readonly reason: string
  /** Whether an answer, yes or no, may hold from now on: `always` in the response. */
  readonly mayRemember: boolean
}

/** In a message to the next run of the same session. */
export interface ToolApprovalResponseContent {
  readonly type: 'toolApprovalResponse'
  readonly requestId: string
  readonly approved: boolean
  /** Yes or no to this tool from now on, in this conversation. Default false: to this call alone. */
  readonly always?: boolean
}

/** A question of the agent or of one of its tools. */
export interface UserInputRequestContent {
  readonly type: 'userInputRequest'
  readonly requestId: string
  readonly question: string
  /** Of the response, as JSON Schema; `null` where any will do. */
  readonly schema: JsonObject | null
}

export interface UserInputResponseContent {
  readonly type: 'userInputResponse'
  readonly requestId: string
  readonly response: Json
}

/** Why a run ended short of an answer. */
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

/** What a run is given: a text is what the user says. */
export type RunInput = string | ChatMessage | readonly ChatMessage[]

/** The text of contents, joined. */
export const textOfContents = (contents: readonly AIContent[]): string =>
  contents.map((content) => (content.type === 'text' ? content.text : '')).join('')

/** The response to a request for approval: `{ role: 'user', contents: [approvalResponse(request, true)] }`. */
export const approvalResponse = (
  { requestId }: ToolApprovalRequestContent,
  approved: boolean,
  { always = false }: { readonly always?: boolean } = {},
): ToolApprovalResponseContent => ({ type: 'toolApprovalResponse', requestId, approved, always })
