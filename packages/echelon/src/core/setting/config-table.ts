import type { SettingTable } from './setting.ts'
import {
  type GivenValue,
  type KnownSetting,
  listed,
  type LooseTable,
  nested,
  valuesOf,
} from './setting-tree.ts'

/** A default that depends on other values. */
export interface DerivedDefault {
  readonly path: string
  readonly value: unknown
  /** Why it differs from the documented default, in one clause. */
  readonly because: string
}

/**
 * Settings that a part of the program, such as an agent, registers with the configuration. The
 * configuration reads, checks and shows them, and knows nothing else of that part.
 */
export interface ConfigTable<Values extends object = object> {
  readonly settings: readonly KnownSetting[]
  /**
   * Builds what the program reads, complete and checked.
   * @param given valid values of this table and of others
   * @param named the values that were set explicitly, not derived defaults
   * @throws EchelonError INVALID_CONFIG for values that contradict each other
   */
  read(given: readonly GivenValue[], named: readonly GivenValue[]): Values
  /** Describes a section as a whole, in the example file. */
  readonly notes?: Readonly<Record<string, string>>
  /** Defaults that depend on the values that were set. */
  defaults?(named: readonly GivenValue[]): readonly DerivedDefault[]
  /** Finds problems in a value once the tools' names are known. */
  problemWith?(given: GivenValue, tools: readonly string[]): string | undefined
  /** The value that replaces this one, which is then unused. */
  replacedBy?(given: GivenValue, named: readonly GivenValue[]): GivenValue | undefined
}

/** Picks the values of a table from the given ones, as an object of sections. */
export function sectionsOf(
  settings: readonly KnownSetting[],
  given: readonly GivenValue[],
): object {
  const paths = new Set(settings.map(({ path }) => path))
  return nested(given.filter(({ setting }) => paths.has(setting.path)))
}

/** Creates a table of independent settings; `made` builds what the program reads. */
// The overload keeps the type, as for `valuesOf`.
export function tableOf<Sections, Values extends object>(
  table: SettingTable<Sections>,
  made: (sections: Sections) => Values,
): ConfigTable<Values>
export function tableOf(table: LooseTable, made: (sections: unknown) => object): ConfigTable {
  const settings = listed(table)
  return {
    settings,
    read: (given) => made(valuesOf<unknown>(table, sectionsOf(settings, given))),
  }
}

/** Joins two tables, in this order. */
export function joined<One extends object, Other extends object>(
  one: ConfigTable<One>,
  other: ConfigTable<Other>,
): ConfigTable<One & Other> {
  return {
    settings: [...one.settings, ...other.settings],
    read: (given, named) => ({ ...one.read(given, named), ...other.read(given, named) }),
    notes: { ...one.notes, ...other.notes },
    defaults: (named) => [...(one.defaults?.(named) ?? []), ...(other.defaults?.(named) ?? [])],
    problemWith: (given, tools) =>
      one.problemWith?.(given, tools) ?? other.problemWith?.(given, tools),
    replacedBy: (given, named) =>
      one.replacedBy?.(given, named) ?? other.replacedBy?.(given, named),
  }
}
