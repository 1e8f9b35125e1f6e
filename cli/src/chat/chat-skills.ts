import { EchelonError } from 'echelon/runtime'
import type { Middleware } from 'echelon/middleware'
import type { Skill } from '@echelon/knowledge/skills'
import { clean } from '../terminal/clean.ts'
import { absent, type OfferedSkill } from '../record/offered-parts.ts'
import type { Io } from '../io.ts'

/** Command-line options for the skills of a chat. */
export interface SkillChoice {
  /** Folders of skills; default: none. */
  readonly skills?: readonly string[]
  /** Whether their JavaScript may run, after approval each time. */
  readonly skillScripts?: true
}

/** Skills, and their middleware. */
export interface ChatSkills {
  readonly skills: readonly Skill[]
  readonly middlewares: readonly Middleware[]
}

const NO_SKILLS =
  '--skill-scripts is for the scripts of skills; name their folder with --skills FOLDER'

/**
 * Loads the skills of a chat as middleware. A faulty skill is reported and left out.
 * @throws EchelonError INVALID_INPUT for a folder without skills, and for --skill-scripts without one
 */
export async function chatSkills(
  io: Io,
  { skills: folders = [], skillScripts }: SkillChoice,
): Promise<ChatSkills> {
  if (folders.length === 0) {
    if (skillScripts === true) throw new EchelonError('INVALID_INPUT', NO_SKILLS)
    return { skills: [], middlewares: [] }
  }
  const { childProcessScripts, skills, skillsFrom } = await import('@echelon/knowledge/skills')
  const given = await skillsFrom(folders, {
    onProblem: ({ message }) => io.stderr.write(`echelon: ${clean(message)}; left out\n`),
  })
  const middleware = skills(given, skillScripts ? { scripts: childProcessScripts() } : {})
  return { skills: given, middlewares: [middleware] }
}

/** Restores skills from a recording, without their folders and scripts. */
export async function absentSkills(
  recorded: readonly OfferedSkill[],
  { skillScripts }: SkillChoice,
): Promise<ChatSkills> {
  if (recorded.length === 0) return { skills: [], middlewares: [] }
  const { defineSkill, skills } = await import('@echelon/knowledge/skills')
  const given = recorded.map(({ files, ...skill }) => ({ ...defineSkill(skill), files }))
  const scripts = { run: (): Promise<never> => Promise.reject(untouched()) }
  const { tools = [], ...middleware } = skills(given, skillScripts ? { scripts } : {})
  const absentTools = tools.map((tool) =>
    tool.name === OPEN ? tool : { ...tool, run: () => Promise.reject(untouched()) },
  )
  return { skills: given, middlewares: [{ ...middleware, tools: absentTools }] }
}

/** The tool that opens a skill. It works in a fork, since instructions are recorded. */
export const OPEN = 'open_skill'

const untouched = (): Error =>
  absent('no replay or fork reads the folder of a skill or runs its scripts')
