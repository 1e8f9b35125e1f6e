import { EchelonError } from 'echelon/runtime'
import type { Layer } from 'echelon/middleware'
import type { Skill } from '@echelon/knowledge/skills'
import { clean } from '../terminal/clean.ts'
import { absent, type OfferedSkill } from '../record/brought.ts'
import type { Io } from '../io.ts'

/** What the command line may say about the skills of a chat. */
export interface SkillChoice {
  /** Folders of skills; by default there are none. */
  readonly skills?: readonly string[]
  /** Whether their JavaScript may be run, each time after it was approved. */
  readonly skillScripts?: true
}

/** Skills, and the middleware that they are. */
export interface ChatSkills {
  readonly skills: readonly Skill[]
  readonly layers: readonly Layer[]
}

const NO_SKILLS =
  '--skill-scripts is for the scripts of skills; name their folder with --skills FOLDER'

/**
 * The skills of a chat, as middleware. A faulty one is told and left out.
 * @throws EchelonError INVALID_INPUT for a folder without skills, and for scripts of none
 */
export async function chatSkills(
  io: Io,
  { skills: folders = [], skillScripts }: SkillChoice,
): Promise<ChatSkills> {
  if (folders.length === 0) {
    if (skillScripts === true) throw new EchelonError('INVALID_INPUT', NO_SKILLS)
    return { skills: [], layers: [] }
  }
  const { childProcessScripts, skills, skillsFrom } = await import('@echelon/knowledge/skills')
  const given = await skillsFrom(folders, {
    onProblem: ({ message }) => io.stderr.write(`echelon: ${clean(message)}; left out\n`),
  })
  const layer = skills(given, skillScripts ? { scripts: childProcessScripts() } : {})
  return { skills: given, layers: [layer] }
}

/** Skills as a recording holds them: their folders are not looked at, and no script is run. */
export async function absentSkills(
  recorded: readonly OfferedSkill[],
  { skillScripts }: SkillChoice,
): Promise<ChatSkills> {
  if (recorded.length === 0) return { skills: [], layers: [] }
  const { defineSkill, skills } = await import('@echelon/knowledge/skills')
  const given = recorded.map(({ files, ...skill }) => ({ ...defineSkill(skill), files }))
  const scripts = { run: (): Promise<never> => Promise.reject(untouched()) }
  const { tools = [], ...layer } = skills(given, skillScripts ? { scripts } : {})
  const absentTools = tools.map((tool) =>
    tool.name === OPEN ? tool : { ...tool, run: () => Promise.reject(untouched()) },
  )
  return { skills: given, layers: [{ ...layer, tools: absentTools }] }
}

/** What opens a skill: instructions are on record, so that a fork may open one anew. */
export const OPEN = 'open_skill'

const untouched = (): Error =>
  absent('no replay or fork reads the folder of a skill or runs its scripts')
