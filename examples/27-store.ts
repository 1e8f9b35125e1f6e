// One file stores runs: a run waits for a person at no cost, and another process resumes it the next day.
import { EchelonError } from 'echelon'
import { createAgent, defineTool } from 'echelon/chat'
import { examineStore, openStore, type OpenedStore } from '@echelon/store'
import { asBound, scriptedModel } from 'echelon/testing'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
const FILE = join(folder, 'echelon.db')
let paid = 0
const pay = defineTool({
  name: 'pay',
  description: 'pays somebody',
  input: z.object({ to: z.string() }),
  does: 'acts',
  needsApproval: true,
  run: ({ to }) => `paid ${to}, payment ${++paid}`,
})
const agentOn = (store: OpenedStore, ...script: Parameters<typeof scriptedModel>[0]) =>
  createAgent({
    model: asBound(scriptedModel(script), 'demo/small'),
    tools: [pay],
    store,
    suspend: { afterMs: 0 },
  })

// Today the run asks and is suspended; its process may end or be killed.
const today = await openStore(FILE)
const toolCalls = [{ tool: 'pay', input: { to: 'Ada' } }]
await agentOn(today, { toolCalls })
  .run('Pay Ada.')
  .result.catch((error: unknown) => console.log(error instanceof EchelonError && error.code))
await today.close()

// Tomorrow, in any process, the answer is stored and the run resumes with it.
const store = await openStore(FILE)
const [waiting] = await store.runs.list({ status: ['waiting'] })
const [request] = waiting?.requests ?? []
if (waiting === undefined || request === undefined) throw new Error('nothing waits')
await store.runs.reply(waiting.id, request.id, 'once', 'Grace')
const run = await agentOn(store, 'Ada is paid.').resume(waiting.id)
console.log((await run.result).text, `${paid} payment`)

// A backup while others write, a check of the copy, and pruning of finished runs.
const copy = join(folder, 'backup.db')
await store.backup(copy)
const look = examineStore(copy)
const { runs, damage } = await look.facts()
look.close()
console.log(runs, damage, (statSync(copy).mode & 0o777).toString(8))
console.log(await store.runs.prune({ endedBeforeMs: 0 }))

await store.close()
rmSync(folder, { recursive: true })
