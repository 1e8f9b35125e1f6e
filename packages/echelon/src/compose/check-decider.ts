import { checkTools, listOf } from '../core/tool/tool-list.ts'
import { checkNames } from '../core/value/known-names.ts'
import { checkModelName, type Registry } from '../providers/registry.ts'
import type { DeciderOptions } from './decider-options.ts'

/** Exactly the known options; the compiler reports a missing one. */
const OPTIONS: Readonly<Record<keyof DeciderOptions, true>> = {
  config: true,
  small: true,
  big: true,
  ladder: true,
  unchecked: true,
  settings: true,
  providers: true,
  registry: true,
  tools: true,
  verifiers: true,
  gate: true,
  artifacts: true,
  store: true,
  journal: true,
  records: true,
  tracing: true,
  clock: true,
  ids: true,
}

/**
 * Reports to JavaScript users what the compiler reports in TypeScript.
 * @throws EchelonError INVALID_CONFIG that says what to write
 */
export function checkDecider(options: DeciderOptions): void {
  checkNames(options, { kind: 'option', names: Object.keys(OPTIONS) })
  listOf('ladder', options.ladder)
  checkTools(options.tools)
  listOf('verifiers', options.verifiers, 'standardVerifiers()')
}

/**
 * Checks the providers of models before the first case. Loads none of them.
 * @throws EchelonError UNKNOWN_MODEL, or MISSING_PACKAGE with the install command
 */
export async function checkModels(names: readonly string[], registry: Registry): Promise<void> {
  for (const name of new Set(names)) await checkModelName(name, registry)
}
