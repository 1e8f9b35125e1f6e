import type * as Yaml from 'yaml'
import { isRecord } from '../core/value/json.ts'
import { optionalPackage } from '../core/value/optional-package.ts'
import { type KnownSetting, readSettings } from '../core/setting/setting-tree.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import type { SettingsSource } from './settings-source.ts'
import type { TextFile } from './text-file.ts'

/** Maximum number of repetitions of an anchor by aliases; settings files need no aliases. */
const MOST_ALIASES = 20

/**
 * The settings of a YAML file. Problems name file, line and key.
 * @throws EchelonError MISSING_PACKAGE
 */
export async function yamlSource(
  known: readonly KnownSetting[],
  { path, text, problem }: TextFile,
): Promise<SettingsSource> {
  if (problem !== null) return flawed([problem])
  if (text === null) return flawed([])
  const yaml = await optionalPackage('yaml@2', () => import('yaml'))
  const parsedYaml = parseYaml(yaml, text, { keys: 'string' })
  if (parsedYaml === undefined) return flawed([`${path} is nested too deeply`])
  const { document, lines } = parsedYaml
  const wrong = [...document.errors, ...document.warnings].map((error) => {
    const { line } = lines.linePos(error.pos[0])
    return `${path}:${line}: ${keyIn(text, line)}${sentence(error)}`
  })
  if (wrong.length > 0) return flawed([...new Set(wrong)].slice(0, MOST_PROBLEMS))
  const content = contentOf(document)
  if (content.problem !== null) return flawed([`${path} ${content.problem}`])
  const { values, problems } = readSettings(known, content.value)
  const lineOf = (at: readonly string[]): number =>
    lines.linePos(offsetOf(yaml, document.contents, at)).line
  return {
    values: values.map((given) => ({
      ...given,
      origin: { from: 'file', file: path, line: lineOf(given.at) },
    })),
    problems: problems.map(({ at, message }) => `${path}:${lineOf(at)}: ${message}`),
    warnings: [],
  }
}

const flawed = (problems: readonly string[]): SettingsSource => ({
  values: [],
  problems,
  warnings: [],
})

/** A file that is not YAML has errors everywhere. */
const MOST_PROBLEMS = 10

/** The parser's own messages quote the file, which may hold a key. */
const SENTENCES: { readonly [Code in Yaml.ErrorCode]?: string } = {
  BAD_DQ_ESCAPE: 'a backslash in double quotes starts an unknown escape; use single quotes',
  BAD_INDENT: 'the indentation is wrong',
  BAD_SCALAR_START: 'a value starts with a character that has a meaning in YAML; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a value contains a colon and a space; put it in quotes',
  DUPLICATE_KEY: 'this key appears twice; keep one of them',
  MISSING_CHAR: 'a colon, quote or bracket is missing',
  MULTIPLE_DOCS: 'the file holds a second document after ---; remove it',
  NON_STRING_KEY: 'a key must be a word',
  RESOURCE_EXHAUSTION: 'this is nested too deeply',
  TAB_AS_INDENT: 'a tab indents this line; use spaces',
  TAG_RESOLVE_FAILED: 'a tag (!name) has no meaning here; remove it',
}

const sentence = ({ code }: Yaml.YAMLError): string => SENTENCES[code] ?? 'this is not valid YAML'

/** The key at the start of a line, for a message. */
function keyIn(text: string, line: number): string {
  const [, key] = /^\s*([a-z][a-z_]*)\s*:/.exec(text.split('\n')[line - 1] ?? '') ?? []
  return key === undefined ? '' : `${key}: `
}

interface Content {
  readonly value: unknown
  readonly problem: string | null
}

function contentOf(document: Yaml.Document.Parsed): Content {
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
    if (value === null || isRecord(value)) return { value, problem: null }
    return { value: null, problem: 'holds no settings; write them as section: and key: value' }
  } catch (error) {
    const isTooMuch = error instanceof Error && error.message.includes('Excessive alias count')
    const what = isTooMuch
      ? 'expands its aliases to far too much'
      : 'has an alias without an anchor'
    return { value: null, problem: `${what}; write the values out` }
  }
}

/** The offset of the last of these keys that appears in the file; aliases hide deeper keys. */
function offsetOf(yaml: typeof Yaml, root: Yaml.Node | null, at: readonly string[]): number {
  let [node, offset]: [unknown, number] = [root, root?.range?.[0] ?? 0]
  for (const key of at) {
    if (!yaml.isMap(node)) break
    const pair = node.items.find((item) => yaml.isScalar(item.key) && item.key.value === key)
    if (pair === undefined || !yaml.isScalar(pair.key)) break
    offset = pair.key.range?.[0] ?? offset
    node = pair.value
  }
  return offset
}
