import type { ToolErrorCode, ToolFault } from '../../core/tool.ts'

/** What a worker tells its isolate: once that its module is loaded, then one answer per input. */
export type Message<Output> =
  | { readonly type: 'ready' }
  | { readonly type: 'ok'; readonly value: Output }
  | {
      readonly type: 'error'
      readonly code: ToolErrorCode
      readonly message: string
      readonly fault: ToolFault | undefined
    }
