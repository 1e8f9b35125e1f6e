// An agent for workers that counts slowly: kill a worker meanwhile, and no step is lost or done twice.
import { appendFile, mkdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { defineTool } from 'echelon'
import { type AgentDefinition, isJson } from 'echelon/runtime'
import { type ServedAgent, serveDefinition, type ServeDefinitionOptions } from '@echelon/server'
import { z } from 'zod'

const FILE = '.echelon/counted.txt'

const count = defineTool({
  name: 'count',
  description: 'Writes a number down.',
  input: z.object({ number: z.number() }),
  does: 'acts',
  async run({ number }, { key }) {
    await mkdir('.echelon', { recursive: true })
    await appendFile(FILE, `${key} ${number}\n`)
    await wait(250)
    return number
  },
})

interface Counting {
  readonly to: number
  readonly next: number
}

const counter: AgentDefinition<string, Counting, string> = {
  name: 'counter',
  version: 1,
  actors: { counter: { tools: ['count'] } },
  start: (text) => ({ state: { to: Number(text) || 20, next: 1 } }),
  next({ to, next }) {
    if (next > to) return { type: 'finish', reason: 'done', result: `counted to ${to}` }
    const call = { id: `count-${next}`, tool: 'count', input: { number: next } }
    return { type: 'call-tools', actor: 'counter', calls: [call] }
  },
  observe: ({ to, next }, { type }) => ({
    state: { to, next: type === 'canceled' ? to + 1 : next + 1 },
  }),
  load: (state) => (isCounting(state) ? state : { to: 0, next: 1 }),
}

const isCounting = (state: unknown): state is Counting =>
  isJson(state) && typeof state === 'object' && state !== null && 'to' in state && 'next' in state

export default ({ store }: Pick<ServeDefinitionOptions, 'store'>): ServedAgent =>
  serveDefinition(counter, { store, tools: [count], description: 'Counts slowly.' })
