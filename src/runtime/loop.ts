import type { AgentDefinition, Meter } from '../core/agent.ts'
import { overstep } from '../core/capability.ts'
import { digestEffect } from '../core/effect-digest.ts'
import type { Effect, Finish } from '../core/effect.ts'
import { EchelonError } from '../core/error.ts'
import type { Json } from '../core/json.ts'
import type { Observation, Refused } from '../core/observation.ts'
import { perform } from './perform.ts'
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
}

type Named = Pick<AgentDefinition<Json, unknown, unknown>, 'name' | 'actors'>

/** Refusals and cancels in a row that no sane definition answers with another wish. */
const MOST_IDLE_STEPS = 1000

/**
 * The loop, and the only place that performs effects: ask the definition what is next, perform it
 * within its actor's capability and the budget, put on record what came of it, let the definition
 * learn from it, and go again. Each state is published before it is acted on.
 */
export async function drive<Input extends Json, State, Result>(
  tree: Tree,
  definition: AgentDefinition<Input, State, Result>,
  position: Position<State>,
  publish: (state: State) => void,
): Promise<RunEnd<Result>> {
  let { state, seq } = position
  for (let idle = 0; ; seq++) {
    publish(state)
    const asked = definition.next(state)
    if (asked.type === 'finish') return end(tree, asked)
    const idly = interruption(tree) ?? refusal(tree, definition, asked)
    idle = idly === undefined || idly.type === 'heard' ? 0 : idle + 1
    if (idle > MOST_IDLE_STEPS) throw neverFinishes(definition)
    const seen =
      idly ?? (await timed(tree, asked, () => performWatched(tree, definition, asked, seq)))
    const meter = close(tree, asked, seen, seq)
    const moved = definition.observe(state, seen, meter)
    tree.emitNotes(seq, meter.at, moved.notes)
    state = moved.state
  }
}

const neverFinishes = ({ name }: Named): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `${name} was refused or canceled and does not finish; its observe must lead to a finish`,
  )

/** What nobody asked for and comes between two steps: a cancel, or the user's voice. */
function interruption(tree: Tree): Observation | undefined {
  if (tree.canceledBy !== undefined) return { type: 'canceled', by: tree.canceledBy }
  const text = tree.takeHeard()
  return text === undefined ? undefined : { type: 'heard', text }
}

/** An effect that its actor may not ask for, or for which there are no steps or no time left. */
function refusal(tree: Tree, definition: Named, asked: Effect): Refused | undefined {
  const over = overstep(definition.actors, asked)
  if (over !== undefined) {
    const message = `${definition.name} asked for ${over}, which its actor may not do`
    return { type: 'refused', by: 'capability', limit: over, message }
  }
  const limit = tree.ledger.impossible(ONE_STEP) ?? (tree.msLeft > 0 ? undefined : 'seconds')
  if (limit === undefined) return undefined
  return { type: 'refused', by: 'budget', limit, message: `the run has no ${limit} left` }
}

const ONE_STEP = { steps: 1 }

async function performWatched(
  tree: Tree,
  { actors }: Named,
  asked: Effect,
  seq: number,
): Promise<Observation> {
  tree.ledger.spend(ONE_STEP)
  if (tree.audience.hears('step-start'))
    tree.audience.tell({ type: 'step-start', path: '', seq, ...describe(tree, asked) })
  const seen = await perform(tree, actors, asked, seq)
  return tree.canceledBy !== undefined && wasCutShort(seen)
    ? { type: 'canceled', by: tree.canceledBy }
    : seen
}

/** What a cancel left without any result is nothing to decide on; what was done is told. */
function wasCutShort(seen: Observation): boolean {
  if (seen.type === 'failed') return seen.error.code === 'aborted'
  if (seen.type === 'tools-called') {
    return seen.outcomes.every((outcome) => outcome.type === 'error')
  }
  return seen.type === 'unanswered' || seen.type === 'woke'
}

/** Only working time counts against `seconds`: days of waiting for a person are free. */
function timed<Value>(tree: Tree, asked: Effect, work: () => Promise<Value>): Promise<Value> {
  const waits = asked.type === 'ask' || asked.type === 'sleep'
  return waits ? work() : tree.onTheClock(work)
}

/** Puts the step on record; the entry becomes durable before the next effect touches the world. */
function close(tree: Tree, asked: Effect, seen: Observation, seq: number): Meter {
  const at = tree.services.clock.now()
  if (tree.audience.hears('step-end')) tree.audience.tell({ type: 'step-end', path: '', seq, seen })
  if (tree.journal.records) {
    const unasked = seen.type === 'heard' || seen.type === 'canceled'
    const digest = unasked ? 0 : digestEffect(asked)
    const spent = tree.takeSpent()
    tree.journal.push({ type: 'closed', path: '', seq, digest, seen, at, spent })
  }
  // A copy: a definition may keep its meter, and a state never changes.
  return { at, spent: { ...tree.ledger.spent }, limits: tree.ledger.limits }
}

async function end<Result>(tree: Tree, asked: Finish<Result>): Promise<RunEnd<Result>> {
  const status = tree.canceledBy === undefined ? 'finished' : 'canceled'
  const { reason, result } = asked
  const at = tree.services.clock.now()
  tree.journal.push({ type: 'ended', path: '', status, reason, at })
  await tree.journal.flush()
  if (tree.audience.hears('run-end')) {
    tree.audience.tell({ type: 'run-end', status, reason, spent: { ...tree.ledger.spent } })
  }
  return { status, reason, result }
}

interface Described {
  readonly effect: Effect['type']
  readonly actor: string
  readonly targets: readonly string[]
  readonly role?: string
  readonly prompt?: string
}

function describe(tree: Tree, asked: Effect): Described {
  if (asked.type === 'together') {
    const parts = asked.effects.map((one) => describe(tree, one))
    return { effect: 'together', actor: '', targets: parts.flatMap((part) => part.targets) }
  }
  const described = { effect: asked.type, actor: asked.actor, targets: targetsOf(tree, asked) }
  if (asked.type !== 'generate') return described
  return { ...described, role: asked.role, prompt: tree.promptIds.of(asked.messages) }
}

function targetsOf(tree: Tree, asked: Exclude<Effect, { type: 'together' }>): readonly string[] {
  if (asked.type === 'generate') return [tree.services.models[asked.role]?.id ?? asked.role]
  if (asked.type === 'call-tools') return asked.calls.map((call) => call.tool)
  return asked.type === 'recall' || asked.type === 'remember' ? [asked.memory] : []
}
