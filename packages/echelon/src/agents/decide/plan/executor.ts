import { isJsonObject, type Json } from '../../../core/value/json.ts'
import type {
  ToolCall,
  ToolErrorCode,
  ToolFacts,
  ToolOutcome,
} from '../../../core/tool/tool-call.ts'
import type { Action } from './plan.ts'
import { bindReferences, lastNeeded } from './references.ts'
import type { Evidence, Loop, PhaseOf, Task } from '../state.ts'

type Executing = PhaseOf<'execute'>

/** The available tools. */
type Known = readonly Pick<ToolFacts, 'name' | 'jsonSchema'>[]

/**
 * The next calls of a plan: those whose references are all resolved, in plan order, up to the first action that
 * depends on one of them or needs no call.
 */
export function readyCalls(here: Executing, known: Known): readonly ToolCall[] {
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
 * Answers the next actions that need no call: an unknown tool, or a reference that leads nowhere, becomes an error
 * under the action's number.
 */
export function settleWithoutCalls(here: Executing, known: Known): Executing {
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
  /** Uses a result that is not available yet. */
  | { readonly type: 'waits' }

function prepare({ loop, ran }: Executing, action: Action, known: Known): Prepared {
  const tool = known.find(({ name }) => name === action.tool)
  if (tool === undefined) return settled('UNKNOWN_TOOL', `there is no tool ${action.tool}`)
  if (lastNeeded(action.args) > ran.length) return { type: 'waits' }
  const bound = bindReferences(
    action.args,
    ran.map(({ outcome }) => outcome),
  )
  return bound.ok
    ? { type: 'call', input: onDayOf(loop.task, tool, bound.args) }
    : settled('INVALID_ARGS', bound.message)
}

/** Without a given day, a calendar counts from the clock's day, which may not be the case's. */
function onDayOf({ today, rules }: Task, { name, jsonSchema }: Known[number], args: Json): Json {
  const takesDay =
    rules > 1 &&
    name === 'calendar' &&
    isJsonObject(jsonSchema['properties']) &&
    'today' in jsonSchema['properties']
  return takesDay && isJsonObject(args) && !('today' in args) ? { ...args, today } : args
}

const settled = (code: ToolErrorCode, message: string): Prepared => ({
  type: 'settled',
  outcome: { type: 'error', code, message },
})

/** Stable across resume: rung, round and number in the plan. */
const callId = ({ rung, rounds }: Loop, index: number): string => `${rung}.${rounds}.${index + 1}`

/** Adds the outcomes of the last calls to the state. */
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
