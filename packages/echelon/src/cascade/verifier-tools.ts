import type { AgentDefinition } from '../core/agent/agent.ts'
import { EchelonError } from '../core/value/error.ts'
import type { ToolsCalled } from '../core/agent/observation.ts'
import type { Tool, ToolCall } from '../core/tool/tool.ts'
import { startRun } from '../runtime/run.ts'
import type { Services } from '../runtime/services.ts'
import { ToolRegistry } from '../runtime/tools/tool-registry.ts'
import { CASCADE } from './call-budget.ts'

/** The ports of the verifier's tools. */
export type ToolServices = Pick<Services, 'clock' | 'ids' | 'timeZone' | 'artifacts'>

/** Maximum number of calls that run at the same time. */
const AT_ONCE = 8

/** @throws EchelonError INVALID_CONFIG for a tool that no check may call */
export function checkVerifierTools(tools: readonly Tool[]): void {
  const wrong = tools.find(({ does, needsApproval }) => does !== 'reads' || needsApproval)
  if (wrong === undefined) return
  throw new EchelonError(
    'INVALID_CONFIG',
    `cascadeModel: a verifier cannot call ${wrong.name}, which does more than read, or needs an approval; give it tools that only read`,
  )
}

/** Calls tools of a verifier as the tool calls of a run: checked, limited in time, and failures as values. */
export async function callVerifierTools(
  calls: readonly ToolCall[],
  { tools, ...services }: ToolServices & { readonly tools: readonly Tool[] },
  signal: AbortSignal | undefined,
): Promise<ToolsCalled> {
  const run = startRun(
    callingOnce(calls),
    null,
    { ...services, models: {}, limits: {}, tools: new ToolRegistry(tools) },
    { ...(signal !== undefined && { signal }) },
  )
  const { result } = await run.result
  return result ?? { type: 'tools-called', outcomes: calls.map(() => NOT_CALLED) }
}

const NOT_CALLED = { type: 'refused', limit: 'time', reason: 'the call was given up' } as const

type Called = ToolsCalled | 'not yet' | undefined

/** An agent that calls tools once, and ends with their outcomes. */
const callingOnce = (
  calls: readonly ToolCall[],
): AgentDefinition<null, Called, ToolsCalled | undefined> => ({
  name: CASCADE,
  version: 1,
  actors: { verifier: { tools: calls.map(({ tool }) => tool), meters: 'checks' } },
  start: () => ({ state: 'not yet' }),
  next: (state) =>
    state === 'not yet'
      ? { type: 'call-tools', actor: 'verifier', calls, atOnce: AT_ONCE }
      : { type: 'finish', result: state, reason: 'called' },
  observe: (_, seen) => ({ state: seen.type === 'tools-called' ? seen : undefined }),
  load: () => undefined,
})
