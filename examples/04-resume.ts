// A run is the fold of its journal: replay it without model calls, or resume it after a crash.
import {
  MemoryJournal,
  replayRun,
  resumeRun,
  startRun,
  systemClock,
  systemIds,
  type AgentDefinition,
  artifactFolder,
  type Services,
  ToolRegistry,
} from 'echelon/runtime'

interface State {
  readonly name: string | null
}

const greeter: AgentDefinition<string, State, string> = {
  name: 'greeter',
  version: 1,
  actors: { host: { asks: true } },
  start: () => ({ state: { name: null } }),
  next: ({ name }) =>
    name === null
      ? { type: 'ask', actor: 'host', question: 'What is your name?' }
      : { type: 'finish', result: `Hello, ${name}!`, reason: 'greeted' },
  observe: (state, seen) =>
    seen.type === 'answered' && typeof seen.reply === 'string'
      ? { state: { name: seen.reply } }
      : { state: { name: state.name ?? 'stranger' } },
  load: () => ({ name: null }),
}

const journal = new MemoryJournal()
const services: Services = {
  models: {},
  tools: new ToolRegistry([]),
  artifacts: artifactFolder({ folder: 'artifacts' }),
  clock: systemClock,
  ids: systemIds,
  timeZone: 'UTC',
  limits: { steps: 10 },
  journal,
}

// The first process stops while the question is open; only the journal is left.
const first = startRun(greeter, 'hi', services)
for await (const event of first) if (event.type === 'request-open') break
const left = journal.read(first.id)

// The next process resumes there, does not ask again, and takes the reply.
const second = resumeRun(greeter, left, { services })
for await (const event of second) {
  if (event.type === 'request-open') second.respond(event.request, 'Ada')
}
console.log((await second.result).result)
for (const step of replayRun(greeter, journal.read(second.id))) {
  console.log(step.seq, step.asked.type, '→', step.entry.seen.type)
}
