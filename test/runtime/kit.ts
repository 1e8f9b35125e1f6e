import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Actors, AgentDefinition, Meter } from '../../packages/echelon/src/core/agent/agent.ts'
import type { Artifact, ArtifactStore } from '../../packages/echelon/src/core/tool/artifact.ts'
import type {
  Ask,
  CallTools,
  Effect,
  Generate,
  Say,
} from '../../packages/echelon/src/core/agent/effect.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import { seededIds } from '../../packages/echelon/src/core/value/random.ts'
import { Thread, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolSpec,
} from '../../packages/echelon/src/core/tool/tool.ts'
import { pause } from '../../packages/echelon/src/runtime/model/deadline.ts'
import type { Run } from '../../packages/echelon/src/runtime/run.ts'
import type { Services } from '../../packages/echelon/src/runtime/services.ts'
import { ToolRegistry } from '../../packages/echelon/src/runtime/tools/tool-registry.ts'
import type { ScriptedModelOptions } from '../../packages/echelon/src/testing/scripted-model.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'

/** The next action of the agent; a function sees the observations so far. */
export type Step = Effect | ((seen: readonly Observation[]) => Effect)

/** Its state: all observations, with the meter of each. */
export interface Performed {
  readonly next: number
  readonly seen: readonly Observation[]
  readonly meters: readonly Meter[]
}

const EVERYTHING: Actors = {
  all: {
    roles: ['small', 'big'],
    tools: ['add', 'slow', 'act', 'read', 'file', 'put'],
    reads: ['notes'],
    writes: ['notes'],
    speaks: true,
    asks: true,
  },
}

/** An agent that performs one effect after the other, and results in its observations. */
export function performing(
  steps: readonly Step[],
  actors: Actors = EVERYTHING,
): AgentDefinition<Json, Performed, readonly Observation[]> {
  return {
    name: 'performing',
    version: 1,
    actors,
    start: () => ({ state: { next: 0, seen: [], meters: [] } }),
    next({ next, seen }) {
      const step = steps[next]
      if (step === undefined) return { type: 'finish', reason: 'done', result: seen }
      return typeof step === 'function' ? step(seen) : step
    },
    observe({ next, seen, meters }, observed, meter) {
      const place = placeAfter(observed, next, steps.length)
      return { state: { next: place, seen: [...seen, observed], meters: [...meters, meter] } }
    },
    load: () => assert.fail('no snapshot is ever loaded'),
  }
}

function placeAfter({ type }: Observation, next: number, end: number): number {
  if (type === 'heard') return next
  return type === 'canceled' ? end : next + 1
}

export const generate = (more: Partial<Omit<Generate, 'type'>> = {}): Generate => ({
  type: 'generate',
  actor: 'all',
  role: 'small',
  messages: Thread.of([userMessage('how much is 15 * 23?')]),
  ...more,
})

/** A batch; the ids of its calls are their positions. */
export function callTools(
  calls: readonly (readonly [tool: string, input?: Json])[],
  more: Partial<Omit<CallTools, 'type' | 'calls'>> = {},
): CallTools {
  return {
    type: 'call-tools',
    actor: 'all',
    calls: calls.map(([tool, input = {}], index) => ({ id: `c${index}`, tool, input })),
    ...more,
  }
}

export const say = (text: string): Say => ({ type: 'say', actor: 'all', text })

export const ask = (question: string, more: Partial<Ask> = {}): Ask => ({
  type: 'ask',
  actor: 'all',
  question,
  ...more,
})

/** A tool that takes any object. */
export function tool(
  name: string,
  run: (input: Readonly<Record<string, unknown>>, context: ToolContext) => Json | Promise<Json>,
  more: Partial<
    Pick<ToolSpec<Record<string, unknown>>, 'does' | 'timeoutMs' | 'retries' | 'reconcile'>
  > = {},
): Tool {
  return defineTool({
    name,
    description: name,
    input: z.record(z.string(), z.unknown()),
    run,
    ...more,
  })
}

/** Stores nothing; records what it would have stored. */
export const artifacts: ArtifactStore = {
  write: async (name, content): Promise<Artifact> => ({
    name,
    path: `/artifacts/${name}`,
    mediaType: 'application/octet-stream',
    bytes: content.byteLength,
    sha256: '0'.repeat(64),
  }),
}

export interface World {
  readonly clock: SetClock
  readonly services: Services
  readonly events: readonly RunEvent[]
}

/** A world whose clock does not advance by itself. It listens unless it is `quiet`. */
export function world(
  more: Partial<Omit<Services, 'clock' | 'tools' | 'listeners'>> & {
    readonly tools?: readonly Tool[]
    readonly quiet?: boolean
  } = {},
): World {
  const clock = new SetClock()
  const events: RunEvent[] = []
  const { tools = [], quiet = false, ...rest } = more
  const services: Services = {
    models: {},
    artifacts,
    clock,
    ids: seededIds(1),
    timeZone: 'UTC',
    limits: {},
    ...rest,
    tools: new ToolRegistry(tools),
    ...(quiet ? {} : { listeners: [{ hear: (event: RunEvent) => void events.push(event) }] }),
  }
  return { clock, services, events }
}

/** Delays a scripted model on the test's clock. */
export const sleepOn = (clock: SetClock): Pick<ScriptedModelOptions, 'sleep'> => ({
  async sleep(ms, signal = new AbortController().signal) {
    await pause(clock, ms, signal)
    signal.throwIfAborted()
  },
})

/** Lets every promise that can settle without the clock settle. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Whether a run has ended. */
export function endOf<Result, State>(run: Run<Result, State>): { readonly over: boolean } {
  const end = { over: false }
  const note = (): void => {
    end.over = true
  }
  run.result.then(note, note)
  return end
}

/** Advances the clock until the run has ended, at most an hour. */
export async function toEnd<Result, State>(
  run: Run<Result, State>,
  clock: SetClock,
): Promise<Awaited<Run<Result, State>['result']>> {
  const end = endOf(run)
  await settled()
  for (let waited = 0; !end.over && waited < 3_600_000; waited += 250) {
    await clock.advance(250)
  }
  assert.ok(end.over, 'the run does not end')
  return run.result
}

/** A journal that keeps entries as text, append by append, like a store on disk. */
export class TextJournal implements Journal {
  readonly appends: string[] = []

  append(_runId: string, entries: readonly Entry[]): void {
    this.appends.push(JSON.stringify(entries))
  }

  read(): readonly Entry[] {
    return this.appends.flatMap((text): Entry[] => JSON.parse(text))
  }
}

/** The only element; fails the test if there are others or none. */
export function only<Item>(items: readonly Item[]): Item {
  assert.equal(items.length, 1, `one is expected, not ${JSON.stringify(items)}`)
  const [item] = items
  assert.ok(item !== undefined)
  return item
}
