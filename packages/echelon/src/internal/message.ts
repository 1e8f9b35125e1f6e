export {
  type AssistantContent,
  NOTHING_SAID,
  systemMessage,
  Thread,
  userMessage,
} from '../core/message/thread.ts'
export { trimmedOutput, type TrimmedTo } from '../core/message/trimmed-output.ts'
