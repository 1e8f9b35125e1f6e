import { setTimeout as wait } from 'node:timers/promises'
import { defineTool } from 'echelon'
import type { AgentDefinition } from 'echelon/runtime'
import { type ServedAgent, serveDefinition } from '@echelon/server'
import { z } from 'zod'
import type { Store } from './kit.ts'

interface State {
  readonly name: string
  /** It sleeps before the third step until then; 0 for not at all. */
  readonly until: number
  readonly step: number
}

const STEPS = 4

/**
 * An agent without models or sessions of its own: each run tells its steps, and may sleep before the third.
 * @param told the steps of all runs, such as `a 0`
 */
export function sessionAgent(store: Store, told: string[]): ServedAgent {
  const tell = defineTool({
    name: 'tell',
    description: 'Tells a step.',
    input: z.object({ what: z.string() }),
    does: 'acts',
    async run({ what }) {
      told.push(what)
      await wait(150)
      return 'told'
    },
  })
  return serveDefinition(DEFINITION, { store, tools: [tell] })
}

const DEFINITION: AgentDefinition<string, State, string> = {
  name: 'steps',
  version: 1,
  actors: { all: { tools: ['tell'] } },
  start(input) {
    const [name = '', until = '0'] = input.split(' ')
    return { state: { name, until: Number(until), step: 0 } }
  },
  next({ name, until, step }) {
    if (step === STEPS) return { type: 'finish', reason: 'done', result: name }
    if (step === 2 && until > 0) return { type: 'sleep', actor: 'all', untilMs: until }
    const calls = [{ id: `c${step}`, tool: 'tell', input: { what: `${name} ${step}` } }]
    return { type: 'call-tools', actor: 'all', calls }
  },
  observe: (state, { type }) => ({
    state: { ...state, step: type === 'canceled' ? STEPS : state.step + 1 },
  }),
  load: (state) => (isState(state) ? state : { name: '', until: 0, step: STEPS }),
}

const isState = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && 'name' in value && 'step' in value
