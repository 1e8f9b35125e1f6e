import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from 'echelon/runtime'
import { openStore } from '@echelon/store'
import type {
  IntentKeeper,
  Reviews,
  ServedAgent,
} from '../../packages/server/src/agents/served-agent.ts'
import { agentOnEngine } from '../../packages/server/src/engine/agent-on-engine.ts'

const unused = (): never => {
  throw new Error('nothing is started or read')
}

/** An agent with all that a server may ask for, in a class, as agents of one's own may be. */
class WholeAgent implements ServedAgent {
  readonly name = 'whole'
  readonly definition = 'whole'
  readonly kind = 'other'
  readonly description = 'Has everything.'
  readonly tools = []
  readonly accepts = { sessions: true, history: false, files: false, tools: false, output: false }
  readonly options = {}
  readonly maxCost = null
  readonly keptUnder = 'kept:'
  readonly intents: IntentKeeper = { read: unused, write: unused }
  readonly reviews: Reviews = { waiting: unused, decide: unused }
  readonly start = unused
  readonly resume = unused
  models: readonly string[] = ['test/first']
  readonly #known = { name: 'whole', version: 7 }

  definitionOf() {
    return {
      ...this.#known,
      actors: {},
      start: unused,
      next: unused,
      observe: unused,
      load: unused,
    }
  }
}

test('an agent on an engine still has what the server shows of it', async (t) => {
  const store = await openStore(':memory:')
  t.after(() => store.close())
  const agent = new WholeAgent()
  const engine = {
    start: unused,
    schedule: unused,
    answer: unused,
    cancel: unused,
    status: unused,
    close: unused,
  }
  const onEngine = agentOnEngine(agent, { engine, store, clock: systemClock, onFault: unused })
  const { intents, reviews, keptUnder, isElsewhere } = onEngine
  assert.deepEqual([intents, reviews, keptUnder], [agent.intents, agent.reviews, 'kept:'])
  assert.equal(isElsewhere, true)
  agent.models = ['test/second']
  assert.deepEqual(onEngine.models, ['test/second'], 'a new choice of models is seen')
  const started = {
    type: 'started',
    path: '',
    runId: 'r',
    agent: 'whole',
    version: 7,
    input: null,
    at: 0,
    seed: 1,
    timeZone: 'UTC',
    models: {},
    limits: {},
  } as const
  const definition = await onEngine.definitionOf?.(started)
  assert.equal(definition?.version, 7)
})
