import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as Yaml from 'yaml'
import { EchelonError } from 'echelon/internal/value'
import { readGivenText, UnreadableFileError } from 'echelon/internal/platform'
import { parseYaml } from 'echelon/internal/yaml'
import type { Intent, ParamSpec } from '../intent.ts'
import { type IntentsConfig, IntentsRegistry } from '../intents-registry.ts'
import { flawsOf } from './intents-check.ts'
import { type IntentEntry, type IntentsFile, intentsSchema } from './intents-schema.ts'
import { withMessages } from './more-messages.ts'
import { readOnce } from './read-once.ts'
import { loadTrainedModels } from './trained-models.ts'

/** Limit for a handwritten file of intents. */
const MOST_CHARACTERS = 4_000_000
/** Parameters shared by several intents are written once and referenced. */
const MOST_ALIASES = 1_000
const MOST_PROBLEMS = 10

/**
 * Reads an intents file, and the files of further messages that it names.
 *
 * @param path default: the `packages/support/config/intents.yaml` that comes with Echelon, which a process reads once
 * @throws EchelonError INVALID_CONFIG with one line per error: file, line, what to do
 */
export const loadIntents = (path?: string): Promise<IntentsRegistry> =>
  path === undefined ? shippedIntents() : readIntents(path)

const shippedIntents = readOnce(() =>
  readIntents(fileURLToPath(import.meta.resolve('@echelon/support/config/intents.yaml'))),
)

async function readIntents(file: string): Promise<IntentsRegistry> {
  const [{ config, messages }, models] = await Promise.all([
    readFileOf(file, 'a file of intents').then((text) => parsedFile(text, file)),
    loadTrainedModels(),
  ])
  const more = await Promise.all(
    messages.map((one) => readFileOf(placeOfMessages(one, file), 'a file of messages')),
  )
  const all = more.reduce(
    (joined, text, index) => withMessages(joined, text, messages[index] ?? ''),
    config,
  )
  return new IntentsRegistry({ ...all, models })
}

/** Beside the file of intents, or in this package: a copy of the intents that come along still finds their messages. */
const placeOfMessages = (name: string, file: string): string =>
  name.startsWith(OWN_PACKAGE)
    ? fileURLToPath(import.meta.resolve(name))
    : join(dirname(file), name)

const OWN_PACKAGE = '@echelon/support/'

const readFileOf = (file: string, what: string): Promise<string> =>
  readGivenText(file, 4 * MOST_CHARACTERS).catch((cause: unknown) => {
    const sentence = `${file} cannot be read${why(cause)}; name ${what}`
    throw new EchelonError('INVALID_CONFIG', sentence, { cause })
  })

/**
 * Parses intents from a text.
 * @param name the name used in error messages
 * @throws EchelonError as `loadIntents`
 */
export async function parseIntents(text: string, name: string): Promise<IntentsRegistry> {
  const { config, messages } = await parsedFile(text, name)
  const [file] = messages
  if (file === undefined) return new IntentsRegistry(config)
  throw wrong([`${name}: ${file} is read beside a file of intents; use loadIntents`])
}

interface ParsedFile {
  readonly config: IntentsConfig
  /** Files of further examples. */
  readonly messages: readonly string[]
}

/** The files parsed last, by name and text: agents of a program share their intents. */
const recentFiles = new Map<string, ParsedFile>()
const MOST_KEPT = 4

async function parsedFile(text: string, name: string): Promise<ParsedFile> {
  const key = JSON.stringify([name, text])
  const parsed = recentFiles.get(key) ?? (await parse(text, name))
  recentFiles.delete(key)
  recentFiles.set(key, parsed)
  for (const oldest of recentFiles.keys()) {
    if (recentFiles.size > MOST_KEPT) recentFiles.delete(oldest)
  }
  return parsed
}

async function parse(text: string, name: string): Promise<ParsedFile> {
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
  return { config: configOf(parsed.data), messages: parsed.data.messages ?? [] }
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
