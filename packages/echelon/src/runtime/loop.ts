import type { AgentDefinition, Meter } from '../core/agent/agent.ts'
import { overstep } from '../core/agent/capability.ts'
import { digestEffect } from '../core/agent/effect-digest.ts'
import type { Effect, Finish } from '../core/agent/effect.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Closed } from '../core/journal/journal.ts'
import type { Json } from '../core/value/json.ts'
import type { Observation, Refused } from '../core/agent/observation.ts'
import type { Asking, Branch } from './branch.ts'
import { perform } from './perform.ts'
import { RootSnapshots } from './root-snapshots.ts'
import { describeStep } from './journal/step-description.ts'
import type { Tree } from './tree.ts'

/** The end of a run. A canceled run has the result that it could still give. */
export interface RunEnd<Result> {
  readonly status: 'finished' | 'canceled'
  /** The definition's reason. */
  readonly reason: string
  readonly result: Result
}

/** Position of a run: the state after the last recorded step, and the next step's number. */
export interface Position<State> {
  readonly state: State
  readonly seq: number
  /** Whether it was loaded from a snapshot of older code and needs a new snapshot. */
  readonly isUpgraded?: boolean
}

/** Consecutive refusals and cancels after which a definition counts as stuck. */
const MAX_SKIPPED_STEPS = 1000

/**
 * Runs the main loop, the only place that performs effects: ask the definition for the next effect,
 * perform it within its actor's capabilities and the budget, record the observation, pass it to the
 * definition, and repeat. Each state is published before it is acted on.
 */
export async function drive<Input extends Json, State, Result>(
  branch: Branch,
  definition: AgentDefinition<Input, State, Result>,
  position: Position<State>,
  publish: (state: State) => void,
): Promise<Finish<Result>> {
  let { state, seq } = position
  const { tree } = branch
  const isRoot = branch.path === ''
  if (isRoot && tree.journal.keepsSnapshots)
    tree.snapshots = new RootSnapshots(branch, definition, position.isUpgraded === true)
  for (let skips = 0; ; seq++) {
    publish(state)
    const asked = definition.next(state)
    if (asked.type === 'finish') {
      if (!isRoot || tree.closeInput()) return asked
      state = deliverInput(branch, definition, { state, seq })
      continue
    }
    if (isRoot) {
      if (tree.waits.isWanted && !tree.isCanceled && !tree.hasInput) await suspend(tree)
      tree.snapshots?.reach({ state, seq })
    }
    const skipped = interruption(branch, seq) ?? refusal(branch, definition, asked)
    skips = skipped === undefined || skipped.type === 'heard' ? 0 : skips + 1
    if (skips > MAX_SKIPPED_STEPS) throw neverFinishes(definition)
    const seen = skipped ?? withCancel(tree, await begin(branch, definition, asked, seq))
    const meter = close(branch, asked, seen, seq)
    const moved = definition.observe(state, seen, meter)
    branch.emitNotes(seq, meter.at, moved.notes)
    state = moved.state
  }
}

/** Suspends the run between two steps, when nothing is in flight. */
async function suspend(tree: Tree): Promise<void> {
  await tree.journal.flush()
  throw tree.waits.leave()
}

/** Delivers input that the user sent during the last step, before the run ends. */
function deliverInput<Input extends Json, State, Result>(
  branch: Branch,
  definition: AgentDefinition<Input, State, Result>,
  { state, seq }: Position<State>,
): State {
  const seen: Observation = { type: 'heard', text: branch.tree.takeInput() ?? '' }
  const meter = close(branch, undefined, seen, seq)
  const moved = definition.observe(state, seen, meter)
  branch.emitNotes(seq, meter.at, moved.notes)
  return moved.state
}

const neverFinishes = ({ name }: Asking): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `${name} was refused or canceled and does not finish; its observe must lead to a finish`,
  )

