/**
 * A case in its own process, started when its parent says so.
 * Arguments: the store's file, the tool's file, the idempotency key, `dies` or `lives`.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { openStore } from '@echelon/store'

const [file = '', acts = '', key = '', how = 'lives'] = process.argv.slice(2)

const done = (): readonly string[] =>
  existsSync(acts) ? readFileSync(acts, 'utf8').trim().split('\n') : []

/** Acts by writing a line to a file; the process that writes the first one may die then. */
const calculator = defineTool({
  name: 'calculator',
  description: 'Computes.',
  does: 'acts',
  input: z.strictObject({ expr: z.string() }),
  run(_, { key: act }) {
    appendFileSync(acts, `${act}\n`)
    if (how === 'dies' && done().length === 1) process.kill(process.pid, 'SIGKILL')
    return VALUE
  },
  reconcile: async (act) => (done().includes(act) ? { type: 'ok', value: VALUE } : 'not-done'),
})

const VALUE = { value: '345', kind: 'data' } as const

const store = await openStore(file)
const decider = await createDecider({ store, tools: [calculator] })

async function decide(input: string): Promise<void> {
  try {
    const result = await decider.runCase(input, { idempotencyKey: key })
    process.send?.({ result })
  } catch (error) {
    process.send?.({ code: error instanceof EchelonError ? error.code : String(error) })
  } finally {
    await store.close()
    process.disconnect()
  }
}

process.once('message', (input) => void decide(String(input)))
process.send?.('ready')
