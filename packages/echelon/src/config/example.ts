import { type KnownSetting, sectionOf } from '../core/setting/setting-tree.ts'
import type { KnownSettings } from './known.ts'

const HEAD = `# Every setting with its default. Copy this file to config.yaml and keep only what you change.
#
# Later sources override earlier ones: config.yaml; config.<name>.yaml next to it, when ECHELON_ENV is
# <name>; .env next to it; environment variables; options of the command or call. Each setting has a
# variable named by its section and key in upper case: BUDGET_MAX_SECONDS=30, TOOLS_PLOTTER_RETRIES=2.
# There, lists are comma-separated, null means none, and an empty value is ignored. API keys have the
# usual variables: OPENAI_API_KEY, ANTHROPIC_API_KEY, …
`

/** Notes for whole sections. */
const OWN_NOTES: Readonly<Record<string, string>> = {
  providers: "By provider: the part of a model's name before the slash.",
}

/** The text of `config.yaml.example`: every setting with its default and meaning. */
export function exampleOf({ table, all }: KnownSettings): string {
  const notes = { ...table.notes, ...OWN_NOTES }
  const sections = Map.groupBy(all, ({ path }) => sectionOf(path))
  const blocks = [...sections].map(([section, settings]) => {
    const note = notes[section] === undefined ? '' : `# ${notes[section]}\n`
    // Keeps models commented out, so a plain copy of the file sets none: without a key the offline
    // ones answer.
    const isOpen = section === 'models' || settings.every(({ default: one }) => one === undefined)
    const body = block(section, settings.flatMap(linesOf))
    return `${note}${isOpen ? commented(body) : body}`
  })
  return [HEAD, ...blocks].join('\n')
}

/** A comment or a line of YAML, and the keys above it. */
interface Line {
  readonly under: readonly string[]
  readonly text: string
}

/** Sections whose keys are explained in other sections. */
const REPEATED = ['modes']

/** An example name for each star. */
const NAMES: Readonly<Record<string, string>> = { providers: 'openai', tools: 'data_fetch_stock' }

function linesOf({ path, meaning, example, ...setting }: KnownSetting): readonly Line[] {
  const names = path
    .split('.')
    .map((part) => (part === '*' ? NAMES[sectionOf(path)] : part) ?? part)
  const under = names.slice(1, -1)
  const value = inYaml(setting.default === undefined ? example : setting.default)
  const line = { under, text: `${names.at(-1)}:${value}` }
  return REPEATED.includes(sectionOf(path)) ? [line] : [{ under, text: `# ${meaning}` }, line]
}

/** The lines of a section, indented below their keys. Each key is written once. */
function block(section: string, lines: readonly Line[]): string {
  let last: readonly string[] = []
  const written = lines.flatMap(({ under, text }) => {
    const isNew = under.findIndex((name, depth) => name !== last[depth])
    const names = isNew === -1 ? [] : under.slice(isNew)
    const opened = names.map((name, depth) => `${indent(isNew + depth + 1)}${name}:`)
    last = under
    return [...opened, ...text.split('\n').map((one) => indent(under.length + 1) + one)]
  })
  return `${[`${section}:`, ...written].join('\n')}\n`
}

const indent = (depth: number): string => '  '.repeat(depth)

/** Comments out all lines but the section's own, so that removing the signs enables the example. */
const commented = (text: string): string => text.replaceAll(/^ {2}/gm, '  # ')

const WIDE = 80

/** A value after its key; long lists have one item per line. */
function inYaml(value: unknown): string {
  if (!Array.isArray(value)) return ` ${scalar(value)}`
  const inline = `[${value.map(scalar).join(', ')}]`
  if (inline.length <= WIDE) return ` ${inline}`
  return value.map((one) => `\n  - ${scalar(one)}`).join('')
}

/** JSON is valid YAML; a plain word needs no quotes. */
const scalar = (value: unknown): string =>
  typeof value === 'string' && /^[a-z][\w./-]*$/i.test(value) ? value : JSON.stringify(value)
