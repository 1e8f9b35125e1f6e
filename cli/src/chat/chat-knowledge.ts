import { existsSync } from 'node:fs'
import { EchelonError } from 'echelon/runtime'
import type { Middleware } from 'echelon/middleware'
import { clean } from '../terminal/clean.ts'
import type { GlobalOptions } from '../configuration.ts'
import { KNOWLEDGE_FILE, knowledgeAt } from '../knowledge/open-knowledge.ts'
import type { Io } from '../io.ts'

/** Command-line options for the documents of a chat. */
export interface KnowledgeChoice extends GlobalOptions {
  /** A knowledge file, an address, or the word database; default: the usual one, if it exists; false for none. */
  readonly knowledge?: string | false
}

/**
 * Creates the middleware that looks documents up. It stays open until the process ends.
 * @throws EchelonError INVALID_INPUT for a missing file, and the errors of opening one
 */
export async function chatKnowledge(
  io: Io,
  choice: KnowledgeChoice,
): Promise<readonly Middleware[]> {
  if (choice.knowledge === false) return []
  if (choice.knowledge !== undefined) return await lookingUp(io, choice.knowledge, choice)
  if (!existsSync(KNOWLEDGE_FILE)) return []
  try {
    return await lookingUp(io, KNOWLEDGE_FILE, choice)
  } catch (error) {
    // The user did not name this file, so the chat goes on without it.
    if (!(error instanceof EchelonError)) throw error
    io.stderr.write(`echelon: ${clean(error.message)}; nothing is looked up\n`)
    return []
  }
}

async function lookingUp(
  io: Io,
  place: string,
  options: GlobalOptions,
): Promise<readonly Middleware[]> {
  const { base } = await knowledgeAt(io, place, options)
  const { knowledge } = await import('@echelon/knowledge')
  return [knowledge({ base })]
}
