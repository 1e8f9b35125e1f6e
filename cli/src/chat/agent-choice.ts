import type { RecordsChoice } from '../records.ts'
import type { LogOptions } from '../run/run-log.ts'
import type { ChatConfigOptions } from './chat-config.ts'
import type { KnowledgeChoice } from './chat-knowledge.ts'
import type { SkillChoice } from './chat-skills.ts'
import type { ToolChoice } from './chat-tools.ts'

/** Command-line options for the agent of a chat. */
export interface AgentChoice
  extends ChatConfigOptions, ToolChoice, SkillChoice, KnowledgeChoice, LogOptions, RecordsChoice {
  readonly instructions?: string
  readonly maxIterations?: number
  readonly maxSeconds?: number
  /** The answer to every approval request. */
  readonly approve?: 'always' | 'never' | 'later'
}
