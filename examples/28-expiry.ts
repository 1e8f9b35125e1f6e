// A question that expires without an answer; a host resumes the run at that time.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AgentDefinition,
  artifactFolder,
  resumeRun,
  type Services,
  startHost,
  startRun,
  systemClock,
  systemIds,
  ToolRegistry,
} from 'echelon/runtime'
import { openStore } from '@echelon/store'

interface State {
  readonly said?: string
}

const reminder: AgentDefinition<string, State, string> = {
  name: 'reminder',
  version: 1,
  actors: { host: { asks: true } },
  start: () => ({ state: {} }),
  next: ({ said }) =>
    said === undefined
      ? { type: 'ask', actor: 'host', question: 'Shall it go out?', expiresInMs: 200 }
      : { type: 'finish', result: said, reason: 'told' },
  observe: (_, { type }) => ({ state: { said: type === 'unanswered' ? 'not sent' : 'sent' } }),
  load: () => ({}),
}

const folder = await mkdtemp(join(tmpdir(), 'echelon-'))
const store = await openStore(join(folder, 'echelon.db'))
const services: Services = {
  models: {},
  tools: new ToolRegistry([]),
  artifacts: artifactFolder({ folder: join(folder, 'artifacts') }),
  clock: systemClock,
  ids: systemIds,
  timeZone: 'UTC',
  limits: { steps: 10 },
  journal: store.runs,
}
const asked = startRun(reminder, 'the newsletter', services, { suspend: { afterMs: 0 } })
await asked.result.catch(({ code }) => console.log(code))

// A host accepts any named object that can resume its runs.
const agent = {
  name: reminder.name,
  resume: async (id: string, options: { readonly suspend: { readonly afterMs: number } }) =>
    resumeRun(reminder, await store.runs.read(id), { services, ...options }),
}
const host = startHost({ store, agents: [agent], clock: systemClock, everyMs: 50 })
const standing = async () => (await store.runs.find(asked.id))?.status
while ((await standing()) !== 'finished') await new Promise((done) => setTimeout(done, 50))
console.log((await (await agent.resume(asked.id, { suspend: { afterMs: 0 } })).result).result)

await host.stop()
await store.close()
await rm(folder, { recursive: true })
