import { EchelonError } from 'echelon/internal/value'
import type { Tool } from 'echelon/chat'
import type { SkillScripts } from './scripts.ts'
import { hasScripts, OPEN, openTool, READ, readTool, RUN, runTool } from './skill-tools.ts'
import type { Skill } from './skill.ts'

/** The skills of an agent, and what they bring. */
export interface SkillSet {
  readonly skills: ReadonlyMap<string, Skill>
  /** Those that are always open. */
  readonly always: readonly Skill[]
  /** Of all skills, each once, and those that come with skills. */
  readonly tools: readonly Tool[]
  /** By the name of a tool: the skills of which one must be open. */
  readonly owners: ReadonlyMap<string, readonly string[]>
}

const MOST_SKILLS = 100

/** @throws EchelonError INVALID_DEFINITION for names that clash, and for too many */
export function skillSet(
  given: readonly Skill[],
  scripts: SkillScripts | undefined,
  mostFileBytes: number,
): SkillSet {
  if (given.length > MOST_SKILLS) {
    throw wrong(`an agent may have ${MOST_SKILLS} skills, and is given ${given.length}`)
  }
  const skills = new Map<string, Skill>()
  for (const skill of given) {
    if (skills.has(skill.name)) throw wrong(`two skills are called ${skill.name}; leave one out`)
    skills.set(skill.name, skill)
  }
  const withFiles = given.filter(({ files }) => files.length > 0)
  const withScripts = scripts === undefined ? [] : given.filter(hasScripts)
  const owners = new Map<string, readonly string[]>()
  const own = ownTools(given, owners)
  if (withFiles.length > 0)
    owners.set(
      READ,
      withFiles.map(({ name }) => name),
    )
  if (withScripts.length > 0)
    owners.set(
      RUN,
      withScripts.map(({ name }) => name),
    )
  const tools = [
    ...(given.length > 0 ? [openTool(skills)] : []),
    ...(withFiles.length > 0 ? [readTool(skills, mostFileBytes)] : []),
    ...(scripts !== undefined && withScripts.length > 0 ? [runTool(skills, scripts)] : []),
    ...own,
  ]
  return { skills, always: given.filter(({ autoOpen }) => autoOpen), tools, owners }
}

const TAKEN: readonly string[] = [OPEN, READ, RUN]

/** One that several skills share is there once; whichever of them is open offers it. */
function ownTools(
  skills: readonly Skill[],
  owners: Map<string, readonly string[]>,
): readonly Tool[] {
  const found = new Map<string, Tool>()
  for (const { name: skill, tools } of skills) {
    for (const tool of tools) {
      const { name } = tool
      const other = found.get(name)
      if (TAKEN.includes(name) || (other !== undefined && other !== tool)) {
        throw wrong(
          `the skill ${skill} has a tool ${name}, and there is another one of that name; rename it`,
        )
      }
      found.set(name, tool)
      owners.set(name, [...(owners.get(name) ?? []), skill])
    }
  }
  return [...found.values()].map(asking)
}

/** What acts asks, also where it was written without a thought of being part of a skill. */
function asking(tool: Tool): Tool {
  if (tool.does !== 'acts' || tool.needsApproval) return tool
  const { name, description, jsonSchema, does, timeoutMs, retries, parallel, delegates } = tool
  return Object.freeze({
    name,
    description,
    jsonSchema,
    does,
    timeoutMs,
    retries,
    parallel,
    delegates,
    needsApproval: true,
    input: tool.input,
    run: (input: unknown, context: Parameters<Tool['run']>[1]) => tool.run(input, context),
    ...(tool.reconcile !== undefined && {
      reconcile: async (key: string, input: unknown) =>
        (await tool.reconcile?.(key, input)) ?? 'unknown',
    }),
  })
}

const wrong = (sentence: string): EchelonError => new EchelonError('INVALID_DEFINITION', sentence)
