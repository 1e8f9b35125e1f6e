import { EchelonError } from '../../core/value/error.ts'
import { wordHint } from '../../core/value/nearest.ts'
import type { AgentOptions, AgentPlan, ChatLimits } from './agent-options.ts'

type Name = Exclude<keyof AgentOptions | keyof AgentPlan, 'services'>

/** Exactly the known options; the compiler reports a missing one. */
const OPTIONS: Readonly<Record<Name, true>> = {
  name: true,
  model: true,
  instructions: true,
  tools: true,
  use: true,
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
  checkNames('option', plan, OPTIONS)
  checkPieces(plan)
  checkTracing(plan.tracing)
}

/** Checks the options of one run in the same way. */
export function checkPieces({ use, tools, limits }: Partial<AgentPlan>): void {
  if (limits !== undefined) checkNames('limit', limits, LIMITS)
  listOf('use', use).forEach(checkLayer)
  if (isObject(tools) && Object.values(tools).some(isAiSdkTool)) throw ofAiSdk()
  listOf('tools', tools).forEach(checkTool)
}

function checkNames(kind: string, given: object, known: Readonly<Record<string, true>>): void {
  for (const name in given) {
    if (!Object.hasOwn(known, name)) throw unknownName(kind, name, Object.keys(known))
  }
}

function unknownName(kind: string, name: string, known: readonly string[]): EchelonError {
  // The message uses the public name: the agent stores its services under another one.
  const words = known.map((word) => (word === 'container' ? 'services' : word))
  return wrong(`there is no ${kind} ${name}${wordHint(name, words)}`)
}

function listOf(name: string, given: unknown): readonly unknown[] {
  if (given === undefined) return NONE
  if (Array.isArray(given)) return given
  throw wrong(`${name} is no list; write ${name}: [...]`)
}

const NONE: readonly unknown[] = []

function checkLayer(layer: unknown, index: number): void {
  if (typeof layer === 'function') {
    const call = layer.name === '' ? 'seen' : layer.name
    const how = layer.name === '' ? 'call it, as in' : 'call it:'
    throw wrong(`use[${index}] is a function; ${how} use: [${call}()]`)
  }
  if (!isObject(layer) || !('key' in layer) || !('replaces' in layer)) {
    throw wrong(`use[${index}] is no middleware; make it with defineMiddleware, and call it`)
  }
}

function checkTool(tool: unknown, index: number): void {
  if (isObject(tool) && 'asTool' in tool) {
    throw wrong(`tools[${index}] is an agent; give what its asTool makes`)
  }
  const isTool =
    isObject(tool) &&
    'name' in tool &&
    typeof tool.name === 'string' &&
    'run' in tool &&
    typeof tool.run === 'function' &&
    'jsonSchema' in tool
  if (!isTool) {
    throw wrong(`tools[${index}] is no tool, which has a name, a schema and run; use defineTool`)
  }
}

const isAiSdkTool = (value: unknown): boolean =>
  isObject(value) && 'inputSchema' in value && 'execute' in value

/** It says neither its name nor what it does to the world, so that it is not taken as it is. */
const ofAiSdk = (): EchelonError =>
  wrong(
    'tools has a tool of the AI SDK; write tools: fromAiSdkTools({ name: theTool }), from echelon/adapters',
  )

/** What makes one needs a package, and so is waited for. */
function checkTracing(tracing: unknown): void {
  if (tracing === undefined || (isObject(tracing) && 'begin' in tracing)) return
  throw wrong('tracing cannot follow a run; write tracing: await openTelemetry()')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const wrong = (sentence: string): EchelonError => new EchelonError('INVALID_CONFIG', sentence)
