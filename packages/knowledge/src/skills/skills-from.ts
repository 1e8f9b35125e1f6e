import { type Dirent } from 'node:fs'
import { opendir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { EchelonError } from 'echelon/internal/value'
import type { Tool } from 'echelon/chat'
import { listFiles } from './list-files.ts'
import { readMatter } from './read-matter.ts'
import { textWithin, UnreadableFile } from './safe-file.ts'
import { MOST_INSTRUCTIONS_BYTES, type Skill } from './skill.ts'

/** A skill that cannot be used, in one sentence. */
export interface SkillProblem {
  readonly file: string
  /** From 1 on. */
  readonly line: number
  /** File, line and what is wrong. */
  readonly message: string
}

export interface SkillsFromOptions {
  /** Hears of a faulty skill, which is left out. Default: the first one is thrown. */
  readonly onProblem?: (problem: SkillProblem) => void
  /** Tools of the program that a skill brings, by the skill's name. Default none. */
  readonly tools?: Readonly<Record<string, readonly Tool[]>>
}

/** In one folder, whatever else lies there. */
const MOST_SKILLS = 100
const MOST_ENTRIES = 10_000

/**
 * Skills in the open Agent Skills format: a folder with a SKILL.md, or one that holds such folders.
 * Everything is read now and checked; only files beside SKILL.md are read later. Needs the packages
 * vfile-matter and vfile.
 * @throws EchelonError INVALID_INPUT for a folder without skills, for tools of a skill that is not
 * there, and, without `onProblem`, for the first faulty skill
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
        report(problemAt(join(one.shown, FILE), 1, `there is a skill ${read.name} in ${other} too`))
      } else skills.set(read.name, { ...read, tools: tools[read.name] ?? [] })
    }
  }
  const unknown = Object.keys(tools).find((name) => !skills.has(name) && !faulty.has(name))
  if (unknown !== undefined)
    throw refused(`tools are given for ${unknown}, and no such skill was read`)
  return [...skills.values()].map((skill) => Object.freeze(skill))
}

const FILE = 'SKILL.md'

interface SkillFolder {
  /** As it was asked for, for messages. */
  readonly shown: string
  /** Absolute, links resolved. */
  readonly folder: string
  readonly name: string
  readonly isLink: boolean
}

/** The folder itself when it is a skill, else those in it that are. */
async function skillFolders(shown: string): Promise<readonly SkillFolder[]> {
  const folder = await realpath(shown).catch(() => undefined)
  if (folder === undefined || !(await stat(folder)).isDirectory()) {
    throw refused(`${shown} is no folder that can be read`)
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
  if (found.length === 0) throw refused(`${shown} holds no skill, which is a folder with a ${FILE}`)
  if (found.length > MOST_SKILLS) throw refused(`${shown} holds more than ${MOST_SKILLS} skills`)
  return found
}

async function entriesOf(folder: string, shown: string): Promise<readonly Dirent[]> {
  const entries: Dirent[] = []
  for await (const entry of await opendir(folder)) {
    if (entries.push(entry) > MOST_ENTRIES) throw refused(`${shown} holds too much to be skills`)
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
    const matter = await readMatter(await textWithin(folder, FILE, MOST_INSTRUCTIONS_BYTES), name)
    if ('problem' in matter) return problemAt(file, matter.line, matter.problem)
    const { body, ...said } = matter
    const others = files.filter((path) => path !== FILE)
    const instructions = async (): Promise<string> => body
    return { ...said, tools: [], autoOpen: false, files: others, folder, instructions }
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
