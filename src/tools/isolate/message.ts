import type { ToolErrorCode, ToolFault } from '../../core/tool.ts'

/** What a worker tells its isolate: once that its module is loaded, then one answer per input. */
export type Message<Output> = { readonly type: 'ready' } | Answer<Output>

/** A spent worker takes no other input: what it was asked may have left something behind. */
export type Answer<Output> = { readonly isSpent: boolean } & (
  | { readonly type: 'ok'; readonly value: Output }
  | {
      readonly type: 'error'
      readonly code: ToolErrorCode
      readonly message: string
      readonly fault: ToolFault | undefined
    }
)
