import { Outside } from './outside.ts'
import { SCENARIOS } from './scenarios.ts'
import { openStore } from '@echelon/store'

/** One of several processes that write one file at the same time: `writer.ts FOLDER NAME RUNS`. */
const [folder = '', name = '', runs = ''] = process.argv.slice(2)
const store = await openStore(`${folder}/shared.db`)
const go = new Promise((resolve) => process.once('message', resolve))
process.send?.('ready')
await go

/** A counter that all increment, and data of each process. */
async function keep(run: string): Promise<void> {
  for (let isCounted = false; !isCounted;) {
    const { value, version } = await store.memories.read('counter')
    const next = (typeof value === 'number' ? value : 0) + 1
    const written = await store.memories.write('counter', next, {
      key: `${run} over ${version}`,
      ifVersion: version,
    })
    isCounted = written !== 'conflict'
  }
  await store.cache.set(`cached ${run}`, { of: run }, 3_600_000)
  const claimed = await store.results.claim(`key of ${run}`, 'input', run)
  if (claimed.type === 'yours') await store.results.settle(`key of ${run}`, { of: run })
  // All compete for this one.
  const shared = await store.results.claim('shared', 'input', run)
  if (shared.type === 'yours') {
    outsideOf('shared').do('settled', run)
    await store.results.settle('shared', run)
  }
}

const outsideOf = (run: string): Outside => new Outside(folder, run)
const todo = [...Array(Number(runs)).keys()]
const worker = async (): Promise<void> => {
  for (let nth = todo.shift(); nth !== undefined; nth = todo.shift()) {
    const scenario = nth % 2 === 0 ? 'chat' : 'journey'
    const run = `${name}-${nth}-${scenario}`
    const outside = outsideOf(run)
    const { runs: journal, memories } = store
    await keep(run)
    await SCENARIOS[scenario]?.({ run, folder, journal, memories, outside, limits: {} })
  }
}
await Promise.all([worker(), worker(), worker()])
await store.close()
process.disconnect?.()
