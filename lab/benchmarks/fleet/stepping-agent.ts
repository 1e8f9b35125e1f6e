import { setTimeout as wait } from 'node:timers/promises'
import { defineTool } from 'echelon'
import { type AgentDefinition, isJson, isJsonObject } from 'echelon/runtime'
import { type ServedAgent, serveDefinition, type ServeDefinitionOptions } from '@echelon/server'
import { z } from 'zod'

/** Work of one step: what a fast model or tool takes. */
export const workOfAStep = (): Promise<void> => wait(1)

interface Stepping {
  readonly steps: number
  readonly done: number
  /** Whether it asks before it ends. */
  readonly asks: boolean
}

const work = defineTool({
  name: 'work',
  description: 'Works.',
  input: z.object({}),
  async run() {
    await workOfAStep()
    return 'worked'
  },
})

const stepping: AgentDefinition<string, Stepping, string> = {
  name: 'stepping',
  version: 1,
  actors: { all: { tools: ['work'], asks: true } },
  start: (text) => ({
    state: { steps: Number.parseInt(text, 10), done: 0, asks: text.endsWith('?') },
  }),
  next({ steps, done, asks }) {
    if (done < steps) {
      return {
        type: 'call-tools',
        actor: 'all',
        calls: [{ id: `c${done}`, tool: 'work', input: {} }],
      }
    }
    if (asks) return { type: 'ask', actor: 'all', question: 'Go on?' }
    return { type: 'finish', reason: 'done', result: 'done' }
  },
  observe: (state, { type }) => ({
    state: type === 'answered' ? { ...state, asks: false } : { ...state, done: state.done + 1 },
  }),
  load: (state) => (isStepping(state) ? state : { steps: 0, done: 0, asks: false }),
}

const isStepping = (state: unknown): state is Stepping =>
  isJson(state) && isJsonObject(state) && 'steps' in state && 'done' in state

/** An agent without models that works as many steps as its text says. */
export const steppingAgent = (store: ServeDefinitionOptions['store']): ServedAgent =>
  serveDefinition(stepping, { store, tools: [work] })
