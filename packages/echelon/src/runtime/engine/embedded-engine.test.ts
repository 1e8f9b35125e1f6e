import { suite, test } from 'node:test'
import { openStore } from '@echelon/store'
import { systemClock } from '../../platform/clock.ts'
import { engineContract } from '../../testing/contract/engine-contract.ts'
import type { RunStore } from '../../core/store/run-store.ts'
import { startEngine } from './embedded-engine.ts'

suite('the embedded engine', () => {
  let runs: RunStore | undefined
  const store = async (): Promise<RunStore> => (runs = (await openStore(':memory:')).runs)
  const cases = engineContract({
    store,
    async open(performer, { atOnce, ofPrincipal }) {
      return startEngine({
        store: { runs: runs ?? (await store()) },
        performer,
        agents: ['chat'],
        clock: systemClock,
        everyMs: 50,
        atOnce,
        // Every principal has this limit; the runs without one have none.
        atOncePerPrincipal: ofPrincipal,
      })
    },
  })
  for (const { name, holds } of cases) test(name, holds)
})
