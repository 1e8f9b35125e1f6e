import { isRecord } from 'echelon/internal/value'
import { descriptionProblem, nameProblem, type Skill } from './skill.ts'

/** The content of a SKILL.md. */
export interface Matter extends Pick<
  Skill,
  'name' | 'description' | 'license' | 'compatibility' | 'metadata' | 'allowedTools'
> {
  /** The text below the front matter. */
  readonly body: string
}

/** A problem in a SKILL.md and its line, starting at 1. */
export interface MatterProblem {
  readonly line: number
  readonly problem: string
}

/** Short, because the front matter is read before the skill is trusted. */
const MAX_MATTER_CHARACTERS = 16_384

/**
 * Reads the text of a SKILL.md.
 * @param folder name of the folder, which must equal the skill's name
 */
export async function readMatter(text: string, folder: string): Promise<Matter | MatterProblem> {
  const source = text.replace(/^\uFEFF/, '')
  const lines = source.split(/\r\n|\r|\n/)
  const end = lines.indexOf('---', 1)
  if (lines[0] !== '---' || end < 0) {
    return at(1, 'start with front matter: name and description between two lines of ---')
  }
  if (lines.slice(0, end).join('\n').length > MAX_MATTER_CHARACTERS) {
    return at(1, `the front matter is longer than ${MAX_MATTER_CHARACTERS} characters`)
  }
  const read = await parsed(source)
  if ('problem' in read) return read
  const lineOf = (field: string): number =>
    Math.max(
      0,
      lines.slice(0, end).findIndex((line) => line.startsWith(`${field}:`)),
    ) + 1
  const matter = matterOf(read.fields, read.body, lineOf)
  if ('problem' in matter || matter.name === folder) return matter
  return at(
    lineOf('name'),
    `the skill is called ${matter.name} and its folder ${folder}; make them the same`,
  )
}

interface Parsed {
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Aliases are not allowed: they let a few lines expand to gigabytes. */
const YAML = { maxAliasCount: 0, schema: 'core', logLevel: 'error' } as const

async function parsed(source: string): Promise<Parsed | MatterProblem> {
  const [{ VFile }, { matter }] = await Promise.all([import('vfile'), import('vfile-matter')])
  const file = new VFile(source)
  try {
    matter(file, { strip: true, yaml: YAML })
  } catch (error) {
    return yamlProblem(error)
  }
  const fields: unknown = file.data['matter']
  if (isRecord(fields)) return { fields, body: String(file).trim() }
  return at(2, 'the front matter has no fields; add name: and description:')
}

/** The YAML starts on line 2 of the file. */
function yamlProblem(error: unknown): MatterProblem {
  const message = error instanceof Error ? error.message : String(error)
  const [first = ''] = message.split('\n')
  const line = Number(/ at line (\d+)/.exec(first)?.[1] ?? 1) + 1
  const what = first.replace(/ at line \d+.*$/, '')
  return at(line, `the front matter is not valid YAML (${what})`)
}

function matterOf(
  fields: Parsed['fields'],
  body: string,
  lineOf: (field: string) => number,
): Matter | MatterProblem {
  const { name, description, license, compatibility, metadata } = fields
  const allowed = fields['allowed-tools']
  const problem = (field: string, what: string | undefined): MatterProblem | undefined =>
    what === undefined ? undefined : at(lineOf(field), what)
  const wrong =
    problem('name', nameProblem(name)) ??
    problem('description', descriptionProblem(description)) ??
    problem('license', textProblem('license', license, 1024)) ??
    problem('compatibility', textProblem('compatibility', compatibility, 500)) ??
    problem('metadata', metadataProblem(metadata)) ??
    problem('allowed-tools', textProblem('allowed-tools', allowed, 4096))
  if (wrong !== undefined) return wrong
  if (body === '')
    return at(lineOf('description'), 'there are no instructions below the front matter')
  return {
    name: String(name),
    description: String(description),
    ...(typeof license === 'string' && { license }),
    ...(typeof compatibility === 'string' && { compatibility }),
    ...(isRecord(metadata) && { metadata: asTexts(metadata) }),
    allowedTools: typeof allowed === 'string' ? allowed.split(/[\s,]+/).filter(Boolean) : [],
    body,
  }
}

function textProblem(field: string, value: unknown, most: number): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value.trim() === '') return `${field} is not a string`
  return value.length > most
    ? `${field} has ${value.length} characters, and may have ${most}`
    : undefined
}

const MAX_METADATA = 64

function metadataProblem(metadata: unknown): string | undefined {
  if (metadata === undefined || metadata === null) return undefined
  if (!isRecord(metadata) || Array.isArray(metadata))
    return 'metadata is not a map of names to strings'
  const rows = Object.entries(metadata)
  if (rows.length > MAX_METADATA) return `metadata has more than ${MAX_METADATA} names`
  const [nested] = rows.find(([, value]) => typeof value === 'object') ?? []
  return nested === undefined ? undefined : `metadata.${nested} is not a string`
}

const asTexts = (metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]))

const at = (line: number, problem: string): MatterProblem => ({ line, problem })
