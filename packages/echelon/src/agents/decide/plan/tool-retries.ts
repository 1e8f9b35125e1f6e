import { nearest } from '../../../core/value/nearest.ts'
import type { Tool } from '../../../core/tool/tool.ts'
import { type DecideSettings, invalid } from '../settings/settings.ts'

/**
 * The tools, with the retries set in the configuration.
 * @throws EchelonError INVALID_CONFIG if the settings name a tool that does not exist
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

/** The message for a tool that is configured but does not exist. */
export function unknownTool(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  const hint = near === null ? `the tools are ${known.join(', ')}` : `did you mean ${near}?`
  return `tools.${name} is not a tool; ${hint}`
}

// Not a plain spread: a tool may be a class instance, whose methods a spread drops.
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
