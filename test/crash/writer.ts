import { Outside } from './outside.ts'
import { SCENARIOS } from './scenarios.ts'
import { openStore } from './store.ts'

/** One of several processes that write one file at the same time: `writer.ts FOLDER NAME RUNS`. */
const [folder = '', name = '', runs = ''] = process.argv.slice(2)
const store = await openStore(`${folder}/shared.db`)
const go = new Promise((resolve) => process.once('message', resolve))
process.send?.('ready')
await go

const todo = [...Array(Number(runs)).keys()]
const worker = async (): Promise<void> => {
  for (let nth = todo.shift(); nth !== undefined; nth = todo.shift()) {
    const scenario = nth % 2 === 0 ? 'chat' : 'journey'
    const run = `${name}-${nth}-${scenario}`
    const outside = new Outside(folder, run)
    const { runs: journal, memories } = store
    await SCENARIOS[scenario]?.({ run, folder, journal, memories, outside, limits: {} })
  }
}
await Promise.all([worker(), worker(), worker()])
await store.close()
process.disconnect?.()
