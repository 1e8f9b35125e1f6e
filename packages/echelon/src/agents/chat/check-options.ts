import { checkTools, listOf } from '../../core/tool/tool-list.ts'
import { EchelonError } from '../../core/value/error.ts'
import { checkNames } from '../../core/value/known-names.ts'
import type { AgentOptions, AgentPlan, ChatLimits } from './agent-options.ts'

type Name = Exclude<keyof AgentOptions | keyof AgentPlan, 'services'>

/** Exactly the known options; the compiler reports a missing one. */
const OPTIONS: Readonly<Record<Name, true>> = {
  name: true,
  model: true,
  instructions: true,
  tools: true,
  use: true,
  historyReduction: true,
  staticMemory: true,
  dynamicMemory: true,
  output: true,
  container: true,
  wrapModel: true,
  limits: true,
  maxIterations: true,
  atLimit: true,
  maxParallelTools: true,
  maxCallsPerStep: true,
  maxResultChars: true,
  maxInputChars: true,
  timeoutMs: true,
  modelTimeouts: true,
  maxTokens: true,
  sampling: true,
  telemetry: true,
  tracing: true,
  records: true,
  logging: true,
  caching: true,
  errorHandling: true,
  configureOptions: true,
  permissions: true,
  untrustedText: true,
  store: true,
  journal: true,
  suspend: true,
  registry: true,
  providers: true,
  redact: true,
  memory: true,
  artifacts: true,
  sharedStates: true,
  timeZone: true,
  clock: true,
  ids: true,
}

const AGENT_OPTIONS = {
  kind: 'option',
  names: Object.keys(OPTIONS),
  // The public name: the agent stores its services under another one.
  suggested: Object.keys(OPTIONS).map((name) => (name === 'container' ? 'services' : name)),
}

const LIMITS: Readonly<Record<keyof ChatLimits, true>> = {
  money: true,
  tokens: true,
  seconds: true,
  tools: true,
  calls: true,
}

/**
 * Reports to JavaScript users what the compiler reports in TypeScript: an unknown option or an invalid
 * middleware would silently do nothing.
 * @throws EchelonError INVALID_CONFIG that names what is wrong and what to write
 */
export function checkOptions(plan: AgentPlan): void {
  checkNames(plan, AGENT_OPTIONS)
  checkPieces(plan)
  checkTracing(plan.tracing)
}

/** Checks the options of one run in the same way. */
export function checkPieces({ use, tools, limits }: Partial<AgentPlan>): void {
  if (limits !== undefined) checkNames(limits, { kind: 'limit', names: Object.keys(LIMITS) })
  listOf('use', use).forEach(checkMiddleware)
  checkTools(tools)
}

function checkMiddleware(middleware: unknown, index: number): void {
  if (typeof middleware === 'function') {
    const call = middleware.name === '' ? 'seen' : middleware.name
    const how = middleware.name === '' ? 'call it, as in' : 'call it:'
    throw wrong(`use[${index}] is a function; ${how} use: [${call}()]`)
  }
  if (!isObject(middleware) || !('key' in middleware) || !('replaces' in middleware)) {
    throw wrong(`use[${index}] is not a middleware; create it with defineMiddleware, and call it`)
  }
}

/** Its factory needs a package and is asynchronous. */
function checkTracing(tracing: unknown): void {
  if (tracing === undefined || (isObject(tracing) && 'begin' in tracing)) return
  throw wrong('tracing cannot follow a run; write tracing: await openTelemetry()')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const wrong = (sentence: string): EchelonError => new EchelonError('INVALID_CONFIG', sentence)
