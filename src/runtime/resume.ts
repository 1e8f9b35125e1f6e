import type { AgentDefinition } from '../core/agent.ts'
import { addAmounts, type Amounts } from '../core/budget.ts'
import type { Ended, Entry, Started } from '../core/journal.ts'
import type { Json } from '../core/json.ts'
import type { ToolOutcome } from '../core/tool.ts'
import { findStarted, foldRun } from './fold.ts'
import { drive } from './loop.ts'
import { Run, type SessionView } from './run.ts'
import type { Services } from './services.ts'
import { type OpenStep, Tree } from './tree.ts'

/**
 * Goes on with a run from its journal, in whatever process: the steps on record are folded, what
 * was open is charged at its hold (an entry of its own, so that it stays charged), and the loop
 * takes over. A run that had ended gives its end again and performs nothing.
 */
export function resumeRun<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  entries: readonly Entry[],
  options: {
    readonly services: Services
    readonly signal?: AbortSignal
    readonly session?: SessionView
  },
): Run<Result, State> {
  const started = findStarted(definition, entries)
  const fold = foldRun(definition, started, entries, options.session?.history)
  let step = fold.next()
  while (step.done !== true) step = fold.next()
  const { state, seq } = step.value
  const charged = openHolds(entries)
  const spent: Record<string, number> = { ...step.value.spent }
  addAmounts(spent, charged)
  const ended = entries.find((entry) => entry.type === 'ended')
  const tree = new Tree(servicesOf(started, ended, options.services), {
    runId: started.runId,
    seed: started.seed + seq,
    spent,
    open: { seq, step: openStep(entries, seq) },
    replies: repliesOf(entries),
  })
  tree.journal.push({ type: 'resumed', charged, at: options.services.clock.now() })
  const canceled = entries.findLast((entry) => entry.type === 'closed')?.seen
  if (canceled?.type === 'canceled') tree.cancel(canceled.by)
  else if (ended?.status === 'canceled') tree.cancel('user')
  return new Run(tree, {
    initial: state,
    work: (publish) => drive(tree, definition, { state, seq }, publish),
    signal: options.signal,
    states: options.session?.states,
  })
}

/** The world as the run knew it; one that has ended is not recorded again. */
function servicesOf(
  { limits, timeZone }: Started,
  ended: Ended | undefined,
  given: Services,
): Services {
  const { journal, ...rest } = { ...given, limits, timeZone }
  return ended !== undefined || journal === undefined ? rest : { ...rest, journal }
}

/** What attempts without an outcome may have cost, that no earlier resume has charged. */
function openHolds(entries: readonly Entry[]): Amounts {
  const open = new Map<number, Record<string, number>>()
  for (const entry of entries) {
    if (entry.type === 'opened') {
      const holds = open.get(entry.seq) ?? {}
      addAmounts(holds, entry.hold)
      open.set(entry.seq, holds)
    } else if (entry.type === 'closed') open.delete(entry.seq)
    else if (entry.type === 'resumed') open.clear()
  }
  const sum: Record<string, number> = {}
  for (const holds of open.values()) addAmounts(sum, holds)
  return sum
}

function openStep(entries: readonly Entry[], seq: number): OpenStep {
  const intended = new Map<number, string>()
  const settled = new Map<number, ToolOutcome>()
  let request: OpenStep['request']
  for (const entry of entries) {
    if (!('seq' in entry) || entry.seq !== seq) continue
    if (entry.type === 'intended') intended.set(entry.call, entry.key)
    else if (entry.type === 'settled') settled.set(entry.call, entry.outcome)
    else if (entry.type === 'requested') request = { id: entry.request, at: entry.at }
  }
  return { intended, settled, request }
}

function repliesOf(entries: readonly Entry[]): ReadonlyMap<string, Json> {
  const replies = new Map<string, Json>()
  for (const entry of entries) if (entry.type === 'replied') replies.set(entry.request, entry.reply)
  return replies
}
