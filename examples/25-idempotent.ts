// The same idempotency key executes once, in all processes that share a store; the rest get the result.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDecider } from 'echelon'
import { openStore } from '@echelon/store'

const folder = await mkdtemp(join(tmpdir(), 'echelon-'))
// Each stands for a process: they share only the file.
const file = join(folder, 'echelon.db')
const stores = [await openStore(file), await openStore(file), await openStore(file)]
const deciders = await Promise.all(stores.map((store) => createDecider({ store })))

const idempotencyKey = 'order-7'
const results = await Promise.all(
  deciders.map((decider) => decider.runCase('What is 15 * 23?', { idempotencyKey })),
)
const runs = new Set(results.map(({ run_id }) => run_id))
console.log(results.map(({ answer }) => answer).join(', '), 'from', runs.size, 'run')

const [decider] = deciders
await decider
  ?.runCase('What is 2 + 2?', { idempotencyKey })
  .catch(({ code, message }) => console.log(`${code}: ${message}`))

await Promise.all(stores.map((store) => store.close()))
await rm(folder, { recursive: true })
