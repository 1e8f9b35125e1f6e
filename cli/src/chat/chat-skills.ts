import type { Layer } from 'echelon/middleware'
import { clean } from '../clean.ts'

/** What the command line may say about the skills of a chat. */
export interface SkillChoice {
  /** Folders of skills; by default there are none. */
  readonly skills?: readonly string[]
  /** Whether their JavaScript may be run, each time after it was approved. */
  readonly skillScripts?: true
}

/**
 * The skills of a chat, as middleware. A faulty one is told and left out.
 * @throws EchelonError INVALID_INPUT for a folder without skills
 */
export async function chatSkills({
  skills: folders = [],
  skillScripts,
}: SkillChoice): Promise<readonly Layer[]> {
  if (folders.length === 0) return []
  const { childProcessScripts, skills, skillsFrom } = await import('echelon/skills')
  const given = await skillsFrom(folders, {
    onProblem: ({ message }) => process.stderr.write(`echelon: ${clean(message)}; left out\n`),
  })
  return [skills(given, skillScripts ? { scripts: childProcessScripts() } : {})]
}
