import { existsSync } from 'node:fs'
import { EchelonError } from 'echelon/runtime'
import type { Layer } from 'echelon/middleware'
import { clean } from '../terminal/clean.ts'
import type { GlobalOptions } from '../configuration.ts'
import { KNOWLEDGE_FILE, knowledgeAt } from '../knowledge/open-knowledge.ts'
import type { Io } from '../io.ts'

/** What the command line may say about what a chat looks up. */
export interface KnowledgeChoice extends GlobalOptions {
  /** A file of knowledge; the usual one where it is there, and false for none. */
  readonly knowledge?: string | false
}

/**
 * The knowledge of a chat, as middleware. Its file is let go of when the process ends.
 * @throws EchelonError INVALID_INPUT for a file that is not there, and as opening one does
 */
export async function chatKnowledge(io: Io, choice: KnowledgeChoice): Promise<readonly Layer[]> {
  if (choice.knowledge === false) return []
  if (choice.knowledge !== undefined) return await lookingUp(io, choice.knowledge, choice)
  if (!existsSync(KNOWLEDGE_FILE)) return []
  try {
    return await lookingUp(io, KNOWLEDGE_FILE, choice)
  } catch (error) {
    // Nobody asked for it: the chat is had without.
    if (!(error instanceof EchelonError)) throw error
    io.stderr.write(`echelon: ${clean(error.message)}; nothing is looked up\n`)
    return []
  }
}

async function lookingUp(
  io: Io,
  file: string,
  { config }: GlobalOptions,
): Promise<readonly Layer[]> {
  const { base } = await knowledgeAt(io, file, config === undefined ? {} : { config })
  const { knowledge } = await import('@echelon/knowledge')
  return [knowledge({ base })]
}
