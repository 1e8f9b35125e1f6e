import { callDirectly, callsOf } from './direct-run.ts'
import type { Domain } from './domain.ts'
import type { DomainFiles } from './read-domain.ts'
import { DatabaseHash, FORMULAS, TUPLES } from './database-hash.ts'
import type { RecordedRun } from './recorded-run.ts'
import type { TauData } from './tau-data.ts'

/** Finds the hash formula of a record: the first one that yields one of its hashes. */
export interface RecordedHash {
  /** For people, such as `sha256 of str(tuples)`. */
  readonly name: string
  of(data: TauData): string
}

/** Runs that are tried; a formula that is known fits the first. */
const TRIED = 5

/** The hash that the record says the run ends with: its own, or that of the right actions. */
export const hashOf = (run: RecordedRun): string | undefined =>
  run.hash ?? (run.endsAsGold === true ? run.gold.hash : undefined)

/** `undefined` where no run has a hash, or no known formula gives one of them. */
export function findHash(domain: Domain, { base, runs }: DomainFiles): RecordedHash | undefined {
  const ends = runs
    .filter((run) => hashOf(run) !== undefined)
    .slice(0, TRIED)
    .map((run) => {
      const calls = callsOf(run).map(({ call }) => call)
      return { wanted: hashOf(run) ?? '', data: callDirectly(domain, base, calls).data }
    })
  if (ends.length === 0) return undefined
  for (const formula of FORMULAS) {
    for (const names of subsets(domain)) {
      const hash = new DatabaseHash(formula)
      // A record may keep only how a hash begins.
      const isIt = ends.some(({ wanted, data }) => hash.of(data, names).startsWith(wanted))
      if (isIt) return named(hash, names, domain)
    }
  }
  return undefined
}

export const tupleHash = (domain: Domain): RecordedHash =>
  named(new DatabaseHash(TUPLES), domain.tables, domain)

/** All tables, and those alone that tools change. */
const subsets = ({ tables }: Domain): readonly (readonly string[])[] => [
  tables,
  tables.filter((name) => name !== 'flights' && name !== 'products'),
]

const named = (hash: DatabaseHash, names: readonly string[], domain: Domain): RecordedHash => ({
  name:
    names.length === domain.tables.length
      ? hash.formula.name
      : `${hash.formula.name} of ${names.join(' and ')}`,
  of: (data) => hash.of(data, names),
})
