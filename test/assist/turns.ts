import type { Note } from '../../packages/echelon/src/core/agent/agent.ts'
import type { Effect } from '../../packages/echelon/src/core/agent/effect.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import { type Message, Thread } from '../../packages/echelon/src/core/message/thread.ts'
import { assistAgent } from '../../packages/assist/src/assist-definition.ts'
import type { AssistResult } from '../../packages/assist/src/assist-result.ts'
import type { AssistSettings } from '../../packages/assist/src/assist-settings.ts'
import { type AssistState, saidIn } from '../../packages/assist/src/assist-state.ts'
import type { Evaluations } from '../../packages/assist/src/evaluation/evaluation.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { INTENT } from './fixtures.ts'

/** The world's answers in a turn. */
export interface Answers {
  readonly text?: string
  readonly history?: readonly Message[]
  readonly memories?: Readonly<Record<string, Json>>
  /** By role, one per call; an observation may replace a text. */
  readonly models?: Readonly<Record<string, readonly (string | Observation)[]>>
  readonly at?: number
  /** Memories that another process writes meanwhile: read again as version 2. */
  readonly conflicts?: readonly string[]
  readonly meanwhile?: Json
}

export interface WholeTurn {
  readonly result: AssistResult
  readonly asked: readonly Effect[]
  readonly notes: readonly Note[]
  readonly said: readonly string[]
  readonly state: AssistState
  readonly transcript: readonly Message[]
  /** The writes, by memory. */
  readonly written: Readonly<Record<string, Json>>
}

export const AT: number = Date.UTC(2026, 10, 20, 9)

export const generated = (text: string): Observation => ({
  type: 'generated',
  text,
  calls: [],
  finish: 'stop',
  model: 'test/model',
  usage: { input: 1, output: 1 },
  cost: 0,
})

export const down: Observation = {
  type: 'failed',
  error: { code: 'unavailable', message: 'sk-secret: down', retryable: true, attempts: 3 },
}

const CONFLICT: Observation = {
  type: 'failed',
  error: { code: 'conflict', message: 'written meanwhile', retryable: false, attempts: 1 },
}

/** Runs a whole turn step by step, without a runtime. */
export function turnOf(settings: AssistSettings, answers: Answers = {}): WholeTurn {
  const agent = assistAgent(settings)
  const { text = 'Should I move?', history = [], at = AT } = answers
  const context = {
    at,
    seed: 1,
    runId: 'r',
    timeZone: 'UTC',
    limits: {},
    history: Thread.of(history),
  }
  let { state } = agent.start({ text }, context)
  const asked: Effect[] = []
  const notes: Note[] = []
  const said: string[] = []
  const written: Record<string, Json> = {}
  const left = Object.fromEntries(
    Object.entries(answers.models ?? {}).map(([role, list]) => [role, [...list]]),
  )
  for (let step = 0; step < 50; step++) {
    const effect = agent.next(state)
    if (effect.type === 'finish') {
      const transcript = agent.transcript?.(state) ?? []
      return { result: effect.result, asked, notes, said, state, transcript, written }
    }
    asked.push(effect)
    if (effect.type === 'say') said.push(effect.text)
    if (effect.type === 'remember') written[effect.memory] = effect.value
    const isAgain = state.phase === 'merging-evaluations'
    const seen: Observation = isAgain
      ? { type: 'recalled', value: answers.meanwhile ?? null, version: 2 }
      : answerTo(effect, answers, left)
    const moved = agent.observe(state, seen, { at, spent: {}, limits: {} })
    notes.push(...(moved.notes ?? []))
    state = moved.state
  }
  throw new Error(`the turn has no end: ${saidIn(state.turn)}`)
}

function answerTo(
  effect: Effect,
  { memories = {}, conflicts = [] }: Answers,
  left: Record<string, (string | Observation)[]>,
): Observation {
  switch (effect.type) {
    case 'recall': {
      const { intent = plain(INTENT) } = memories
      const value = effect.memory === 'intent' ? intent : (memories[effect.memory] ?? null)
      return value === 'down' ? down : { type: 'recalled', value, version: 1 }
    }
    case 'remember':
      if (conflicts.includes(effect.memory) && effect.ifVersion === 1) return CONFLICT
      return { type: 'remembered', version: (effect.ifVersion ?? 0) + 1 }
    case 'say':
      return { type: 'said' }
    case 'generate': {
      const next = left[effect.role]?.shift()
      if (next === undefined) throw new Error(`nothing is left for ${effect.role}`)
      return typeof next === 'string' ? generated(next) : next
    }
    case 'call-tools':
    case 'permit':
    case 'ask':
    case 'sleep':
    case 'together':
      throw new Error(`the assistant asked for ${effect.type}`)
  }
}

export const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value))

export const evaluationsOf = (...outcomes: readonly string[]): Evaluations => ({
  recent_evaluations: outcomes.map((outcome) => ({
    timestamp: '2026-11-19T09:00:00.000Z',
    outcome,
    matched_intent: outcome.startsWith('on_intent'),
    revision_triggered: false,
    target: 'planner',
  })),
  patterns: { repeated_failures: [], successful_approaches: [] },
})
