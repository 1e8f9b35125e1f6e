import { EchelonError } from '../value/error.ts'
import type { RunEvent } from '../agent/event.ts'
import type { JsonObject } from '../value/json.ts'
import { upToDate } from './state-migration.ts'
import { CONTAINER_VERSION, type StateContainer, type StateSlot } from './state.ts'

/** A change between stored states and the current code. */
export type StateChange =
  /** The states were stored before states had versions, and count as version 1. */
  | { readonly type: 'upgraded' }
  /** The middleware of these keys no longer exists; its states are not loaded. */
  | { readonly type: 'dropped'; readonly names: readonly string[] }
  /** Middleware without a stored state starts with its initial state. */
  | { readonly type: 'added'; readonly names: readonly string[] }
  | {
      readonly type: 'migrated'
      readonly key: string
      readonly from: number
      readonly to: number
    }
  /** The state cannot be loaded; `reason` is a sentence that says what to do. */
  | { readonly type: 'refused'; readonly key: string; readonly reason: string }

/** Stored states as the current code reads them. */
export interface Reconciled {
  /** By key; a slot without an entry has its initial state. */
  readonly states: JsonObject
  /** Empty when nothing has changed. */
  readonly changes: readonly StateChange[]
}

/** Values derived from a pipeline's slots, computed once for each pipeline. */
interface Composition {
  /** The stored slots by key, in the order of the signature. */
  readonly slots: ReadonlyMap<string, StateSlot>
  readonly signature: string
  readonly versions: Readonly<Record<string, number>>
  /** The container of the many conversations that have no state. */
  readonly nothing: StateContainer
}

const compositions = new WeakMap<readonly StateSlot[], Composition>()

function compositionOf(slots: readonly StateSlot[]): Composition {
  const known = compositions.get(slots)
  if (known !== undefined) return known
  const stored = slots
    .filter(({ scope }) => scope !== 'shared')
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const signature = stored.map(({ key }) => key).join(',')
  const versions = Object.fromEntries(stored.map(({ key, version }) => [key, version]))
  const made = {
    slots: new Map(stored.map((slot) => [slot.key, slot])),
    signature,
    versions,
    nothing: holding(Object.freeze({}), signature, versions),
  }
  compositions.set(slots, made)
  return made
}

/** The sorted state keys of a pipeline, comma-separated, without those of scope `shared`. */
export const signatureOf = (slots: readonly StateSlot[]): string => compositionOf(slots).signature

/**
 * States as they are stored, with what is needed to load them into other code. States without a slot
 * and `shared` states are left out.
 * @param kept `session` keeps only what outlives a run; default `run`: what a run needs to resume
 */
export function containerOf(
  slots: readonly StateSlot[],
  states: JsonObject,
  kept: 'run' | 'session' = 'run',
): StateContainer {
  const { signature, versions, slots: stored, nothing } = compositionOf(slots)
  const own = Object.entries(states).filter(([key]) => {
    const scope = stored.get(key)?.scope
    return scope !== undefined && (kept === 'run' || scope === 'session')
  })
  return own.length === 0 ? nothing : holding(Object.fromEntries(own), signature, versions)
}

const holding = (
  states: JsonObject,
  schemaSignature: string,
  stateVersions: Readonly<Record<string, number>>,
): StateContainer => ({
  states,
  schemaSignature,
  schemaVersion: CONTAINER_VERSION,
  stateVersions,
})

/**
 * Reads stored states with the current code, and lists the changes. Does not throw: a state that
 * cannot be loaded is listed among the changes, and `checkRefusals` throws for it.
 */
