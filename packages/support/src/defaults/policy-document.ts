import type * as Yaml from 'yaml'
import type * as Zod from 'zod'
import { EchelonError, isRecord, wordHint } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { parseYaml } from 'echelon/internal/yaml'

/** A file of rules as written, complete. */
export interface PolicyContent {
  readonly mode: 'enforce' | 'shadow'
  readonly tools: readonly string[]
  /** Additional facts, provided by a custom gatherer. */
  readonly facts: readonly string[]
  readonly constants: JsonObject
  readonly rules: readonly WrittenRule[]
}

export interface WrittenRule {
  readonly id: string
  readonly tools?: readonly string[] | undefined
  readonly when?: string | undefined
  readonly require: string
  readonly effect: 'deny' | 'escalate' | 'not_found'
  readonly because: string
  readonly instead?: readonly WrittenWayOut[] | undefined
  readonly says?: string | undefined
  readonly final: boolean
  readonly mode: 'enforce' | 'shadow'
}

export interface WrittenWayOut {
  readonly when?: string | undefined
  readonly say: string
  readonly offer?: string | undefined
}

export interface PolicyDocument {
  readonly content: PolicyContent
  /** The error for a position such as `['rules', 3, 'require']`. */
  flaw(at: Path, problem: string): EchelonError
}

type Path = readonly PropertyKey[]

/** Limits of a file: exceeding them is a mistake or an attack. */
const MOST = {
  tools: 200,
  rules: 300,
  facts: 50,
  text: 500,
  condition: 2_000,
  aliases: 20,
  waysOut: 10,
}

/** @throws EchelonError INVALID_CONFIG */
export async function policyDocument(text: string, name: string): Promise<PolicyDocument> {
  const yaml = await import('yaml')
  const parsedYaml = parseYaml(yaml, text, { keys: 'string' })
  if (parsedYaml === undefined) throw problemAt(name, 'this is nested too deeply')
  const { document, lines } = parsedYaml
  const [wrong] = [...document.errors, ...document.warnings]
  if (wrong !== undefined) {
    const { line } = lines.linePos(wrong.pos[0])
    throw problemAt(`${name}:${line}`, `this is not valid YAML: ${sentence(wrong.message)}`)
  }
  const value = plain(document, name)
  const flaw = (at: Path, problem: string): EchelonError => {
    const { line } = lines.linePos(offsetOf(yaml, document.contents, at))
    const rule = at[0] === 'rules' && typeof at[1] === 'number' ? ruleName(value, at[1]) : ''
    return problemAt(`${name}:${line}`, `${rule}${problem}`)
  }
  const content = await checked(value, flaw)
  checkNames(content, flaw)
  return { content, flaw }
}

type Flaw = PolicyDocument['flaw']

const problemAt = (where: string, problem: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `${where}: ${problem}`)

const sentence = (message: string): string => message.split('\n')[0]?.slice(0, 160) ?? ''

function plain(document: Yaml.Document.Parsed, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST.aliases })
  } catch (cause) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `${name} has aliases that unfold to too much, or lead nowhere; write the values out`,
      { cause },
    )
  }
}

async function checked(value: unknown, flaw: Flaw): Promise<PolicyContent> {
  const z = await import('zod')
  const parsed = schemaOf(z).safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = issue?.path ?? []
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const known = at[0] === 'rules' ? RULE_KEYS : FILE_KEYS
    throw flaw([...at, key], `${key} is not known here${wordHint(key, known)}`)
  }
  const what = at.findLast((step) => typeof step === 'string') ?? 'the file'
  throw flaw(at, `${what}: ${issue?.message ?? 'it cannot be used'}; see the guide of policies`)
}

const FILE_KEYS = ['mode', 'tools', 'facts', 'constants', 'rules']
const RULE_KEYS = 'id tools when require effect because instead say offer says final mode'.split(
  ' ',
)

function schemaOf(z: typeof Zod): Zod.ZodType<PolicyContent> {
  const mode = z.enum(['enforce', 'shadow']).default('enforce')
  const tool = z.string().min(1).max(100)
  const condition = z.string().min(1).max(MOST.condition)
  const wayOut = z.strictObject({
    when: condition.optional(),
    say: z.string().min(1).max(MOST.text),
    offer: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/, 'name an intent')
      .optional(),
  })
  const rule = z.strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]{0,60}$/, 'write it in small letters and hyphens'),
    tools: z.array(tool).min(1).max(MOST.tools).optional(),
    when: condition.optional(),
    require: condition,
    effect: z.enum(['deny', 'escalate', 'not_found']).default('deny'),
    because: z.string().min(1).max(MOST.text),
    instead: z.array(wayOut).min(1).max(MOST.waysOut).optional(),
    says: z.string().min(1).max(MOST.text).optional(),
    final: z.boolean().default(false),
    mode,
  })
  return z.strictObject({
    mode,
    tools: z.array(tool).max(MOST.tools),
    facts: z
      .array(z.string().regex(/^[a-z][a-z_0-9]{0,60}$/, 'a fact is named by small letters'))
      .max(MOST.facts)
      .default([]),
    constants: z.record(z.string(), z.json()).default({}),
    rules: z.array(rule).max(MOST.rules),
  })
}

function checkNames({ tools, rules }: PolicyContent, flaw: Flaw): void {
  const seen = new Set<string>()
  rules.forEach((rule, index) => {
    if (seen.has(rule.id)) throw flaw(['rules', index, 'id'], 'this id comes twice; rename one')
    seen.add(rule.id)
    const unknown = rule.tools?.find((tool) => !tools.includes(tool))
    if (unknown !== undefined) {
      const hint = wordHint(unknown, tools)
      throw flaw(['rules', index, 'tools'], `${unknown} is not in the list of tools${hint}`)
    }
  })
}

/** A name for a rule whose id may be invalid. */
function ruleName(value: unknown, index: number): string {
  const rules = isRecord(value) ? value['rules'] : null
  const rule: unknown = Array.isArray(rules) ? rules[index] : null
  const found = isRecord(rule) ? rule['id'] : null
  return typeof found === 'string' ? `rule ${found.slice(0, 60)}: ` : `rule ${index + 1}: `
}

/** The position of the deepest of these path steps that exists. */
function offsetOf(yaml: typeof Yaml, root: Yaml.Node | null, at: Path): number {
  let [node, offset]: [unknown, number] = [root, root?.range?.[0] ?? 0]
  for (const step of at) {
    if (yaml.isSeq(node) && typeof step === 'number') {
      node = node.items[step]
      if (!yaml.isNode(node)) break
      offset = node.range?.[0] ?? offset
      continue
    }
    if (!yaml.isMap(node)) break
    const pair = node.items.find((item) => yaml.isScalar(item.key) && item.key.value === step)
    if (pair === undefined || !yaml.isScalar(pair.key)) break
    offset = pair.key.range?.[0] ?? offset
    node = pair.value
  }
  return offset
}
