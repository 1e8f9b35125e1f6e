import { EchelonError } from 'echelon/runtime'
import type { Config } from 'echelon/config'
import { standardTools } from '@echelon/tools'
import { type Tool } from 'echelon'

/** Command-line options for the tools of a chat. */
export interface ToolChoice {
  /** Names of tools; false for none. */
  readonly tools?: readonly string[] | false
  /** Tools that need approval; `all` for all of them. */
  readonly ask?: readonly string[]
}

export interface ChatTools {
  readonly tools: readonly Tool[]
  /** Names of the tools that ask before they run. */
  readonly asked: ReadonlySet<string>
}

/**
 * Selects the named tools, as far as the configuration allows them.
 * @param more tools besides the built-in ones
 * @throws EchelonError INVALID_INPUT for an unknown name
 */
export async function chatTools(
  { tools: named, ask = [] }: ToolChoice,
  { settings }: Pick<Config, 'settings'>,
  more: readonly Tool[] = [],
): Promise<ChatTools> {
  const { allowed_tools, denied_tools } = settings.security
  const allowed = [...(await standardTools()), ...more]
    .filter(({ name }) => allowed_tools?.includes(name) !== false && !denied_tools.includes(name))
    .map((tool) => ({ ...tool, retries: settings.tools[tool.name]?.retries ?? tool.retries }))
  const tools = chosen(allowed, named)
  if (ask.includes('all')) return { tools, asked: new Set(tools.map(({ name }) => name)) }
  checkNames(ask, tools, '--ask')
  return { tools, asked: new Set(ask) }
}

function chosen(all: readonly Tool[], named: ToolChoice['tools']): readonly Tool[] {
  if (named === undefined) return all
  if (named === false) return []
  checkNames(named, all, '--tools')
  return all.filter(({ name }) => named.includes(name))
}

function checkNames(names: readonly string[], tools: readonly Tool[], option: string): void {
  const unknown = names.find((name) => !tools.some((tool) => tool.name === name))
  if (unknown === undefined) return
  const known = tools.map(({ name }) => name).join(', ')
  throw new EchelonError(
    'INVALID_INPUT',
    `${option} names ${unknown}, and there is no such tool here; ${known === '' ? 'there are none' : `there are ${known}`}`,
  )
}
