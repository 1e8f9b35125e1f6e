import type { AgentDefinition } from '../../core/agent/agent.ts'
import type { Effect, Finish } from '../../core/agent/effect.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { ForkRecord } from '../../core/journal/forked-tools.ts'
import type { Entry } from '../../core/journal/journal.ts'
import type { Json } from '../../core/value/json.ts'
import type { Direct, Observation } from '../../core/agent/observation.ts'
import { memoryRead, memoryWrite } from '../../core/journal/store-call.ts'
import type { Thread } from '../../core/message/thread.ts'
import type { ToolOutcome } from '../../core/tool/tool.ts'
import type { CallOnRecord, ToolEnd } from '../../core/tool/tool-end.ts'
import { findStarted, foldRun } from './fold.ts'
import { openStep } from './open-step.ts'

/** A call and its step. */
interface Made {
  readonly seq: number
  readonly call: CallOnRecord
  /** Whether a tool wrote files in it. */
  readonly wroteFiles: boolean
}

/** Recorded outcomes of a run's calls and memories, for its forks. */
export interface RunCalls {
  readonly tools: readonly Made[]
  readonly memories: readonly Made[]
}

/**
 * Collects the calls of the run's own steps from a journal. Inputs are not recorded, so the definition is
 * asked for them again, until it asks for something other than the journal holds; later calls, and those of
 * child runs, are unknown.
 */
export function callsOf<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  entries: readonly Entry[],
  history: Thread,
): RunCalls {
  const made: { readonly tools: Made[]; readonly memories: Made[] } = { tools: [], memories: [] }
  try {
    const fold = foldRun(definition, findStarted(definition, entries), entries, history)
    let step = fold.next()
    for (; step.done !== true; step = fold.next()) {
      const { seq, asked, entry } = step.value
      for (const [effect, seen] of answered(asked, entry.seen)) keep(made, effect, seen, seq)
    }
    keepOpen(made.tools, definition.next(step.value.state), entries, step.value.seq)
  } catch (error) {
    if (!(error instanceof EchelonError && error.code === 'JOURNAL_MISMATCH')) throw error
  }
  return made
}

/** Returns the part that a fork at a step may use. */
export function forkRecord({ tools, memories }: RunCalls, at: number): ForkRecord {
  const calls = (of: readonly Made[], wanted: (made: Made) => boolean): readonly CallOnRecord[] =>
    of.filter(wanted).map(({ call }) => call)
  const isLater = ({ seq }: Made): boolean => seq >= at
  const isEarlier = ({ seq }: Made): boolean => seq < at
  return {
    names: tools.map(({ call }) => call.tool),
    done: calls(tools, ({ call, wroteFiles }) => call.end?.type === 'ok' && !wroteFiles),
    later: calls(tools, isLater),
    memory: { before: calls(memories, isEarlier), later: calls(memories, isLater) },
  }
}

/** Pairs each effect of a step with its observation. */
function answered(
  asked: Effect | Finish<unknown>,
  seen: Observation,
): readonly (readonly [Effect, Direct])[] {
  if (asked.type === 'finish') return []
  if (asked.type !== 'together') {
    return isDirect(seen) ? [[asked, seen]] : []
  }
  const all = seen.type === 'together' ? seen.observations : []
  return asked.effects.flatMap((effect, index): readonly (readonly [Effect, Direct])[] => {
    const one = all[index]
    return one === undefined ? [] : [[effect, one]]
  })
}

const isDirect = (seen: Observation): seen is Direct =>
  seen.type !== 'together' && seen.type !== 'heard' && seen.type !== 'canceled'

function keep(
  { tools, memories }: { readonly tools: Made[]; readonly memories: Made[] },
  effect: Effect,
  seen: Direct,
  seq: number,
): void {
  if (effect.type === 'call-tools' && seen.type === 'tools-called') {
    for (const [index, { tool, input }] of effect.calls.entries()) {
      const outcome = seen.outcomes[index]
      if (outcome !== undefined) tools.push(...madeCalls({ seq, tool, input }, outcome))
    }
  } else if (effect.type === 'recall' && seen.type === 'recalled') {
    const { tool, input } = memoryRead(effect.memory, effect.query ?? null)
    const { value, version } = seen
    memories.push(done(seq, { tool, input, end: { type: 'ok', value: { value, version } } }))
  } else if (effect.type === 'remember') {
    const value = seen.type === 'remembered' ? seen.version : conflictOf(seen)
    if (value === undefined) return
    const { tool, input } = memoryWrite(effect.memory, effect.value, { ...effect, key: '' })
    memories.push(done(seq, { tool, input, end: { type: 'ok', value } }))
  }
}

const conflictOf = (seen: Direct): 'conflict' | undefined =>
  seen.type === 'failed' && seen.error.code === 'conflict' ? 'conflict' : undefined

const done = (seq: number, call: CallOnRecord): Made => ({ seq, call, wroteFiles: false })

/** Returns the calls of an unfinished step that were done or may have been done. */
function keepOpen(
  tools: Made[],
  asked: Effect | Finish<unknown>,
  entries: readonly Entry[],
  seq: number,
): void {
  if (asked.type === 'finish') return
  const { settled, intended } = openStep(entries, '', seq)
  const effects = asked.type === 'together' ? asked.effects : [asked]
  const calls = effects.flatMap((effect) => (effect.type === 'call-tools' ? effect.calls : []))
  for (const [index, { tool, input }] of calls.entries()) {
    const outcome = settled.get(index)
    if (outcome !== undefined) tools.push(...madeCalls({ seq, tool, input }, outcome))
    else if (intended.has(index)) tools.push(done(seq, { tool, input, end: undefined }))
  }
}

interface Called {
  readonly seq: number
  readonly tool: string
  readonly input: Json
}

/** Excludes outcomes of calls that were never made. */
function madeCalls({ seq, tool, input }: Called, outcome: ToolOutcome): readonly Made[] {
  const end = endIn(outcome)
  if (end === undefined) return []
  const wroteFiles = outcome.type === 'ok' && outcome.artifacts !== undefined
  return [{ seq, call: { tool, input, end }, wroteFiles }]
}

function endIn(outcome: ToolOutcome): ToolEnd | undefined {
  switch (outcome.type) {
    case 'ok':
      return { type: 'ok', value: outcome.value }
    case 'error': {
      const { code, message } = outcome
      return code === 'UNKNOWN_TOOL' ? undefined : { type: 'error', code, message }
    }
    case 'unknown': {
      const { message } = outcome
      return { type: 'error', code: 'TOOL_ERROR', message, mayHaveActed: true }
    }
    case 'denied':
    case 'refused':
      return undefined
  }
}
