import type { CallTools } from '../../core/agent/effect.ts'
import type { ToolsCalled } from '../../core/agent/observation.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
import { approve } from '../people/approval.ts'
import type { Branch } from '../branch.ts'
import { callCutShort } from '../model/cut-short.ts'
import { wasLeftBegun } from './begun-call.ts'
import { permitCall, type Ruling } from '../people/permit.ts'
import type { Batch } from './batch.ts'
import { bookBegun } from './batch-allowance.ts'
import { beyondStep } from './calls-per-step.ts'
import { callTool } from './tool-call.ts'

/** Position of a batch in its run. */
export interface BatchPlace {
  readonly seq: number
  /** Number of its first call within the step, which may hold several batches. */
  readonly firstCall: number
}

/** One call, and its number within the step. */
interface Numbered {
  readonly call: ToolCall
  readonly index: number
}

/**
 * Runs a batch of tool calls. They start in plan order, `atOnce` at a time, and outcomes are in plan
 * order. A call whose tool is not parallel runs alone.
 */
export async function callTools(
  branch: Branch,
  effect: CallTools,
  { seq, firstCall }: BatchPlace,
  meter: Batch['meter'],
): Promise<ToolsCalled> {
  const { calls, atOnce = 1, most = Infinity } = effect
  const outcomes: ToolOutcome[] = []
  const batch: Batch = { branch, seq, firstCall, meter, outcomes, left: most, waits: false }
  bookBegun(batch, calls.length)
  const [only] = calls
  if (calls.length === 1 && only !== undefined) {
    outcomes.push(beyondStep(batch, firstCall) ?? (await callAlone(batch, only, firstCall)))
  } else {
    const numbered = calls.map((call, place) => ({ call, index: firstCall + place }))
    const allowed = withinStep(batch, numbered)
    for (const group of groups(branch, allowed)) await callGroup(batch, group, atOnce)
  }
  return { type: 'tools-called', outcomes }
}

/** Returns the calls that the step may still make, and refuses the others. */
const withinStep = (batch: Batch, calls: readonly Numbered[]): readonly Numbered[] =>
  calls.filter((one) => {
    const refused = beyondStep(batch, one.index)
    if (refused !== undefined) keep(batch, one, refused)
    return refused === undefined
  })

/** Fast path for the usual case: one call that no asynchronous rule checks. */
function callAlone(batch: Batch, call: ToolCall, index: number): Promise<ToolOutcome> {
  const permitting = permitCall(batch, call, index)
  return !(permitting instanceof Promise) && permitting.type === 'allow'
    ? callTool(batch, call, index)
    : callIfPermitted(batch, { call, index }, permitting)
}

/** @param before awaited before the call runs */
async function callIfPermitted(
  batch: Batch,
  { call, index }: Numbered,
  permitting: Ruling | Promise<Ruling>,
  before?: Promise<void>,
): Promise<ToolOutcome> {
  const verdict = await permitting
  const refused =
    verdict.type === 'ask'
      ? await approve(batch, call, { index, verdict })
      : refusedBy(verdict, call)
  if (refused !== undefined && !wasLeftBegun(batch, index)) return refused
  await before
  // A call that may have run before a crash is not reported as refused: its tool knows the outcome.
  return callTool(batch, call, index, refused)
}

const refusedBy = (
  verdict: Exclude<Ruling, { type: 'ask' }>,
  call: ToolCall,
): ToolOutcome | undefined => {
  switch (verdict.type) {
    case 'allow':
      return undefined
    case 'deny':
      return { type: 'denied', reason: verdict.reason }
    case 'given-up':
      return callCutShort(call, verdict.cause)
  }
}

/** Groups calls that may run in parallel, in order; a tool that is not parallel is a group of one. */
function groups(branch: Branch, calls: readonly Numbered[]): readonly (readonly Numbered[])[] {
  const made: Numbered[][] = []
  let open: Numbered[] | undefined
  for (const one of calls) {
    if (branch.tools.find(one.call.tool)?.parallel === false) {
      made.push([one])
      open = undefined
    } else if (open === undefined) made.push((open = [one]))
    else open.push(one)
  }
  return made
}

/** Runs allowed calls immediately, and meanwhile asks for the needed approvals one by one. */
async function callGroup(batch: Batch, group: readonly Numbered[], atOnce: number): Promise<void> {
  const allowed: Numbered[] = []
  const asked: Numbered[] = []
  for (const one of group) {
    const permitting = permitCall(batch, one.call, one.index)
    const verdict = permitting instanceof Promise ? await permitting : permitting
    if (verdict.type === 'allow') allowed.push(one)
    else if (verdict.type === 'ask') asked.push(one)
    else keep(batch, one, await callIfPermitted(batch, one, verdict))
  }
  const working = work(batch, allowed, atOnce)
  if (asked.length === 0) return await working
  const asking = async (): Promise<void> => {
    for (const one of asked) {
      const { call, index } = one
      // Check again, since the answer to the previous request may cover this call too.
      const permitting = permitCall(batch, call, index)
      // Runs after the others, so that `atOnce` is not exceeded.
      keep(batch, one, await callIfPermitted(batch, one, permitting, working))
    }
  }
  await Promise.all([working, asking()])
}

async function work(batch: Batch, calls: readonly Numbered[], atOnce: number): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let one = calls[next++]; one !== undefined; one = calls[next++]) {
      keep(batch, one, await callTool(batch, one.call, one.index))
    }
  }
  const workers = Math.min(Math.max(1, atOnce), calls.length)
  await Promise.all(Array.from({ length: workers }, worker))
}

const keep = (batch: Batch, { index }: Numbered, outcome: ToolOutcome): void => {
  batch.outcomes[index - batch.firstCall] = outcome
}
