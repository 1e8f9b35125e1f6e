import type { AgentDefinition } from '../core/agent/agent.ts'
import { droppedIn } from '../core/journal/condensed.ts'
import type { Entry, Started } from '../core/journal/journal.ts'
import type { Json } from '../core/value/json.ts'
import {
  changesToEvents,
  checkRefusals,
  containerOf,
  reconcile,
  signatureOf,
} from '../core/state/state-container.ts'
import type { StateContainer } from '../core/state/state.ts'
import { NOTHING_SAID, type Thread } from '../core/message/thread.ts'
import { Branch, type BranchParts } from './branch.ts'
import { findStarted, foldRun } from './journal/fold.ts'
import type { Position } from './loop.ts'
import { openStep } from './journal/open-step.ts'
import type { Tree } from './tree.ts'

/** A run of a tree at its recorded position. */
export interface Restored<State> {
  readonly branch: Branch
  readonly position: Position<State>
}

/** Restores a run from its entries. */
export function restore<Input extends Json, State, Result>(
  tree: Tree,
  definition: AgentDefinition<Input, State, Result>,
  parts: BranchParts,
  history: Thread = NOTHING_SAID,
): Restored<State> {
  const { path } = parts
  const { entries } = tree
  const started = findStarted(definition, entries, path)
  const { state, seq } = lastOf(foldRun(definition, started, entries, history))
  const open = { seq, step: openStep(entries, path, seq) }
  const branch = new Branch(tree, { ...parts, open, bound: boundModels(started, entries) })
  const kept = path === '' ? droppedIn(entries)?.snapshot : undefined
  const isUpgraded = kept !== undefined && kept.version !== definition.version
  return { branch, position: { state, seq, isUpgraded } }
}

function lastOf<Step, End>(steps: Generator<Step, End>): End {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** Returns role to model, with every recorded switch applied. */
export function boundModels(
  started: Started,
  entries: readonly Entry[],
): Readonly<Record<string, string>> {
  const bound: Record<string, string> = { ...started.models }
  for (const entry of entries) {
    if (entry.type === 'dropped' && started.path === '') Object.assign(bound, entry.snapshot.models)
    if (entry.type === 'bound' && entry.path === started.path) bound[entry.role] = entry.model
  }
  return bound
}

/**
 * Loads stored states into a run, and emits events for schema changes.
 * @returns the migrated states, if other code had stored them
 * @throws EchelonError STATE_REFUSED
 */
export function loadStates(
  branch: Branch,
  stored: StateContainer | undefined,
): StateContainer | undefined {
  if (stored === undefined) return undefined
  const slots = branch.pipeline?.slots ?? []
  const { states, changes } = reconcile(stored, slots)
  if (changes.length > 0) {
    const { audience } = branch.tree
    for (const event of changesToEvents(changes, stored.schemaSignature, signatureOf(slots))) {
      if (audience.hears(event.type)) audience.tell(event)
    }
    checkRefusals(changes)
  }
  branch.load(states)
  return changes.length === 0 ? undefined : containerOf(slots, states)
}
