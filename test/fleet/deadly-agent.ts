import { setTimeout as wait } from 'node:timers/promises'
import { defineTool } from 'echelon'
import { type AgentDefinition, isJsonObject, type Json } from 'echelon/runtime'
import { type ServedAgent, serveDefinition } from '@echelon/server'
import { z } from 'zod'
import type { Store } from './kit.ts'

/** The work of a run, given as the JSON text of its turn. */
export interface DeadlyWork {
  /** Number of its slow steps. They act on nothing, so each is done again after a death. */
  readonly steps: number
  /** Duration of a slow step, in milliseconds. */
  readonly ms: number
  /** Where it ends its own process: as the run starts, or in the tool of its last step. */
  readonly dies?: 'start' | 'tool'
}

interface DeadlyState {
  readonly work: DeadlyWork
  readonly step: number
}

/** An agent some of whose runs end their own process. */
export const deadlyAgent = (store: Store): ServedAgent =>
  serveDefinition(DEFINITION, { store, tools: [slowly, deadly] })

const slowly = defineTool({
  name: 'slowly',
  description: 'Takes its time.',
  input: z.object({ ms: z.number() }),
  async run({ ms }) {
    await wait(ms)
    return 'slept'
  },
})

const deadly = defineTool({
  name: 'deadly',
  description: 'Ends its process.',
  input: z.object({}),
  run: () => end(),
})

function end(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}

const DEFINITION: AgentDefinition<string, DeadlyState, string> = {
  name: 'deadly',
  version: 1,
  actors: { all: { tools: ['slowly', 'deadly'] } },
  start(input) {
    const work = readWork(JSON.parse(input))
    if (work.dies === 'start') void end()
    return { state: { work, step: 0 } }
  },
  next({ work: { steps, ms, dies }, step }) {
    const tool = step < steps ? 'slowly' : 'deadly'
    if (step > steps || (step === steps && dies === undefined)) {
      return { type: 'finish', reason: 'done', result: `did ${step}` }
    }
    const input = tool === 'slowly' ? { ms } : {}
    return { type: 'call-tools', actor: 'all', calls: [{ id: `c${step}`, tool, input }] }
  },
  observe: ({ work, step }, { type }) => ({
    state: { work, step: type === 'canceled' ? work.steps + 1 : step + 1 },
  }),
  load: (state) => (isState(state) ? state : { work: { steps: 0, ms: 0 }, step: 0 }),
}

function readWork(work: Json): DeadlyWork {
  const { steps, ms, dies } = isJsonObject(work) ? work : {}
  const read = { steps: Number(steps), ms: Number(ms) }
  return dies === 'start' || dies === 'tool' ? { ...read, dies } : read
}

const isState = (value: unknown): value is DeadlyState =>
  typeof value === 'object' && value !== null && 'work' in value && 'step' in value
