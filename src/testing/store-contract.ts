import type { Store } from '../core/store.ts'
import { artifactIndexContract } from './artifact-index-contract.ts'
import { auditStoreContract, type AuditStoreTrial } from './audit-store-contract.ts'
import { cacheContract } from './cache-contract.ts'
import type { ContractCase } from './contract.ts'
import { eventStoreContract } from './event-store-contract.ts'
import { journalContract } from './journal-contract.ts'
import { memoryStoreContract } from './memory-store-contract.ts'
import { resultStoreContract } from './result-store-contract.ts'
import { runStoreContract } from './run-store-contract.ts'
import { sessionStoreContract } from './session-store-contract.ts'

/** What a test can do with a store besides what a program does. */
export interface StoreTrial {
  /** The same store, as another process has it. */
  readonly another: (store: Store) => Store | Promise<Store>
  /** Has others take the store's process for dead, such as by letting its leases run out. */
  readonly lapse: (store: Store) => void | Promise<void>
  /** The time as all stores tell it, in milliseconds since the epoch. */
  readonly now: () => number
  /** Lets time pass. */
  readonly pass: (ms: number) => Promise<void>
  /** As `auditStoreContract` takes it. */
  readonly verify: AuditStoreTrial['verify']
}

/**
 * What everything that outlives a process must do: the contracts of all that is in a `Store`.
 * `for (const { name, holds } of storeContract(open, trial)) test(name, holds)`.
 * @param open a new, empty store for each case; whoever gives it closes it
 */
export function storeContract(
  open: () => Store | Promise<Store>,
  { another, lapse, now, pass, verify }: StoreTrial,
): readonly ContractCase[] {
  const wholes = new WeakMap<object, Store>()
  const known = (store: Store): Store => {
    for (const part of partsOf(store)) wholes.set(part, store)
    return store
  }
  const wholeOf = (part: object): Store => {
    const whole = wholes.get(part)
    if (whole === undefined) throw new Error('a part of a store must stay the same object')
    return whole
  }
  const opened = async (): Promise<Store> => known(await open())
  const other = async (part: object): Promise<Store> => known(await another(wholeOf(part)))
  const lapsed = async (part: object): Promise<void> => await lapse(wholeOf(part))
  const runs = async () => (await opened()).runs
  const reopen = async (part: object) => {
    const next = await other(part)
    await wholeOf(part).close()
    return next.runs
  }
  return [
    ...named(
      'runs',
      runStoreContract(runs, {
        another: async (one) => (await other(one)).runs,
        lapse: lapsed,
        now,
        pass,
      }),
    ),
    ...named('journal', journalContract(runs, { reopen })),
    ...named('sessions', sessionStoreContract(opened)),
    ...named(
      'results',
      resultStoreContract(async () => (await opened()).results, {
        another: async (one) => (await other(one)).results,
        lapse: lapsed,
      }),
    ),
    ...named(
      'memories',
      memoryStoreContract(async () => (await opened()).memories, {
        another: async (one) => (await other(one)).memories,
      }),
    ),
    ...named(
      'cache',
      cacheContract(async () => ({ store: (await opened()).cache, pass }), {
        another: async (one) => (await other(one)).cache,
      }),
    ),
    ...named(
      'events',
      eventStoreContract(async () => (await opened()).events, {
        another: async (one) => (await other(one)).events,
      }),
    ),
    ...named('artifacts', artifactIndexContract(opened)),
    ...named(
      'audit',
      auditStoreContract(async () => (await opened()).audit, {
        verify,
        another: async (one) => (await other(one)).audit,
      }),
    ),
  ]
}

const partsOf = ({ runs, results, memories, cache, events, audit }: Store): readonly object[] => [
  runs,
  results,
  memories,
  cache,
  events,
  audit,
]

const named = (part: string, cases: readonly ContractCase[]): readonly ContractCase[] =>
  cases.map(({ name, holds }) => ({ name: `${part}: ${name}`, holds }))
