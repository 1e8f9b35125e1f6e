import type { Layer } from 'echelon/middleware'
import { fileOf, type GlobalOptions } from '../configuration.ts'
import { knowledgeAt } from '../knowledge/open-knowledge.ts'

/** What the command line may say about what a chat looks up. */
export interface KnowledgeChoice extends GlobalOptions {
  /** A file of knowledge; by default nothing is looked up. */
  readonly knowledge?: string
}

/**
 * The knowledge of a chat, as middleware. Its file is let go of when the process ends.
 * @throws EchelonError INVALID_INPUT for a file that is not there, and as opening one does
 */
export async function chatKnowledge(choice: KnowledgeChoice): Promise<readonly Layer[]> {
  if (choice.knowledge === undefined) return []
  const { file } = fileOf(choice)
  const { base } = await knowledgeAt(choice.knowledge, file === undefined ? {} : { config: file })
  const { knowledge } = await import('echelon/memory')
  return [knowledge({ base })]
}
