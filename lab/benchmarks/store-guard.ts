/**
 * Fails if the store has become slower or writes more, by ratios that are stable across machines, with
 * room for a busy one: twice the bar of a step, and 1.3 for the bytes of a late step. A figure above its
 * limit is measured again before it counts.
 */
import { STORE_BARS, type StoreMeasured } from './store/bars.ts'
import { exceeding, STORE_GUARDED } from './store/guard.ts'
import { measureStore } from './store/measure-store.ts'

const slow = exceeding(await measure(STORE_GUARDED))
const again = slow.length === 0 ? [] : exceeding(await measure(slow))
if (again.length > 0) {
  process.exitCode = 1
  console.log(`beyond its limit, twice in a row: ${again.join(', ')}. See npm run bench:store`)
}

async function measure(names: readonly string[]): Promise<readonly StoreMeasured[]> {
  const measured: StoreMeasured[] = []
  for (const name of names) measured.push(...(await measureStore(name)))
  for (const { bar, found, note } of measured) {
    console.log(
      `${STORE_BARS[bar].what}: ${found.toFixed(2)} ${STORE_BARS[bar].unit} (${note ?? ''})`,
    )
  }
  return measured
}
