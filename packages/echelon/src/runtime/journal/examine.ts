import { EchelonError, type ErrorCode } from '../../core/value/error.ts'
import type { Entry, Started } from '../../core/journal/journal.ts'
import { recordedStates } from '../../core/journal/journaled-states.ts'
import { reconcile, type StateChange } from '../../core/state/state-container.ts'
import type { AnyDefinition, StateHolder } from '../../core/agent/state-holder.ts'
import type { StateContainer, StateSlot } from '../../core/state/state.ts'
import { findStarted, foldRun } from './fold.ts'

/** The stored data of a run or a session, to check against the current code. */
export type Checkpoint =
  /** All entries of one run, in order. */
  | { readonly kind: 'run'; readonly entries: readonly Entry[] }
  | {
      readonly kind: 'session'
      readonly id: string
      /** The name of its agent. */
      readonly agent: string
      /** Version of the agent; absent if it was not stored. */
      readonly version: number | null
      readonly states: StateContainer
    }

/** Whether an agent can continue from a checkpoint. */
export type AgentCheck =
  | { readonly type: 'resumable' }
  /** No problem is known, and nothing was replayed. */
  | { readonly type: 'unchecked'; readonly reason: string }
  | { readonly type: 'unknown-agent'; readonly reason: string }
  /** `code` is that of the error that a resume would throw; absent if the agent itself failed. */
  | { readonly type: 'refused'; readonly code: ErrorCode | null; readonly reason: string }

/** The result for one checkpoint. */
export interface Examined {
  readonly kind: Checkpoint['kind']
  /** Id of the run or the session. */
  readonly id: string
  readonly agent: string
  /** Recorded steps; absent for a session. */
  readonly steps: number | null
  /** Whether the run has ended, so that it need not continue. */
  readonly ended: boolean
  readonly check: AgentCheck
  readonly changes: readonly StateChange[]
  /** Whether all of it would load. */
  readonly loads: boolean
}

/**
 * Checks a checkpoint against the current code without changing anything: what a resume would do to its
 * states, and whether the agent still decides as the journal says. Never throws because of the
 * checkpoint's content.
 * @param holders searched in order; the first one that knows the agent is used
 * @throws EchelonError UNKNOWN_RUN for a run without a `started` entry
 */
export function examineCheckpoint(
  checkpoint: Checkpoint,
  holders: readonly StateHolder[],
): Examined {
  const examined =
    checkpoint.kind === 'session' ? session(checkpoint, holders) : run(checkpoint, holders)
  const { check, changes } = examined
  const isRefused = check.type === 'refused' || check.type === 'unknown-agent'
  return { ...examined, loads: !isRefused && changes.every(({ type }) => type !== 'refused') }
}

type Findings = Omit<Examined, 'loads'>

function session(
  { id, agent, version, states }: Checkpoint & { readonly kind: 'session' },
  holders: readonly StateHolder[],
): Findings {
  const found = holders.find(
    ({ definition }) => typeof definition === 'object' && definition.name === agent,
  )
  const check = sessionCheck({ agent, version }, found, holders)
  const changes = changesOf(states, check, slotsFor(found, holders))
  return { kind: 'session', id, agent, steps: null, ended: false, check, changes }
}

function sessionCheck(
  { agent, version }: { readonly agent: string; readonly version: number | null },
  found: StateHolder | undefined,
  holders: readonly StateHolder[],
): AgentCheck {
  if (typeof found?.definition !== 'object') return noDefinition(agent, holders)
  const known = found.definition.version
  if (version === null || version <= known) {
    return {
      type: 'unchecked',
      reason: 'a conversation keeps no step of its agent, so that only its states are tried',
    }
  }
  return {
    type: 'refused',
    code: 'STATE_REFUSED',
    reason: `the conversation was held by ${agent} version ${version}, and the code has version ${known}; load it with the newer code`,
  }
}

function run(
  { entries }: Checkpoint & { readonly kind: 'run' },
  holders: readonly StateHolder[],
): Findings {
  const started = startOf(entries)
  const { runId: id, agent } = started
  const own = entries.filter((entry) => !('path' in entry) || entry.path === '')
  const asked = holderOf(started, holders)
  const check = 'check' in asked ? asked.check : dryRun(asked.definition, started, entries)
  const slots = slotsFor('holder' in asked ? asked.holder : undefined, holders)
  return {
    kind: 'run',
    id,
    agent,
    steps: own.filter(({ type }) => type === 'closed').length,
    ended: own.some(({ type }) => type === 'ended'),
    check,
    changes: changesOf(recordedStates(entries), check, slots),
  }
}

/** The states can only be checked against the agent's middleware, so they are skipped without an agent. */
function changesOf(
  states: StateContainer | undefined,
  check: AgentCheck,
  slots: readonly StateSlot[],
): readonly StateChange[] {
  if (states === undefined || check.type === 'unknown-agent') return []
  return reconcile(states, slots).changes
}

function startOf(entries: readonly Entry[]): Started {
  const started = entries.find((entry) => entry.type === 'started' && entry.path === '')
  if (started?.type === 'started') return started
  throw new EchelonError('UNKNOWN_RUN', 'these entries do not say how their run began')
}

type Asked =
  | { readonly holder: StateHolder; readonly definition: AnyDefinition }
  | { readonly check: AgentCheck }

function holderOf(started: Started, holders: readonly StateHolder[]): Asked {
  try {
    for (const holder of holders) {
      const { definition } = holder
      const given = typeof definition === 'function' ? definition(started) : definition
      if (given?.name === started.agent) return { holder, definition: given }
    }
  } catch (error) {
    return { check: refusal(started.agent, error) }
  }
  return { check: noDefinition(started.agent, holders) }
}

/** Middleware given without an agent is checked for any run. */
function slotsFor(
  found: StateHolder | undefined,
  holders: readonly StateHolder[],
): readonly StateSlot[] {
  const { middlewares = [] } = holders.find(hasNoDefinition) ?? found ?? holders[0] ?? {}
  return middlewares.flatMap(({ slot }) => slot ?? [])
}

const hasNoDefinition = ({ definition }: StateHolder): boolean => definition === undefined

function noDefinition(agent: string, holders: readonly StateHolder[]): AgentCheck {
  if (holders.some(hasNoDefinition)) {
    return { type: 'unchecked', reason: 'only middleware was given, no agent' }
  }
  const reason = `there is no agent ${agent} here; name the module that has it`
  return { type: 'unknown-agent', reason }
}

/** Replays the recorded steps. */
function dryRun(
  definition: AnyDefinition,
  { session, agent }: Started,
  entries: readonly Entry[],
): AgentCheck {
  try {
    const found = findStarted(definition, entries)
    if (session !== undefined && session.length > 0) {
      return {
        type: 'unchecked',
        reason: `its steps are not replayed: a turn of a conversation needs what was said before (${session.length} messages of the conversation ${session.id}), which its journal does not hold`,
      }
    }
    const fold = foldRun(definition, found, entries)
    while (fold.next().done !== true);
    return { type: 'resumable' }
  } catch (error) {
    return refusal(agent, error)
  }
}

function refusal(agent: string, error: unknown): AgentCheck {
  if (error instanceof EchelonError) {
    return { type: 'refused', code: error.code, reason: error.message }
  }
  const why = error instanceof Error ? error.message : String(error)
  return {
    type: 'refused',
    code: null,
    reason: `${agent} fails on what the journal holds (${why}); finish this run on the version that began it`,
  }
}
