import type { AgentDefinition, Moved } from '../packages/echelon/src/core/agent/agent.ts'
import type { EffectOf } from '../packages/echelon/src/core/agent/capability.ts'
import { byPhase, type Phases } from '../packages/echelon/src/core/agent/phases.ts'
import { Thread } from '../packages/echelon/src/core/message/thread.ts'
import { startRun } from '../packages/echelon/src/runtime/run.ts'
import type { Services } from '../packages/echelon/src/runtime/services.ts'

/**
 * Effects that the compiler refuses. `types.test.ts` compiles this page: each marked line must
 * be an error, and no other. The runtime refuses them too.
 */
const actors = {
  planner: { roles: ['small', 'big'] },
  executor: { tools: ['calculator'] },
  evaluator: { roles: ['judge'], reads: ['intent'] },
  speaker: { roles: ['small'], speaks: true, asks: true },
  keeper: { writes: ['plans'] },
} as const

type May = EffectOf<typeof actors>

const messages = Thread.of([])

export const within: readonly May[] = [
  { type: 'generate', actor: 'planner', role: 'big', messages },
  { type: 'generate', actor: 'planner', role: 'small', messages, show: 'nobody' },
  { type: 'generate', actor: 'speaker', role: 'small', messages, show: 'user' },
  { type: 'call-tools', actor: 'executor', calls: [] },
  { type: 'permit', actor: 'executor', call: { id: 'c', tool: 'calculator', input: {} } },
  { type: 'recall', actor: 'evaluator', memory: 'intent' },
  { type: 'remember', actor: 'keeper', memory: 'plans', value: 1 },
  { type: 'say', actor: 'speaker', text: '' },
  { type: 'ask', actor: 'speaker', question: '' },
  { type: 'sleep', actor: 'keeper', untilMs: 0 },
]

export const oversteps: readonly May[] = [
  // @ts-expect-error an executor that reads
  { type: 'recall', actor: 'executor', memory: 'intent' },
  // @ts-expect-error an evaluator that reads another actor's memory
  { type: 'recall', actor: 'evaluator', memory: 'plans' },
  // @ts-expect-error an evaluator that writes
  { type: 'remember', actor: 'evaluator', memory: 'intent', value: 1 },
  // @ts-expect-error a keeper that writes another actor's memory
  { type: 'remember', actor: 'keeper', memory: 'intent', value: 1 },
  // @ts-expect-error a planner role that is not listed
  { type: 'generate', actor: 'planner', role: 'huge', messages },
  // @ts-expect-error an evaluator that asks the rules about a call
  { type: 'permit', actor: 'evaluator', call: { id: 'c', tool: 'calculator', input: {} } },
  // @ts-expect-error an executor that generates
  { type: 'generate', actor: 'executor', role: 'small', messages },
  // @ts-expect-error an evaluator that speaks
  { type: 'say', actor: 'evaluator', text: '' },
  // @ts-expect-error an evaluator whose text is shown
  { type: 'generate', actor: 'evaluator', role: 'judge', messages, show: 'user' },
  // @ts-expect-error a planner that calls tools
  { type: 'call-tools', actor: 'planner', calls: [] },
  // @ts-expect-error a planner that asks
  { type: 'ask', actor: 'planner', question: '' },
  // @ts-expect-error an actor that is not listed
  { type: 'sleep', actor: 'stranger', untilMs: 0 },
  // @ts-expect-error several effects at once, which none of these actors may ask for
  { type: 'together', effects: [] },
]

type State = { readonly phase: 'think'; readonly asked: number } | { readonly phase: 'done' }

const think = {
  effect: 'generate',
  do: (): May & { type: 'generate' } => ({
    type: 'generate',
    actor: 'planner',
    role: 'small',
    messages,
  }),
  generated: (): Moved<State> => ({ state: { phase: 'done' } }),
} as const
const done = {
  finish: (): { type: 'finish'; result: string; reason: string } => ({
    type: 'finish',
    result: '',
    reason: '',
  }),
}
const otherwise = (state: State): Moved<State> => ({ state })

export const complete: Phases<State, string, May> = { think, done }
export const table: Pick<AgentDefinition<null, State, string>, 'next' | 'observe'> = byPhase<
  State,
  string,
  May
>({ think, done }, otherwise)

// @ts-expect-error a phase without a row
export const withoutDone: Phases<State, string, May> = { think }

// @ts-expect-error a row of no phase
export const withMore: Phases<State, string, May> = { think, done, rest: done }

export const withoutHandler: Phases<State, string, May> = {
  // @ts-expect-error a row without a handler for the answer to its own effect
  think: { effect: think.effect, do: think.do },
  done,
}

export const wrongHandler: Phases<State, string, May> = {
  // @ts-expect-error a row that expects the answer to another effect
  think: { effect: think.effect, do: think.do, 'tools-called': think.generated },
  done,
}

export const unansweredAsk: Phases<State, string, May> = {
  // @ts-expect-error a question needs a handler for the case without an answer
  think: {
    effect: 'ask',
    do: () => ({ type: 'ask', actor: 'speaker', question: '' }),
    answered: think.generated,
  },
  done,
}

export const lyingRow: Phases<State, string, May> = {
  // @ts-expect-error a row whose effect is not the one it names
  think: { ...think, do: () => ({ type: 'sleep', actor: 'planner', untilMs: 0 }) },
  done,
}

export const foreignState: Phases<State, string, May> = {
  think,
  done: {
    // @ts-expect-error a row sees only its own phase's state
    finish: ({ asked }) => ({ type: 'finish', result: String(asked), reason: '' }),
  },
}

export const wrongResult: Phases<State, string, May> = {
  think,
  done: {
    // @ts-expect-error a result of another type
    finish: () => ({ type: 'finish', result: 1, reason: '' }),
  },
}

/** The result of a run is typed by its definition; an input that is not JSON does not compile. */
export async function typed(
  definition: AgentDefinition<{ readonly text: string }, State, string>,
  services: Services,
): Promise<string> {
  // @ts-expect-error an input of another shape
  startRun(definition, { texts: '' }, services)
  const run = startRun(definition, { text: '' }, services)
  const phase: 'think' | 'done' = run.state.phase
  const { result } = await run.result
  // @ts-expect-error the result is a string
  const wrong: number = result
  return `${phase} ${result} ${wrong}`
}
