import type { AgentDefinition, Meter } from '../../packages/echelon/src/core/agent/agent.ts'
import type { CallTools, Effect, Generate } from '../../packages/echelon/src/core/agent/effect.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import { seededIds } from '../../packages/echelon/src/core/value/random.ts'
import {
  NOTHING_SAID,
  Thread,
  userMessage,
} from '../../packages/echelon/src/core/message/thread.ts'
import { systemClock } from '../../packages/echelon/src/platform/clock.ts'
import { resumeRun } from '../../packages/echelon/src/runtime/resume.ts'
import { type SessionView, startRun } from '../../packages/echelon/src/runtime/run.ts'
import type { Services } from '../../packages/echelon/src/runtime/services.ts'
import { ToolRegistry } from '../../packages/echelon/src/runtime/tools/tool-registry.ts'
import { artifacts } from '../runtime/kit.ts'
import { AT_ONCE, modelOf } from './chat-scenario.ts'
import { answerAll, type End, type Scenario, type Surroundings } from './scenario.ts'

interface Journeying {
  readonly next: number
  readonly began: number
  /** Its results, as far as they must be the same in every life. */
  readonly seen: readonly Json[]
  /** Why it stopped early; empty if it did not. */
  readonly stopped: string
}

const generate = (text: string): Generate => ({
  type: 'generate',
  actor: 'all',
  role: 'small',
  messages: Thread.of([userMessage(text)]),
})

const callTools = (...tools: readonly string[]): CallTools => ({
  type: 'call-tools',
  actor: 'all',
  calls: tools.map((tool, place) => ({ id: `${tool}-${place}`, tool, input: { place } })),
  atOnce: 2,
})

/** Every kind of effect but `permit`, which a support agent's turn has. */
const STEPS: readonly ((began: number) => Effect)[] = [
  () => ({ type: 'ask', actor: 'all', question: 'Where to?' }),
  () => generate('the way'),
  () => ({ type: 'recall', actor: 'all', memory: 'road' }),
  () => callTools('look', 'pay', 'put', 'pay'),
  () => ({ type: 'say', actor: 'all', text: 'on the way' }),
  () => ({
    type: 'together',
    effects: [generate('one'), callTools('pay'), callTools('put', 'pay')],
  }),
  (began) => ({ type: 'sleep', actor: 'all', untilMs: began + 20 }),
  () => ({ type: 'remember', actor: 'all', memory: 'road', value: { taken: true } }),
  () => generate('arrived'),
]

/** A custom agent that needs only the runtime. */
export const journeying: AgentDefinition<Json, Journeying, Json> = {
  name: 'journey',
  version: 1,
  actors: {
    all: {
      roles: ['small'],
      tools: ['look', 'pay', 'put'],
      reads: ['road'],
      writes: ['road'],
      speaks: true,
      asks: true,
    },
  },
  start: (_input, { at }) => ({ state: { next: 0, began: at, seen: [], stopped: '' } }),
  next({ next, began, seen, stopped }) {
    const step = stopped === '' ? STEPS[next] : undefined
    if (step !== undefined) return step(began)
    return { type: 'finish', reason: stopped === '' ? 'arrived' : stopped, result: [...seen] }
  },
  observe(state, seen, _meter: Meter) {
    const stopped = reasonToStop(seen)
    const known = [...state.seen, asSeen(seen)]
    return { state: { ...state, next: state.next + 1, seen: known, stopped } }
  },
  load: () => {
    throw new Error('a journey is loaded from its entries')
  },
}

function reasonToStop(seen: Observation): string {
  const direct = seen.type === 'together' ? seen.observations : [seen]
  for (const one of direct) {
    if (one.type === 'refused') return `budget:${one.limit}`
    const refused =
      one.type === 'tools-called' && one.outcomes.find(({ type }) => type === 'refused')
    if (refused && refused.type === 'refused') return `budget:${refused.limit}`
  }
  return ''
}

/** Without costs and times, which may differ between lives. */
function asSeen(seen: Observation): Json {
  switch (seen.type) {
    case 'generated':
      return { text: seen.text }
    case 'tools-called':
      return seen.outcomes.map((outcome) =>
        outcome.type === 'ok' ? { ok: outcome.value } : { not: outcome.type },
      )
    case 'together':
      return seen.observations.map(asSeen)
    case 'answered':
      return { reply: seen.reply }
    case 'recalled':
      return { value: seen.value, version: seen.version }
    case 'remembered':
      return { version: seen.version }
    case 'permitted':
    case 'said':
    case 'woke':
    case 'unanswered':
    case 'refused':
    case 'failed':
    case 'heard':
    case 'canceled':
      return { type: seen.type }
  }
}

/** A separate memory for each run. */
const memoryOf = ({ memories, run }: Surroundings): Surroundings['memories'] => ({
  read: (memory, query) => memories.read(`${run}/${memory}`, query),
  write: (memory, value, options) => memories.write(`${run}/${memory}`, value, options),
})

export const journey: Scenario = (surroundings) => play(surroundings, undefined)

/** The same as a turn of a session. */
export const journeyIn =
  (session: string): Scenario =>
  (surroundings) =>
    play(surroundings, { id: session, history: NOTHING_SAID })

async function play(surroundings: Surroundings, session: SessionView | undefined): Promise<End> {
  const { run: runId, journal, outside, limits, clock = systemClock } = surroundings
  const services: Services = {
    models: { small: modelOf('small', outside, () => 'a word') },
    tools: new ToolRegistry([
      outside.tool('look', { does: 'reads' }),
      outside.tool('put', { does: 'idempotent' }),
      outside.tool('pay', { does: 'acts', canTell: true }),
    ]),
    artifacts,
    clock,
    ids: seededIds(1),
    timeZone: 'UTC',
    limits,
    retry: AT_ONCE,
    journal,
    memory: memoryOf(surroundings),
  }
  const entries = await journal.read(runId)
  const run =
    entries.length === 0
      ? startRun(journeying, { to: 'the sea' }, services, { runId, ...(session && { session }) })
      : resumeRun(journeying, entries, { services, ...(session && { session }) })
  await answerAll(run)
  const { status, reason, result } = await run.result
  return { status, reason, result, spent: run.spent }
}

/** Actions that may happen at most once: by key, since it pays four times. */
export const JOURNEY_ACTS: readonly string[] = ['pay']
