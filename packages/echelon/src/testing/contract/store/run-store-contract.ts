import type { RunStore } from '../../../core/store/run-store.ts'
import type { ContractCase } from '../../contract.ts'
import { answers } from '../../run-store/answers.ts'
import { due } from '../../run-store/due.ts'
import { listing } from '../../run-store/listing.ts'
import { removal } from '../../run-store/removal.ts'
import type { Opened, RunStoreTrial } from '../../run-store/premises.ts'
import { turns } from '../../run-store/turns.ts'
import { writers } from '../../run-store/writers.ts'

export type { RunStoreTrial } from '../../run-store/premises.ts'

/**
 * The requirements of every `RunStore` in addition to those of a journal (`journalContract`), so
 * that processes that share it neither lose anything of a run nor do anything twice: `for (const {
 * name, holds } of runStoreContract(open, trial)) test(name, holds)`.
 * @param open a new, empty store for each case
 */
export function runStoreContract(
  open: () => RunStore | Promise<RunStore>,
  { another, lapse, now = () => Date.now(), pass }: RunStoreTrial,
): readonly ContractCase[] {
  const trial = async (): Promise<Opened> => ({ store: await open(), another, lapse, now })
  return [
    ...writers(trial),
    ...turns(trial),
    ...answers(trial),
    ...listing(trial),
    ...due(trial),
    ...removal(trial, pass),
  ]
}