export function reconcile(stored: StateContainer, slots: readonly StateSlot[]): Reconciled {
  const now = compositionOf(slots)
  if (isUnchanged(stored, now)) return { states: stored.states, changes: NO_CHANGES }
  const states: [string, JsonObject[string]][] = []
  const changes = composedAnew(stored, now)
  for (const [key, slot] of now.slots) {
    const state = own(stored.states, key)
    if (state === undefined) continue
    const from = own(stored.stateVersions ?? {}, key) ?? FIRST_VERSION
    const loaded = upToDate(slot, state, from)
    if (!loaded.ok) changes.push({ type: 'refused', key, reason: loaded.reason })
    else states.push([key, loaded.state])
    if (loaded.ok && from !== slot.version) {
      changes.push({ type: 'migrated', key, from, to: slot.version })
    }
  }
  return { states: Object.fromEntries(states), changes }
}

const NO_CHANGES: readonly StateChange[] = []

/** The version of a state that was stored without one. */
const FIRST_VERSION = 1

const own = <Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined

/** The usual case, on every resume: allocates nothing and checks each state once. */
function isUnchanged({ states, schemaSignature, stateVersions }: StateContainer, now: Composition) {
  if (schemaSignature !== now.signature || stateVersions === null) return false
  for (const [key, slot] of now.slots) {
    if (stateVersions[key] !== slot.version) return false
    const state = own(states, key)
    if (state !== undefined && slot.refusal(state) !== undefined) return false
  }
  return true
}

/** Compares the pipeline's states with the stored ones. */
function composedAnew({ states, schemaSignature }: StateContainer, now: Composition) {
  const named = (schemaSignature ?? '').split(',').filter((key) => key !== '')
  const before = new Set([...named, ...Object.keys(states)])
  const changes: StateChange[] = []
  if (schemaSignature === null) changes.push({ type: 'upgraded' })
  const dropped = [...before].filter((key) => !now.slots.has(key)).toSorted()
  if (dropped.length > 0) changes.push({ type: 'dropped', names: dropped })
  // Without a signature the earlier states are unknown.
  const added = schemaSignature === null ? [] : [...now.slots.keys()].filter((k) => !before.has(k))
  if (added.length > 0) changes.push({ type: 'added', names: added })
  return changes
}

/**
 * Reports changes in order: a log line for each and one event for all. Without changes it reports
 * nothing.
 * @param before the signature of the stored states
 * @param now the signature of the pipeline
 */
export function changesToEvents(
  changes: readonly StateChange[],
  before: string | null,
  now: string,
): readonly RunEvent[] {
  if (changes.length === 0) return []
  const isUpgrade = changes.some(({ type }) => type === 'upgraded')
  const migrated = changes.flatMap((change) =>
    change.type === 'migrated' ? [{ key: change.key, from: change.from, to: change.to }] : [],
  )
  return [...changes.map(toLog), { type: 'schema-changed', isUpgrade, before, now, migrated }]
}

function toLog(change: StateChange): RunEvent {
  switch (change.type) {
    case 'upgraded':
      return log(
        'info',
        'Resuming from checkpoint created before schema versioning. Upgrading to current schema.',
      )
    case 'dropped':
      return log(
        'warning',
        `Checkpoint contains state for ${change.names.length} middleware that no longer exist: ${change.names.join(', ')}. State will be discarded.`,
      )
    case 'added':
      return log(
        'info',
        `Detected ${change.names.length} new middleware not present in checkpoint: ${change.names.join(', ')}. State will be initialized to defaults.`,
      )
    case 'migrated':
      return log(
        'info',
        `Migrated the state of ${change.key} from version ${change.from} to ${change.to}.`,
      )
    case 'refused':
      return log('error', change.reason)
  }
}

const log = (level: 'info' | 'warning' | 'error', message: string): RunEvent => ({
  type: 'log',
  level,
  message,
})

/**
 * Checks that all states can be loaded.
 * @throws EchelonError STATE_REFUSED that names each state that cannot be, and what to do
 */
export function checkRefusals(changes: readonly StateChange[]): void {
  const refused = changes.filter((change) => change.type === 'refused')
  if (refused.length === 0) return
  throw new EchelonError('STATE_REFUSED', refused.map(({ reason }) => reason).join('\n'), {
    details: { states: refused.map(({ key }) => key) },
  })
}
