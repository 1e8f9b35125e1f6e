import { EchelonError, wordHint } from 'echelon/internal/value'
import { type Known, knownOptions } from 'echelon/internal/middleware'
import type { IntentsRegistry } from './intents-registry.ts'
import type { RouterOptions } from './router-options.ts'

const OPTIONS: Known<RouterOptions> = {
  memory: true,
  dataSource: true,
  llmProvider: true,
  policy: true,
  executor: true,
  telemetry: true,
  intents: true,
  knowledge: true,
  understanding: true,
  wording: true,
  maxAsks: true,
  limits: true,
  store: true,
  clock: true,
  ids: true,
}

/**
 * Rejects misspelled options, which would silently do nothing: an unread rule file forbids nothing.
 * @throws EchelonError INVALID_CONFIG with the nearest valid option
 */
export function checkOptions(options: RouterOptions): void {
  knownOptions('support', options, OPTIONS)
  const { maxAsks = 1 } = options
  if (Number.isInteger(maxAsks) && maxAsks >= 1) return
  throw new EchelonError(
    'INVALID_CONFIG',
    `support: maxAsks is ${maxAsks}; give a whole number from 1 on`,
  )
}

/**
 * Rejects an intent whose tool does not exist.
 * @throws EchelonError INVALID_CONFIG
 */
export function checkTools({ config }: IntentsRegistry, tools: readonly string[]): void {
  for (const { id, tool, tools: further } of config.intents) {
    const missing = [tool, ...further].find((name) => !tools.includes(name))
    if (missing === undefined) continue
    throw new EchelonError(
      'INVALID_CONFIG',
      `support: the intent ${id} calls the tool ${missing}, which the executor does not have${wordHint(missing, tools)}; register it, or change the intent`,
    )
  }
}
