import { type Dirent } from 'node:fs'
import { opendir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { EchelonError } from 'echelon/internal/value'
import type { Tool } from 'echelon/chat'
import { listFiles } from './list-files.ts'
import { readMatter } from './read-matter.ts'
import { textWithin, UnreadableFile } from './safe-file.ts'
import { MAX_INSTRUCTIONS_BYTES, type Skill } from './skill.ts'

/** A skill that cannot be used, and why. */
export interface SkillProblem {
  readonly file: string
  /** Starts at 1. */
  readonly line: number
  /** File, line and problem, in one sentence. */
  readonly message: string
}

export interface SkillsFromOptions {
  /** Called for a faulty skill, which is left out. Default: the first problem is thrown. */
  readonly onProblem?: (problem: SkillProblem) => void
  /** The program's own tools for a skill, by the skill's name. Default none. */
  readonly tools?: Readonly<Record<string, readonly Tool[]>>
}

/** Limits for one folder, whatever else it holds. */
const MAX_SKILLS = 100
const MAX_ENTRIES = 10_000

/**
 * Reads skills in the open Agent Skills format: a folder with a SKILL.md, or a folder of such folders.
 * Everything is read and checked now; other files of a skill are read when used. Needs the packages
 * vfile-matter and vfile.
 * @throws EchelonError INVALID_INPUT for a folder without skills, for tools of an unknown skill, and,
 * without `onProblem`, for the first faulty skill
 */
export async function skillsFrom(
  folders: string | readonly string[],
  options: SkillsFromOptions = {},
): Promise<readonly Skill[]> {
  const { onProblem, tools = {} } = options
  const skills = new Map<string, Skill>()
  const faulty = new Set<string>()
  const report = (problem: SkillProblem): void => {
    if (onProblem === undefined) throw refused(problem.message)
    onProblem(problem)
  }
  for (const folder of [folders].flat()) {
    for (const one of await skillFolders(folder)) {
      const read = await readSkill(one)
      if ('message' in read) {
        faulty.add(one.name)
        report(read)
      } else if (skills.has(read.name)) {
        const other = skills.get(read.name)?.folder
        report(
          problemAt(join(one.shown, FILE), 1, `there is also a skill ${read.name} in ${other}`),
        )
      } else skills.set(read.name, { ...read, tools: tools[read.name] ?? [] })
    }
  }
  const unknown = Object.keys(tools).find((name) => !skills.has(name) && !faulty.has(name))
  if (unknown !== undefined)
    throw refused(`tools are given for ${unknown}, which is not among the skills read`)
  return [...skills.values()].map((skill) => Object.freeze(skill))
}

const FILE = 'SKILL.md'

interface SkillFolder {
  /** The path as given, for messages. */
  readonly shown: string
  /** Absolute, links resolved. */
  readonly folder: string
  readonly name: string
  readonly isLink: boolean
}

/** The folder itself if it is a skill, else the skill folders in it. */
async function skillFolders(shown: string): Promise<readonly SkillFolder[]> {
  const folder = await realpath(shown).catch(() => undefined)
  if (folder === undefined || !(await stat(folder)).isDirectory()) {
    throw refused(`${shown} is not a readable folder`)
  }
  if (await holdsSkill(folder)) {
    return [{ shown, folder, name: basename(resolve(shown)), isLink: false }]
  }
  const found: SkillFolder[] = []
  for (const entry of await entriesOf(folder, shown)) {
    const { name } = entry
    const isLink = entry.isSymbolicLink()
    if (name.startsWith('.') || !(isLink || entry.isDirectory())) continue
    const below = join(folder, name)
    if (!(await holdsSkill(below))) continue
    found.push({ shown: join(shown, name), folder: below, name, isLink })
  }
  if (found.length === 0)
    throw refused(`${shown} contains no skill, that is, no folder with a ${FILE}`)
  if (found.length > MAX_SKILLS) throw refused(`${shown} holds more than ${MAX_SKILLS} skills`)
  return found
}

async function entriesOf(folder: string, shown: string): Promise<readonly Dirent[]> {
  const entries: Dirent[] = []
  for await (const entry of await opendir(folder)) {
    if (entries.push(entry) > MAX_ENTRIES)
      throw refused(`${shown} has too many entries to be a folder of skills`)
  }
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const holdsSkill = (folder: string): Promise<boolean> =>
  stat(join(folder, FILE)).then(
    () => true,
    () => false,
  )

async function readSkill({
  shown,
  folder,
  name,
  isLink,
}: SkillFolder): Promise<Skill | SkillProblem> {
  const file = join(shown, FILE)
  if (isLink) return problemAt(file, 1, 'its folder is a symbolic link; put the folder itself here')
  try {
    const files = await listFiles(folder)
    const matter = await readMatter(await textWithin(folder, FILE, MAX_INSTRUCTIONS_BYTES), name)
    if ('problem' in matter) return problemAt(file, matter.line, matter.problem)
    const { body, ...fields } = matter
    const others = files.filter((path) => path !== FILE)
    const instructions = async (): Promise<string> => body
    return { ...fields, tools: [], autoOpen: false, files: others, folder, instructions }
  } catch (error) {
    if (error instanceof UnreadableFile) return problemAt(file, 1, `the skill ${error.message}`)
    throw error
  }
}

const problemAt = (file: string, line: number, what: string): SkillProblem => ({
  file,
  line,
  message: `${file}:${line}: ${what}`,
})

const refused = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
