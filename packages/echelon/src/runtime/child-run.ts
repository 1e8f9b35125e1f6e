import type { AgentDefinition } from '../core/agent/agent.ts'
import type { Finish } from '../core/agent/effect.ts'
import type { Json } from '../core/value/json.ts'
import type { Ended, Path, Started } from '../core/journal/journal.ts'
import { recordedStates } from '../core/journal/journaled-states.ts'
import { NOTHING_SAID } from '../core/message/thread.ts'
import type { ChildEnd, ChildRun, ChildSurroundings } from '../core/tool/tool.ts'
import { Branch } from './branch.ts'
import { boundModels, loadStates, type Restored, restore } from './carry-on.ts'
import { startContext } from './journal/fold.ts'
import { drive, type Position } from './loop.ts'
import { permitTurn } from './people/permit.ts'
import { journalEnd, journalStart } from './journal/journal-run.ts'
import type { TraceContext } from '../core/observability/tracing.ts'
import type { OwnServices } from './services.ts'
import { ToolRegistry } from './tools/tool-registry.ts'
import { beginTrace, traced } from './model/traced.ts'
import type { Tree } from './tree.ts'
import { throughTurn, withText } from './turn.ts'

/**
 * Runs another agent within a tool call. It is in the same tree, so that both share budget, journal
 * and cancel, and the run forwards its requests. After a crash the child resumes where it stopped.
 * @throws EchelonError NOT_PERMITTED when one of the child's rules denies the turn
 */
export async function runChild<Input extends Json, State, Result>(
  parent: Branch,
  path: Path,
  { definition, input, surroundings }: ChildRun<Input, State, Result>,
  around?: TraceContext,
): Promise<ChildEnd<Result>> {
  const { tree, delegate } = parent
  // The child's effects count toward the time; the call that waits for them does not.
  tree.endWork()
  // No suspension during the work around the child's steps.
  tree.waits.hold()
  const { redact, listeners = [] } = surroundings
  if (redact !== undefined) tree.audience.alsoRedact(redact)
  const stops = listeners.map((listener) => tree.audience.listenWithin(path, listener))
  try {
    const started = startedAt(tree, path)
    const recorded = started && boundModels(started, tree.entries)
    const services = await servicesOf(parent, surroundings, recorded)
    const { name: agent } = definition
    const parts = { path, agent, services, delegate, forSession: parent.forSession }
    const restored = started && restore(tree, definition, parts)
    const branch = restored?.branch ?? new Branch(tree, parts)
    const run = (): Promise<ChildEnd<Result>> =>
      restored === undefined ? begin(branch, definition, input) : goOn(restored, definition, input)
    if (services.tracing === undefined || endedAt(tree, path)) return await run()
    beginTrace(branch, definition.name, { parent: around, earlier: started?.traceparent })
    return await (branch.trace === undefined ? run() : traced(branch.trace, run))
  } finally {
    for (const stop of stops) stop()
    tree.waits.release()
    tree.beginWork()
  }
}

async function begin<Input extends Json, State, Result>(
  branch: Branch,
  definition: AgentDefinition<Input, State, Result>,
  input: Input,
): Promise<ChildEnd<Result>> {
  await permitTurn(branch, definition.name)
  const given = { input, history: NOTHING_SAID }
  const finish = await throughTurn(branch, definition, given, (said) =>
    work(branch, definition, said),
  )
  return journalEnd(branch, finish)
}

function work<Input extends Json, State, Result>(
  branch: Branch,
  definition: AgentDefinition<Input, State, Result>,
  input: Input,
): Promise<Finish<Result>> {
  const { tree, path } = branch
  const { runId, seed, clock } = tree
  const { limits, timeZone } = tree.services
  const at = clock.now()
  const context = startContext({ at, seed, runId, timeZone, limits, path }, NOTHING_SAID)
  const { state, notes } = definition.start(input, context)
  const { name: agent, version } = definition
  journalStart(branch, { agent, version, input, at, seed })
  branch.emitNotes(-1, at, notes)
  return driveChild(branch, definition, { state, seq: 0 })
}

/** Runs the child's loop. Its steps decide on their own whether the run may be suspended. */
async function driveChild<Input extends Json, State, Result>(
  branch: Branch,
  definition: AgentDefinition<Input, State, Result>,
  position: Position<State>,
): Promise<Finish<Result>> {
  const { waits } = branch.tree
  waits.release()
  try {
    return await drive(branch, definition, position, ignore)
  } finally {
    waits.hold()
  }
}

/** Resumes a child from its entries. A child that had ended returns its end again. */
async function goOn<Input extends Json, State, Result>(
  { branch, position }: Restored<State>,
  definition: AgentDefinition<Input, State, Result>,
  input: Input,
): Promise<ChildEnd<Result>> {
  const { tree, path } = branch
  const ended = endedAt(tree, path)
  if (ended !== undefined) {
    const finish = await driveChild(branch, definition, position)
    const { reason, result } = withText(definition, finish, ended.text)
    // Only a whole run is given up.
    const status = ended.status === 'canceled' ? 'canceled' : 'finished'
    return { status, reason, result }
  }
  const states = loadStates(branch, recordedStates(tree.entries, path))
  if (states !== undefined)
    tree.journal.push({ type: 'resumed', path, charged: {}, at: tree.clock.now(), states })
  const finish = await throughTurn(branch, definition, { input, history: NOTHING_SAID }, () =>
    driveChild(branch, definition, position),
  )
  return journalEnd(branch, finish)
}

const startedAt = ({ entries }: Tree, path: Path): Started | undefined =>
  entries.find((entry): entry is Started => entry.type === 'started' && entry.path === path)

const endedAt = ({ entries }: Tree, path: Path): Ended | undefined =>
  entries.find((entry): entry is Ended => entry.type === 'ended' && entry.path === path)

const ignore = (): undefined => undefined

/** Returns the parent's services overridden by the child's own; middleware is not inherited. */
async function servicesOf(
  { services: { pipeline: _around, ...common }, tools, models }: Branch,
  own: ChildSurroundings,
  recorded: Readonly<Record<string, string>> | undefined,
): Promise<OwnServices> {
  return {
    ...common,
    ...own,
    models: typeof own.models === 'function' ? await own.models(recorded) : (own.models ?? models),
    tools: own.tools === undefined ? tools : new ToolRegistry(own.tools),
  }
}
