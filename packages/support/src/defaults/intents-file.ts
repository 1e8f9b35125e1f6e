import { fileURLToPath } from 'node:url'
import type * as Yaml from 'yaml'
import { EchelonError } from 'echelon/internal/value'
import { readGivenText, UnreadableFileError } from 'echelon/internal/platform'
import { parseYaml } from 'echelon/internal/yaml'
import type { Intent, ParamSpec } from '../intent.ts'
import { type IntentsConfig, IntentsRegistry } from '../intents-registry.ts'
import { flawsOf } from './intents-check.ts'
import { type IntentEntry, type IntentsFile, intentsSchema } from './intents-schema.ts'

/** Limit for a handwritten file of intents. */
const MOST_CHARACTERS = 4_000_000
/** Parameters shared by several intents are written once and referenced. */
const MOST_ALIASES = 1_000
const MOST_PROBLEMS = 10

/**
 * Reads an intents file.
 *
 * @param path default: the `packages/support/config/intents.yaml` that comes with Echelon
 * @throws EchelonError INVALID_CONFIG with one line per error: file, line, what to do
 */
export async function loadIntents(path?: string): Promise<IntentsRegistry> {
  const file = path ?? fileURLToPath(import.meta.resolve('@echelon/support/config/intents.yaml'))
  const text = await readGivenText(file, 4 * MOST_CHARACTERS).catch((cause: unknown) => {
    throw new EchelonError(
      'INVALID_CONFIG',
      `${file} cannot be read${why(cause)}; name a file of intents`,
      {
        cause,
      },
    )
  })
  return parseIntents(text, file)
}

/**
 * Parses intents from a text.
 * @param name the name used in error messages
 * @throws EchelonError as `loadIntents`
 */
export async function parseIntents(text: string, name: string): Promise<IntentsRegistry> {
  const key = JSON.stringify([name, text])
  const config = recentConfigs.get(key) ?? (await parsedConfig(text, name))
  recentConfigs.delete(key)
  recentConfigs.set(key, config)
  for (const oldest of recentConfigs.keys()) {
    if (recentConfigs.size > MOST_KEPT) recentConfigs.delete(oldest)
  }
  return new IntentsRegistry(config)
}

/** The files parsed last, by name and text: agents of a program share their intents. */
const recentConfigs = new Map<string, IntentsConfig>()
const MOST_KEPT = 4

async function parsedConfig(text: string, name: string): Promise<IntentsConfig> {
  if (text.length > MOST_CHARACTERS) throw wrong([`${name} is too long for a file of intents`])
  const [yaml, { z }] = await Promise.all([import('yaml'), import('zod')])
  const parsedYaml = parseYaml(yaml, text, { keys: 'string' })
  if (parsedYaml === undefined) throw wrong([`${name} is nested too deeply`])
  const { document, lines } = parsedYaml
  const slips = [...document.errors, ...document.warnings].map(
    ({ pos, message }) => `${name}:${lines.linePos(pos[0]).line}: ${message}`,
  )
  if (slips.length > 0) throw wrong(slips)
  const lineOf = (at: readonly PropertyKey[]): number =>
    lines.linePos(offsetOf(yaml, document, at)).line
  const parsed = intentsSchema(z).safeParse(contentOf(document, name))
  if (!parsed.success) {
    throw wrong(
      parsed.error.issues.map(
        (issue) => `${name}:${lineOf(placeOf(issue))}: ${issue.path.join('.')}${sentence(issue)}`,
      ),
    )
  }
  const flaws = flawsOf(parsed.data)
  if (flaws.length > 0) {
    throw wrong(flaws.map(({ at, problem }) => `${name}:${lineOf(at)}: ${problem}`))
  }
  return configOf(parsed.data)
}

function contentOf(document: Yaml.Document.Parsed, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError('INVALID_CONFIG', `${name}: ${why}; write it out`, { cause })
  }
}

const wrong = (problems: readonly string[]): EchelonError =>
  new EchelonError('INVALID_CONFIG', [...new Set(problems)].slice(0, MOST_PROBLEMS).join('\n'))

