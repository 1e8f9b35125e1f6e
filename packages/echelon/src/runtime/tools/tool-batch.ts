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

/** Where a batch stands in its run. */
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
 * A batch of tool calls. They are begun in plan order, `atOnce` at a time, and answered in plan
 * order; one whose tool is not parallel has the stage for itself.
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

/** The calls that the step may still make; the others are answered. */
const withinStep = (batch: Batch, calls: readonly Numbered[]): readonly Numbered[] =>
  calls.filter((one) => {
    const refused = beyondStep(batch, one.index)
    if (refused !== undefined) keep(batch, one, refused)
    return refused === undefined
  })

/** The usual case: one call, and no rule that has to be asked about it. */
function callAlone(batch: Batch, call: ToolCall, index: number): Promise<ToolOutcome> {
  const permitting = permitCall(batch, call, index)
  return !(permitting instanceof Promise) && permitting.type === 'allow'
    ? callTool(batch, call, index)
    : callIfPermitted(batch, { call, index }, permitting)
}

/** @param before what else must be done before it runs */
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
  // What may have been done before a crash is not told as refused: its tool knows what became of it.
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

/** Calls that may run at the same time, in order; a tool that is not parallel is a group of one. */
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

/** What is allowed runs at once; what is to be approved is asked meanwhile, one after the other. */
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
      // Again, since what was answered to the one before may hold for this one too.
      const permitting = permitCall(batch, call, index)
      // And not before the others are done, so that no more run at once than may.
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
