import { EchelonError } from 'echelon/internal/value'
import type { Tool } from 'echelon/chat'

/** Instructions and tools that an agent opens when a task calls for them. */
export interface Skill {
  /** 1 to 64 lowercase letters, digits and single hyphens. */
  readonly name: string
  /**
   * Its purpose and when to use it, at most 1024 characters: all that a model sees before the skill is
   * open.
   */
  readonly description: string
  readonly license?: string
  /** Its requirements, in words; at most 500 characters. */
  readonly compatibility?: string
  readonly metadata?: Readonly<Record<string, string>>
  /** Tools its author trusts it with. This alone grants nothing. */
  readonly allowedTools: readonly string[]
  /** Offered while the skill is open. */
  readonly tools: readonly Tool[]
  /** Open from the start of every conversation. */
  readonly autoOpen: boolean
  /** Paths of its files except SKILL.md, with `/`, sorted. */
  readonly files: readonly string[]
  /** Its folder, absolute; undefined for a skill defined in code. */
  readonly folder?: string
  /** The instructions, as Markdown. */
  instructions(): Promise<string>
}

export interface SkillSpec {
  readonly name: string
  readonly description: string
  /**
   * At most 64 KiB. A function is called when the skill is opened, and again before each model call
   * whose conversation does not contain the instructions: with `autoOpen` before every call.
   */
  readonly instructions: string | (() => Promise<string>)
  /** Offered while the skill is open; an acting tool asks before each call. Default none. */
  readonly tools?: readonly Tool[]
  /** Default false. */
  readonly autoOpen?: boolean
}

/** Limit on instructions in UTF-8 bytes, and so on a SKILL.md. */
export const MAX_INSTRUCTIONS_BYTES = 65_536

/**
 * Defines a skill in code.
 * @throws EchelonError INVALID_DEFINITION for a name or description that the format does not allow
 */
export function defineSkill(spec: SkillSpec): Skill {
  const { name, description, instructions, tools = [], autoOpen = false } = spec
  const wrong = nameProblem(name) ?? descriptionProblem(description)
  if (wrong !== undefined) throw new EchelonError('INVALID_DEFINITION', `a skill's ${wrong}`)
  return Object.freeze({
    name,
    description,
    allowedTools: [],
    tools,
    autoOpen,
    files: [],
    instructions: typeof instructions === 'string' ? async () => instructions : instructions,
  })
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** The problem with a name; undefined for a valid one. */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return 'name is missing; give it as a string'
  if (name.length > 64) return `name has ${name.length} characters, and may have 64`
  if (NAME.test(name)) return undefined
  return `name is ${JSON.stringify(name)}; use lowercase letters, digits and single hyphens between them`
}

/** The problem with a description; undefined for a valid one. */
export function descriptionProblem(description: unknown): string | undefined {
  if (typeof description !== 'string' || description.trim() === '') {
    return 'description is missing; say what the skill does and when to use it'
  }
  if (description.length <= 1024) return undefined
  return `description has ${description.length} characters, and may have 1024`
}
