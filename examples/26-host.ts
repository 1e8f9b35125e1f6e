// A host resumes due runs: answered ones, those whose wake time has come, or whose process died.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, defineTool } from 'echelon/chat'
import { startHost, systemClock } from 'echelon/runtime'
import { openStore } from '@echelon/store'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const deploy = defineTool({
  name: 'deploy',
  description: 'deploys a version',
  does: 'acts',
  needsApproval: true,
  input: z.object({ version: z.string() }),
  run: ({ version }) => `deployed ${version}`,
})
// A scripted model stands for a real one.
const script = [
  { toolCalls: [{ tool: 'deploy', input: { version: '1.2' } }] },
  'Version 1.2 is out.',
]

const folder = await mkdtemp(join(tmpdir(), 'echelon-'))
const store = await openStore(join(folder, 'echelon.db'))
const agent = createAgent({
  name: 'releases',
  model: asBound(scriptedModel(script)),
  tools: [deploy],
  store,
})

// A run that only waits is suspended; any process may answer it.
const run = agent.run('release it', { suspend: { afterMs: 0 } })
await run.result.catch(() => undefined)
for (const { id, status, requests } of await store.runs.list()) {
  console.log(status, 'for', requests.length, 'answer')
  for (const request of requests) await store.runs.reply(id, request.id, 'once', 'ada')
}

// Several hosts on one store, in any processes, resume each run only once.
const host = startHost({
  store,
  agents: [agent],
  clock: systemClock,
  everyMs: 1000,
  onProblem: (problem, run) => console.error(run?.id, problem),
})
console.log('taken up:', await host.tick())
for (const { status, reason } of await store.runs.list()) console.log(status, reason)

await host.stop()
await store.close()
await rm(folder, { recursive: true })
