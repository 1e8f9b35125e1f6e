import { guardedSchema } from 'echelon/internal/schema'
import { isRecord, nearest, utf8Bytes } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { defineTool, ToolError } from 'echelon/internal/tool'
import type { Tool } from 'echelon/chat'
import { pathWithin, textWithin, UnreadableFile } from './safe-file.ts'
import type { SkillScripts } from './scripts.ts'
import { MAX_INSTRUCTIONS_BYTES, type Skill } from './skill.ts'

/** Names of the tools that come with skills. */
export const OPEN = 'open_skill'
export const READ = 'read_skill_file'
export const RUN = 'run_skill_script'

type Skills = ReadonlyMap<string, Skill>

/** Acts, so that an open skill is recorded before the run continues. */
export const openTool = (skills: Skills): Tool =>
  defineTool({
    name: OPEN,
    description:
      'Opens a skill: gives its instructions, which apply from then on, and offers its tools.',
    does: 'idempotent',
    parallel: false,
    input: guardedSchema(
      {
        type: 'object',
        properties: { name: { type: 'string', description: 'the name of the skill' } },
        required: ['name'],
        additionalProperties: false,
      },
      (value): value is { readonly name: string } =>
        isRecord(value) && typeof value['name'] === 'string',
      'expected an object with the name of a skill',
    ),
    async run({ name }) {
      const skill = skillOf(skills, name)
      const { files, tools } = skill
      return {
        skill: name,
        instructions: await instructionsOf(skill),
        ...(tools.length > 0 && { tools: tools.map((tool) => tool.name) }),
        ...(files.length > 0 && { files }),
      }
    },
  })

/** @throws ToolError when the instructions are too long */
export async function instructionsOf(skill: Skill): Promise<string> {
  const text = await skill.instructions()
  if (utf8Bytes(text) <= MAX_INSTRUCTIONS_BYTES) return text
  throw new ToolError(
    'TOOL_ERROR',
    `the instructions of ${skill.name} have more than ${MAX_INSTRUCTIONS_BYTES} bytes`,
  )
}

interface FileOfSkill {
  readonly skill: string
  readonly path: string
}

const isFileOfSkill = (value: unknown): value is FileOfSkill =>
  isRecord(value) && typeof value['skill'] === 'string' && typeof value['path'] === 'string'

const FILE_OF_SKILL = {
  skill: { type: 'string', description: 'the name of an open skill' },
  path: { type: 'string', description: 'one of its files, such as references/terms.md' },
}

export const readTool = (skills: Skills, maxBytes: number): Tool =>
  defineTool({
    name: READ,
    description: 'Reads a file of an open skill, as text.',
    input: guardedSchema(
      {
        type: 'object',
        properties: FILE_OF_SKILL,
        required: ['skill', 'path'],
        additionalProperties: false,
      },
      isFileOfSkill,
      'expected an object with the name of a skill and the path of a file',
    ),
    run: ({ skill, path }) =>
      reading(path, () => textWithin(folderOf(skillOf(skills, skill), path), path, maxBytes)),
  })

interface ScriptToRun extends FileOfSkill {
  readonly args?: readonly string[]
}

const MAX_ARGS = 32
const MAX_ARG_CHARACTERS = 4096

const isArgs = (args: unknown): boolean =>
  args === undefined ||
  (Array.isArray(args) &&
    args.length <= MAX_ARGS &&
    args.every(
      (arg) =>
        // Programs cannot receive a NUL.
        typeof arg === 'string' && arg.length <= MAX_ARG_CHARACTERS && !arg.includes('\0'),
    ))

/** Always counts as acting and is approved each time, whatever the script says about itself. */
export const runTool = (skills: Skills, scripts: SkillScripts): Tool =>
  defineTool({
    name: RUN,
    description: 'Runs a script of an open skill, one of its files under scripts/.',
    does: 'acts',
    needsApproval: true,
    timeoutMs: scripts.timeoutMs ?? 30_000,
    input: guardedSchema(
      {
        type: 'object',
        properties: {
          ...FILE_OF_SKILL,
          args: { type: 'array', items: { type: 'string' }, maxItems: MAX_ARGS },
        },
        required: ['skill', 'path'],
        additionalProperties: false,
      },
      (value): value is ScriptToRun =>
        isFileOfSkill(value) && isArgs('args' in value ? value.args : undefined),
      `expected an object with the name of a skill, the path of a script and at most ${MAX_ARGS} texts as args`,
    ),
    async run({ skill: name, path, args = [] }, { signal }) {
      if (!path.startsWith(SCRIPTS)) throw notFound(path, `scripts are under ${SCRIPTS}`)
      const folder = folderOf(skillOf(skills, name), path)
      const file = await reading(path, () => pathWithin(folder, path))
      return scripts.run({ skill: name, folder, file, args }, signal)
    },
  })

const SCRIPTS = 'scripts/'

export const hasScripts = ({ files }: Skill): boolean =>
  files.some((path) => path.startsWith(SCRIPTS))

/** The skill that a call of these tools names; undefined for other input. */
export const skillNamed = (input: Json): string | undefined =>
  isFileOfSkill(input) ? input.skill : undefined

function skillOf(skills: Skills, name: string): Skill {
  const skill = skills.get(name)
  if (skill !== undefined) return skill
  const near = nearest(name, [...skills.keys()])
  const hint =
    near === null ? `there are ${[...skills.keys()].join(', ')}` : `did you mean ${near}?`
  throw new ToolError('INVALID_ARGS', `there is no skill ${JSON.stringify(name)}; ${hint}`)
}

/** Opens only files that were listed when the skill was read; other paths are rejected. */
function folderOf({ name, folder, files }: Skill, path: string): string {
  if (folder !== undefined && files.includes(path)) return folder
  const isOutside = path.startsWith('/') || path.split(/[/\\]/).includes('..')
  if (isOutside) throw new ToolError('PATH_TRAVERSAL', `${path} points outside the skill ${name}`)
  const near = nearest(path, files)
  throw notFound(path, near === null ? `${name} has no such file` : `did you mean ${near}?`)
}

const notFound = (path: string, why: string): ToolError =>
  new ToolError('INVALID_ARGS', `${path} does not exist; ${why}`)

async function reading<Value>(path: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    throw new ToolError('TOOL_ERROR', `${path} ${error.message}`)
  }
}