/** Returns a cancel or user input that came since the last step. */
function interruption(branch: Branch, seq: number): Observation | undefined {
  const { tree, path } = branch
  if (tree.canceledBy !== undefined) {
    const open = branch.leftOpen(seq)
    // Report what the step did before the process died; do not start the rest of it.
    const hasActed = open !== undefined && open.settled.size + open.intended.size > 0
    return hasActed ? undefined : { type: 'canceled', by: tree.canceledBy }
  }
  // Input goes to the run that the user started, not to its child runs.
  const text = path === '' ? tree.takeInput() : undefined
  return text === undefined ? undefined : { type: 'heard', text }
}

/** Refuses an effect that its actor may not ask for, or that has no steps or time left. */
function refusal({ tree }: Branch, asking: Asking, asked: Effect): Refused | undefined {
  const over = overstep(asking.actors, asked)
  if (over !== undefined) {
    const message = `${asking.name} asked for ${over}, which its actor may not do`
    return { type: 'refused', by: 'capability', limit: over, message }
  }
  const limit = tree.ledger.impossible(ONE_STEP) ?? (tree.msLeft > 0 ? undefined : 'seconds')
  if (limit === undefined) return undefined
  return { type: 'refused', by: 'budget', limit, message: `the run has no ${limit} left` }
}

const ONE_STEP = { steps: 1 }

/** Counts the step, emits `step-start` and performs the effect. */
function begin(
  branch: Branch,
  { actors }: Asking,
  asked: Effect,
  seq: number,
): Observation | Promise<Observation> {
  const { tree, path } = branch
  tree.ledger.count('steps', 1)
  if (tree.audience.hears('step-start'))
    tree.audience.tell({ type: 'step-start', path, seq, ...describeStep(branch, asked) })
  // Nothing was awaited since the last step closed, so its time is still current.
  tree.assumeNow(branch.closedAt)
  const performing = perform(branch, actors, asked, seq)
  tree.assumeNow(undefined)
  return performing
}

/** Replaces the observation by the cancel if the cancel left no result. */
const withCancel = ({ canceledBy }: Tree, seen: Observation): Observation =>
  canceledBy !== undefined && wasCutShort(seen) ? { type: 'canceled', by: canceledBy } : seen

/** Returns whether a cancel left the step without any result. */
function wasCutShort(seen: Observation): boolean {
  if (seen.type === 'failed') return seen.error.code === 'aborted'
  if (seen.type === 'tools-called') {
    return seen.outcomes.every((outcome) => outcome.type === 'error')
  }
  return seen.type === 'unanswered' || seen.type === 'woke'
}

/**
 * Records the step. The entry becomes durable before the next effect is performed.
 * @param asked `undefined` for input that is delivered at the end of the run
 */
function close(branch: Branch, asked: Effect | undefined, seen: Observation, seq: number): Meter {
  const { tree, path } = branch
  // An answer came just now, so its time is current; reading the clock again is slow.
  const at = (seen.type === 'generated' ? tree.workEndedAt : undefined) ?? tree.clock.now()
  branch.closedAt = at
  branch.trace?.saw(seen, asked)
  if (tree.audience.hears('step-end')) tree.audience.tell({ type: 'step-end', path, seq, seen })
  if (tree.journal.records) tree.journal.push(closedEntry(branch, asked, seen, { seq, at }))
  // Rejects a state that can't be stored even when nothing is recorded.
  else branch.takeStates()
  // A snapshot, since a definition may store the meter in its state.
  return { at, spent: tree.ledger.snapshot(), limits: tree.ledger.limits }
}

function closedEntry(
  branch: Branch,
  asked: Effect | undefined,
  seen: Observation,
  { seq, at }: { readonly seq: number; readonly at: number },
): Closed {
  const { tree, path } = branch
  const unasked = seen.type === 'heard' || seen.type === 'canceled'
  const isDigested = asked !== undefined && !unasked && tree.journal.digests
  const digest = isDigested ? digestEffect(asked) : 0
  const spent = tree.takeSpent()
  const entry: Closed = { type: 'closed', path, seq, digest, seen, at, spent }
  const { states } = branch.takeStates()
  const prompt = branch.takeSentPrompt()
  if (states === undefined && prompt === undefined) return entry
  return { ...entry, ...(states && { states }), ...(prompt && { prompt }) }
}
