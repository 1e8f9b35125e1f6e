import type { ConfigTable } from '../core/setting/config-table.ts'
import { type KnownSetting, sectionOf } from '../core/setting/setting-tree.ts'
import { PROVIDERS } from './providers.ts'

/** Every setting that there is: the providers', and those of the tables that were registered. */
export interface KnownSettings<Values extends object = object> {
  readonly table: ConfigTable<Values>
  /** Section by section. */
  readonly all: readonly KnownSetting[]
}

/** Sections as a reader wants them; one that is not named here comes after these. */
const ORDER = ['models', 'providers', 'run']

const rank = (section: string): number =>
  ORDER.includes(section) ? ORDER.indexOf(section) : ORDER.length

/** The settings of a configuration that holds these tables, joined into one. */
export function knownSettings<Values extends object>(
  table: ConfigTable<Values>,
): KnownSettings<Values> {
  const sections = Map.groupBy([...table.settings, ...PROVIDERS], ({ path }) => sectionOf(path))
  const all = [...sections]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .flatMap(([, settings]) => settings)
  return { table, all }
}