interface Issue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
}

/** Report an unknown key at its own position, not at the start of its list. */
const placeOf = ({ path, keys }: Issue): readonly PropertyKey[] => [
  ...path,
  ...(keys?.slice(0, 1) ?? []),
]

function sentence({ path, message, keys }: Issue): string {
  const colon = path.length === 0 ? '' : ': '
  if (keys === undefined) return `${colon}${message}`
  return `${colon}${keys.join(', ')} is not a known key; remove it, or correct its name`
}

/** The position of a key or an item; of the nearest existing one if it is missing. */
function offsetOf(
  yaml: typeof Yaml,
  document: Yaml.Document.Parsed,
  at: readonly PropertyKey[],
): number {
  let node: unknown = document.contents
  let offset = document.contents?.range?.[0] ?? 0
  for (const key of at) {
    if (yaml.isAlias(node)) node = node.resolve(document)
    if (yaml.isMap(node)) {
      const pair = node.items.find((item) => yaml.isScalar(item.key) && item.key.value === key)
      if (pair === undefined || !yaml.isScalar(pair.key)) break
      offset = pair.key.range?.[0] ?? offset
      node = pair.value
    } else if (yaml.isSeq(node)) {
      const item = node.items[Number(key)]
      if (!yaml.isNode(item)) break
      offset = item.range?.[0] ?? offset
      node = item
    } else break
  }
  return offset
}

const configOf = (file: IntentsFile): IntentsConfig => ({
  intents: file.intents.map(intentOf),
  tiers: file.tiers,
  redactedParams: file.redaction.params,
  questions: file.questions ?? [],
  ambiguous: file.ambiguous ?? [],
  topics: file.topics ?? [],
  beyond: file.beyond ?? [],
  idle: file.idle ?? [],
  followUps: file.follow_ups ?? {},
  outOfScope: file.out_of_scope,
})

function intentOf(entry: IntentEntry): Intent {
  const {
    pre,
    post,
    post_by_status: postByStatus,
    post_by_asked: postByAsked,
    post_without: postWithout,
    would,
    confirm,
    undo,
    would_too: wouldToo,
  } = entry.wording
  const { channels, rollout, min_tier: minTier } = entry.constraints
  const params = [...entry.required_params, ...entry.optional_params].flatMap((name) => {
    const given = entry.params[name]
    return given === undefined ? [] : [[name, specOf(name, given)] as const]
  })
  return {
    id: entry.id,
    description: entry.description,
    ...(entry.name !== undefined && { name: entry.name }),
    restores: entry.restores ?? null,
    whileStatus: entry.while ?? [],
    ...(entry.of_field !== undefined && { ofField: entry.of_field }),
    ...(entry.without_order !== undefined && { withoutOrder: entry.without_order }),
    requiredParams: entry.required_params,
    optionalParams: entry.optional_params,
    tool: entry.tool,
    tools: entry.tools,
    confirm: entry.confirm,
    constraints: { channels, rollout, minTier },
    params: Object.fromEntries(params),
    examples: entry.examples,
    wording: {
      pre: pre ?? 'One moment, please.',
      post: post ?? 'That is done',
      postByStatus,
      ...(postByAsked !== undefined && { postByAsked }),
      ...(postWithout !== undefined && { postWithout }),
      ...(would !== undefined && { would }),
      confirm: confirm ?? 'Shall I go ahead?',
      ...(undo !== undefined && { undo }),
      ...(wouldToo !== undefined && { wouldToo }),
    },
  }
}

function specOf(name: string, given: IntentEntry['params'][string]): ParamSpec {
  const label = given.label ?? name.replaceAll('_', ' ')
  return {
    label,
    pattern: given.pattern ?? null,
    form: given.form,
    ask: given.ask ?? `What's your ${label}?`,
    values: given.values,
    wholeAnswer: given.whole_answer,
  }
}

/** For a missing file, the path says enough. */
const why = (cause: unknown): string =>
  cause instanceof UnreadableFileError ? ` (${cause.message})` : ''
