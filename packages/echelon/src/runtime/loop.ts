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
import { RootStanding } from './root-standing.ts'
import { describeStep } from './record/step-description.ts'
import type { Tree } from './tree.ts'

/** How a run ended. A canceled run has what there was. */
export interface RunEnd<Result> {
  readonly status: 'finished' | 'canceled'
  /** Why, in the definition's words. */
  readonly reason: string
  readonly result: Result
}

/** Where a run stands: the state after the last step on record, and the next step's number. */
export interface Position<State> {
  readonly state: State
  readonly seq: number
  /** Whether it was read off a snapshot of older code: it is kept anew, as it is now. */
  readonly isUpgraded?: boolean
}

/** Refusals and cancels in a row that no sane definition answers with another wish. */
const MOST_IDLE_STEPS = 1000

/**
 * The loop, and the only place that performs effects: ask the definition what is next, perform it
 * within its actor's capability and the budget, put on record what came of it, let the definition
 * learn from it, and go again. Each state is published before it is acted on.
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
    tree.standing = new RootStanding(branch, definition, position.isUpgraded === true)
  for (let idle = 0; ; seq++) {
    publish(state)
    const asked = definition.next(state)
    if (asked.type === 'finish') {
      if (!isRoot || tree.stopHearing()) return asked
      state = hearOut(branch, definition, { state, seq })
      continue
    }
    if (isRoot) {
      if (tree.waits.isWanted && !tree.isCanceled && !tree.hasUnheard) await letGo(tree)
      tree.standing?.reach({ state, seq })
    }
    const idly = interruption(branch, seq) ?? refusal(branch, definition, asked)
    idle = idly === undefined || idly.type === 'heard' ? 0 : idle + 1
    if (idle > MOST_IDLE_STEPS) throw neverFinishes(definition)
    const seen = idly ?? told(tree, await begin(branch, definition, asked, seq))
    const meter = close(branch, asked, seen, seq)
    const moved = definition.observe(state, seen, meter)
    branch.emitNotes(seq, meter.at, moved.notes)
    state = moved.state
  }
}

/** Somebody wants the run to be left, and between two steps nothing is under way. */
async function letGo(tree: Tree): Promise<void> {
  await tree.journal.flush()
  throw tree.waits.leave()
}

/** What the user said during the last step is heard before the end. */
function hearOut<Input extends Json, State, Result>(
  branch: Branch,
  definition: AgentDefinition<Input, State, Result>,
  { state, seq }: Position<State>,
): State {
  const seen: Observation = { type: 'heard', text: branch.tree.takeHeard() ?? '' }
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

/** What nobody asked for and comes between two steps: a cancel, or the user's voice. */
function interruption(branch: Branch, seq: number): Observation | undefined {
  const { tree, path } = branch
  if (tree.canceledBy !== undefined) {
    const open = branch.leftOpen(seq)
    // What was done in the step before the process died is told; the rest of it is not begun.
    const hasActed = open !== undefined && open.settled.size + open.intended.size > 0
    return hasActed ? undefined : { type: 'canceled', by: tree.canceledBy }
  }
  // The user speaks to the run that they began, not to one that it began itself.
  const text = path === '' ? tree.takeHeard() : undefined
  return text === undefined ? undefined : { type: 'heard', text }
}

/** An effect that its actor may not ask for, or for which there are no steps or no time left. */
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

/** Counts the step, tells whoever watches, and performs what was asked for. */
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
  // Nothing was waited for since the last step was closed.
  tree.assumeNow(branch.closedAt)
  const performing = perform(branch, actors, asked, seq)
  tree.assumeNow(undefined)
  return performing
}

/** What is learned of what was done: a cancel, where it left nothing of it. */
const told = ({ canceledBy }: Tree, seen: Observation): Observation =>
  canceledBy !== undefined && wasCutShort(seen) ? { type: 'canceled', by: canceledBy } : seen

/** What a cancel left without any result is nothing to decide on; what was done is told. */
function wasCutShort(seen: Observation): boolean {
  if (seen.type === 'failed') return seen.error.code === 'aborted'
  if (seen.type === 'tools-called') {
    return seen.outcomes.every((outcome) => outcome.type === 'error')
  }
  return seen.type === 'unanswered' || seen.type === 'woke'
}

/**
 * Puts the step on record; the entry becomes durable before the next effect touches the world.
 * Nothing was asked for where the user speaks at the end.
 */
function close(branch: Branch, asked: Effect | undefined, seen: Observation, seq: number): Meter {
  const { tree, path } = branch
  // Reading the clock takes its time, and an answer came just now.
  const at = (seen.type === 'generated' ? tree.workEndedAt : undefined) ?? tree.clock.now()
  branch.closedAt = at
  branch.trace?.saw(seen, asked)
  if (tree.audience.hears('step-end')) tree.audience.tell({ type: 'step-end', path, seq, seen })
  if (tree.journal.records) tree.journal.push(closedEntry(branch, asked, seen, { seq, at }))
  // A state that cannot be kept is refused whether or not anything is recorded.
  else branch.takeStates()
  // To be kept: a definition may keep its meter, and a state never changes.
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
