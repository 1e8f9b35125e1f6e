import { EchelonError } from 'echelon/internal/value'
import type { Tool } from 'echelon/chat'

/** What an agent may open when a task calls for it. */
export interface Skill {
  /** 1 to 64 small letters, digits and single hyphens. */
  readonly name: string
  /** What it does and when to use it, at most 1024 characters: all that a model sees before it is open. */
  readonly description: string
  readonly license?: string
  /** What it needs to work, in words; at most 500 characters. */
  readonly compatibility?: string
  readonly metadata?: Readonly<Record<string, string>>
  /** Names of tools that its author trusts it with. By itself this grants nothing. */
  readonly allowedTools: readonly string[]
  /** Offered while it is open. */
  readonly tools: readonly Tool[]
  /** Open from the beginning of every conversation. */
  readonly autoOpen: boolean
  /** Paths of its files but for SKILL.md, with `/`, sorted. */
  readonly files: readonly string[]
  /** Where it lies, absolute; nothing for one in code. */
  readonly folder?: string
  /** What to do, as Markdown. */
  instructions(): Promise<string>
}

export interface SkillSpec {
  readonly name: string
  readonly description: string
  /**
   * At most 64 KiB. A function is called when the skill is opened, and again before each call of a
   * model whose conversation does not hold them: always with `autoOpen`.
   */
  readonly instructions: string | (() => Promise<string>)
  /** Offered while it is open; one that acts asks before each call. Default none. */
  readonly tools?: readonly Tool[]
  /** Default false. */
  readonly autoOpen?: boolean
}

/** The most that instructions may take as UTF-8, and with them a SKILL.md. */
export const MOST_INSTRUCTIONS_BYTES = 65_536

/**
 * A skill in code.
 * @throws EchelonError INVALID_DEFINITION for a name or a description that the format does not allow
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

/** Says what is wrong with a name; nothing when it can be one. */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return 'name is missing; give it as a text'
  if (name.length > 64) return `name has ${name.length} characters, and may have 64`
  if (NAME.test(name)) return undefined
  return `name is ${JSON.stringify(name)}; use small letters, digits and single hyphens between them`
}

/** The same of a description. */
export function descriptionProblem(description: unknown): string | undefined {
  if (typeof description !== 'string' || description.trim() === '') {
    return 'description is missing; say what the skill does and when to use it'
  }
  if (description.length <= 1024) return undefined
  return `description has ${description.length} characters, and may have 1024`
}
