import { suite, test } from 'node:test'
import { openStore } from '@echelon/store'
import { systemClock } from '../../packages/echelon/src/platform/clock.ts'
import { engineContract } from '../../packages/echelon/src/testing/contract/engine-contract.ts'
import type { RunStore } from '../../packages/echelon/src/core/store/run-store.ts'
import { startEngine } from '../../packages/echelon/src/runtime/engine/embedded-engine.ts'

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
