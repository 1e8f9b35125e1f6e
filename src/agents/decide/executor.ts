import type { Json } from '../../core/json.ts'
import type { ToolCall, ToolErrorCode, ToolOutcome } from '../../core/tool.ts'
import type { Action } from './plan.ts'
import { bindReferences, lastNeeded } from './references.ts'
import type { Evidence, Loop, PhaseOf } from './state.ts'

type Executing = PhaseOf<'execute'>

/**
 * What the executor can do next with a plan: the calls whose references are all there, in plan
 * order, up to the first action that depends on one of them or needs no call.
 */
export function readyCalls(here: Executing, known: readonly string[]): readonly ToolCall[] {
  const calls: ToolCall[] = []
  for (const [index, action] of here.actions.entries()) {
    if (index < here.ran.length) continue
    const prepared = prepare(here, action, known)
    if (prepared.type !== 'call') break
    calls.push({ id: callId(here.loop, index), tool: action.tool, input: prepared.input })
  }
  return calls
}

/**
 * The plan with the next actions answered that need no call: a tool that does not exist keeps its
 * number as an error, and so does an action whose reference leads nowhere.
 */
export function settleWithoutCalls(here: Executing, known: readonly string[]): Executing {
  const index = here.ran.length
  const action = here.actions[index]
  if (action === undefined) return here
  const prepared = prepare(here, action, known)
  if (prepared.type !== 'settled') return here
  const call = { id: callId(here.loop, index), tool: action.tool, input: action.args }
  const ran = [...here.ran, evidence(here, call, prepared.outcome)]
  return settleWithoutCalls({ ...here, ran }, known)
}

type Prepared =
  | { readonly type: 'call'; readonly input: Json }
  | { readonly type: 'settled'; readonly outcome: ToolOutcome }
  /** Uses a result that is not there yet. */
  | { readonly type: 'waits' }

function prepare({ ran }: Executing, action: Action, known: readonly string[]): Prepared {
  if (!known.includes(action.tool)) {
    return settled('UNKNOWN_TOOL', `there is no tool ${action.tool}`)
  }
  if (lastNeeded(action.args) > ran.length) return { type: 'waits' }
  const bound = bindReferences(
    action.args,
    ran.map(({ outcome }) => outcome),
  )
  return bound.ok ? { type: 'call', input: bound.args } : settled('INVALID_ARGS', bound.message)
}

const settled = (code: ToolErrorCode, message: string): Prepared => ({
  type: 'settled',
  outcome: { type: 'error', code, message },
})

/** Stable over resume: rung, round and number in the plan. */
const callId = ({ rung, rounds }: Loop, index: number): string => `${rung}.${rounds}.${index + 1}`

/** The state with the outcomes of the last calls added. */
export function keepOutcomes(
  here: Executing,
  calls: readonly ToolCall[],
  outcomes: readonly ToolOutcome[],
): Executing {
  const more = outcomes.flatMap((outcome, index) => {
    const call = calls[index]
    return call === undefined ? [] : [evidence(here, call, outcome)]
  })
  return { ...here, ran: [...here.ran, ...more] }
}

const evidence = ({ loop, at }: Executing, call: ToolCall, outcome: ToolOutcome): Evidence => ({
  rung: loop.rung,
  round: loop.rounds,
  call,
  outcome,
  at,
})
