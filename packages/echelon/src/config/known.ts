import type { ConfigTable } from '../core/setting/config-table.ts'
import { type KnownSetting, sectionOf } from '../core/setting/setting-tree.ts'
import { PROVIDERS } from './providers.ts'

/** All settings: those of the providers and of the registered tables. */
export interface KnownSettings<Values extends object = object> {
  readonly table: ConfigTable<Values>
  /** Section by section. */
  readonly all: readonly KnownSetting[]
}

/** The order of sections for readers; others follow. */
const ORDER = ['models', 'providers', 'run']

const rank = (section: string): number =>
  ORDER.includes(section) ? ORDER.indexOf(section) : ORDER.length

/** Joins tables into the settings of one configuration. */
export function knownSettings<Values extends object>(
  table: ConfigTable<Values>,
): KnownSettings<Values> {
  const sections = Map.groupBy([...table.settings, ...PROVIDERS], ({ path }) => sectionOf(path))
  const all = [...sections]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .flatMap(([, settings]) => settings)
  return { table, all }
}
