import { EchelonError } from 'echelon/internal/value'
import type { Tool } from 'echelon/chat'
import type { SkillScripts } from './scripts.ts'
import { hasScripts, OPEN, openTool, READ, readTool, RUN, runTool } from './skill-tools.ts'
import type { Skill } from './skill.ts'

/** The skills of an agent and their tools. */
export interface SkillSet {
  readonly skills: ReadonlyMap<string, Skill>
  /** Skills that are always open. */
  readonly always: readonly Skill[]
  /** Tools of all skills, each once, and the built-in skill tools. */
  readonly tools: readonly Tool[]
  /** Tool name to the skills that offer it; one of them must be open. */
  readonly owners: ReadonlyMap<string, readonly string[]>
}

const MAX_SKILLS = 100

/** @throws EchelonError INVALID_DEFINITION for names that clash, and for too many skills */
export function skillSet(
  list: readonly Skill[],
  scripts: SkillScripts | undefined,
  mostFileBytes: number,
): SkillSet {
  if (list.length > MAX_SKILLS) {
    throw wrong(`an agent may have ${MAX_SKILLS} skills, and this one has ${list.length}`)
  }
  const skills = new Map<string, Skill>()
  for (const skill of list) {
    if (skills.has(skill.name)) throw wrong(`two skills are called ${skill.name}; leave one out`)
    skills.set(skill.name, skill)
  }
  const withFiles = list.filter(({ files }) => files.length > 0)
  const withScripts = scripts === undefined ? [] : list.filter(hasScripts)
  const owners = new Map<string, readonly string[]>()
  const skillTools = toolsOf(list, owners)
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
    ...(list.length > 0 ? [openTool(skills)] : []),
    ...(withFiles.length > 0 ? [readTool(skills, mostFileBytes)] : []),
    ...(scripts !== undefined && withScripts.length > 0 ? [runTool(skills, scripts)] : []),
    ...skillTools,
  ]
  return { skills, always: list.filter(({ autoOpen }) => autoOpen), tools, owners }
}

const RESERVED: readonly string[] = [OPEN, READ, RUN]

/** A tool that several skills share appears once and is offered while any of them is open. */
function toolsOf(
  skills: readonly Skill[],
  owners: Map<string, readonly string[]>,
): readonly Tool[] {
  const found = new Map<string, Tool>()
  for (const { name: skill, tools } of skills) {
    for (const tool of tools) {
      const { name } = tool
      const other = found.get(name)
      if (RESERVED.includes(name) || (other !== undefined && other !== tool)) {
        throw wrong(
          `the skill ${skill} has a tool ${name}, and another tool has the same name; rename it`,
        )
      }
      found.set(name, tool)
      owners.set(name, [...(owners.get(name) ?? []), skill])
    }
  }
  return [...found.values()].map(asking)
}

/** Makes an acting tool ask, even if it was not written for a skill. */
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
