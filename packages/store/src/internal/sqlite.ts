export { Database } from '../sqlite/file/database.ts'
export {
  examineKnowledge,
  isKnowledgeFile,
  type KnowledgeFacts,
} from '../sqlite/knowledge/examine-knowledge.ts'
export type { Migration } from '../sqlite/file/schema.ts'
