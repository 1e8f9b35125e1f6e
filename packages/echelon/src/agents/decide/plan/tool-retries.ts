import { nearest } from '../../../core/value/nearest.ts'
import type { Tool } from '../../../core/tool/tool.ts'
import { type DecideSettings, invalid } from '../settings/settings.ts'

/**
 * The tools with the retries that the settings give them.
 * @throws EchelonError INVALID_CONFIG when the settings name a tool that is not there
 */
export function withRetries(
  tools: readonly Tool[],
  settings: DecideSettings['tools'],
): readonly Tool[] {
  const names = tools.map(({ name }) => name)
  const unknown = Object.keys(settings).find((name) => !names.includes(name))
  if (unknown !== undefined) throw invalid(unknownTool(unknown, names))
  return tools.map((tool) => {
    const { retries = tool.retries } = settings[tool.name] ?? {}
    return retries === tool.retries ? tool : retried(tool, retries)
  })
}

/** What is said of a tool that the settings name and nobody has. */
export function unknownTool(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  const hint = near === null ? `there are ${known.join(', ')}` : `did you mean ${near}?`
  return `tools.${name} is no tool; ${hint}`
}

// Not spread alone: a tool may be an object of a class, whose methods a spread leaves behind.
const retried = (tool: Tool, retries: number): Tool => ({
  name: tool.name,
  description: tool.description,
  input: tool.input,
  jsonSchema: tool.jsonSchema,
  does: tool.does,
  timeoutMs: tool.timeoutMs,
  retries,
  parallel: tool.parallel,
  needsApproval: tool.needsApproval,
  delegates: tool.delegates,
  run: (input, context) => tool.run(input, context),
  ...(tool.reconcile === undefined
    ? {}
    : { reconcile: (key, input) => tool.reconcile?.(key, input) ?? Promise.resolve('unknown') }),
})
