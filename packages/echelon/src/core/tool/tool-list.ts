import { EchelonError } from '../value/error.ts'

/**
 * Checks an option that takes a list: JavaScript users may pass one element, or forget `await`.
 * @param example what creates such a list, for the message about a promise
 * @throws EchelonError INVALID_CONFIG that says what to write
 */
export function listOf(name: string, given: unknown, example = '…'): readonly unknown[] {
  if (given === undefined) return NONE
  if (Array.isArray(given)) return given
  if (isObject(given) && 'then' in given) {
    throw wrong(`${name} is a promise; write ${name}: await ${example}`)
  }
  throw wrong(`${name} is not a list; write ${name}: [...]`)
}

const NONE: readonly unknown[] = []

/**
 * Checks the `tools` of an agent.
 * @throws EchelonError INVALID_CONFIG that says what to write
 */
export function checkTools(tools: unknown): void {
  if (isObject(tools) && Object.values(tools).some(isAiSdkTool)) throw ofAiSdk()
  listOf('tools', tools, 'standardTools()').forEach(checkTool)
}

function checkTool(tool: unknown, index: number): void {
  if (isObject(tool) && 'asTool' in tool) {
    throw wrong(`tools[${index}] is an agent; give the result of its asTool`)
  }
  const isTool =
    isObject(tool) &&
    'name' in tool &&
    typeof tool.name === 'string' &&
    'run' in tool &&
    typeof tool.run === 'function' &&
    'jsonSchema' in tool
  if (!isTool) {
    throw wrong(`tools[${index}] is not a tool with a name, a schema and run; use defineTool`)
  }
}

const isAiSdkTool = (value: unknown): boolean =>
  isObject(value) && 'inputSchema' in value && 'execute' in value

/** An AI SDK tool has neither a name nor an effect, so it must be converted. */
const ofAiSdk = (): EchelonError =>
  wrong(
    'tools has a tool of the AI SDK; write tools: fromAiSdkTools({ name: theTool }), from @echelon/adapters',
  )

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const wrong = (sentence: string): EchelonError => new EchelonError('INVALID_CONFIG', sentence)
