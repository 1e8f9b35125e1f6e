import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { defineTool, type Tool } from 'echelon'
import { type AgentDefinition, isJsonObject, type Json } from 'echelon/runtime'
import { type ServedAgent, serveDefinition } from '@echelon/server'
import { z } from 'zod'
import type { Store } from './kit.ts'

/** The work of a busy run, given as the JSON text of its turn. */
export interface BusyWork {
  /** Number of steps; each acts once. */
  readonly steps: number
  /** Duration of a step, in milliseconds. */
  readonly ms: number
  /** Whether it asks before its last step. */
  readonly asks?: boolean
}

/** A release of the agent. */
export interface BusyRelease {
  readonly name: string
  readonly version: number
  /** Whether it loads no state of an older version. */
  readonly refusesOlder?: boolean
}

interface BusyState {
  readonly work: BusyWork
  readonly step: number
}

/** An agent without models, whose every step acts: it adds a line to a file. */
export function busyAgent(
  store: Store,
  actions: string,
  { version, refusesOlder = false }: Omit<BusyRelease, 'name'> = { version: 1 },
): ServedAgent {
  const load = refusesOlder
    ? (): BusyState => {
        throw new Error('this release cannot load the states of older ones')
      }
    : (state: Json): BusyState => DEFINITION.load(state)
  const definition = { ...DEFINITION, version, load }
  return serveDefinition(definition, { store, tools: [actingTool(actions)] })
}

const actingTool = (actions: string): Tool =>
  defineTool({
    name: 'act',
    description: 'Acts.',
    input: z.object({ ms: z.number() }),
    does: 'acts',
    async run({ ms }, { key }) {
      appendFileSync(actions, `begin ${key} ${Date.now()}\n`)
      if (ms > 0) await wait(ms)
      appendFileSync(actions, `end ${key} ${Date.now()}\n`)
      return 'acted'
    },
  })

const DEFINITION: AgentDefinition<string, BusyState, string> = {
  name: 'busy',
  version: 1,
  actors: { all: { tools: ['act'], asks: true } },
  start: (input) => ({ state: { work: readWork(JSON.parse(input)), step: 0 } }),
  next({ work, step }) {
    if (step === work.steps) return { type: 'finish', reason: 'done', result: `did ${step}` }
    if (work.asks === true && step === work.steps - 1) {
      return { type: 'ask', actor: 'all', question: 'Go on?' }
    }
    const input = { ms: work.ms }
    return { type: 'call-tools', actor: 'all', calls: [{ id: `c${step}`, tool: 'act', input }] }
  },
  observe: ({ work, step }, { type }) => ({
    state: { work, step: type === 'canceled' ? work.steps : step + 1 },
  }),
  load: (state) => (isState(state) ? state : { work: { steps: 0, ms: 0 }, step: 0 }),
}

function readWork(work: Json): BusyWork {
  const { steps, ms, asks } = isJsonObject(work) ? work : {}
  return { steps: Number(steps), ms: Number(ms), asks: asks === true }
}

const isState = (value: unknown): value is BusyState =>
  typeof value === 'object' && value !== null && 'work' in value && 'step' in value
