export { backgroundMessage, isBackground, joined } from '../core/message/background.ts'
export {
  type AssistantContent,
  NOTHING_SAID,
  systemMessage,
  Thread,
  userMessage,
} from '../core/message/thread.ts'
export { trimmedOutput, type TrimmedTo } from '../core/message/trimmed-output.ts'
export { toolResults } from '../core/message/tool-results.ts'
