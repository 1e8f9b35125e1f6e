import type { AgentServices } from '../../core/agent/agent-services.ts'
import { EchelonError } from '../../core/value/error.ts'
import { isJson, isRecord, type Json } from '../../core/value/json.ts'
import { DEFAULT_MODEL_TIMEOUTS } from '../../core/model/model-timeouts.ts'
import { DEFAULT_RETRY } from '../../core/model/retry-policy.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { defineTool, type Tool, ToolError } from '../../core/tool/tool.ts'
import { MAIN } from './chat-settings.ts'
import type { ChatEngine } from './chat-engine.ts'
import { isText } from './input/message-check.ts'
import type { ModelBinding } from './model-binding.ts'
import type { OutputFormat } from './output/output-format.ts'

/**
 * How an agent appears among the tools of another. Limits are those of the run that calls it; the
 * agent's own hold where it runs by itself.
 */
export interface AgentToolOptions {
  readonly name: string
  /** What the model reads: what the agent is good for. */
  readonly description: string
  /** Default false. */
  readonly needsApproval?: boolean
  /** As of any tool. Default: from outside where one of its tools or layers is. */
  readonly origin?: string
}

interface Task {
  /** What the agent is to do, in words. */
  readonly task: string
}

/** An agent as a tool of another: it works in the run of the one that calls it. */
export function agentTool(
  options: AgentToolOptions & Pick<Tool, 'mayAct'>,
  engine: () => ChatEngine,
): Tool<Task> {
  return defineTool({
    ...options,
    input: TASK,
    delegates: true,
    async run({ task }, { child }) {
      if (child === undefined) throw cannotDelegate(options.name)
      const { binding, world } = engine()
      const { definition, services, output } = world
      const { reason, result } = await child({
        definition,
        input: task,
        surroundings: {
          ...ITS_DEFAULTS,
          ...services,
          tools: services.tools.list(),
          models: (recorded) => modelsOf(binding, recorded?.[MAIN]),
        },
      })
      if (result.detail === null) return resultOf(result.text, output)
      const said = result.text === '' ? '' : `; it had said: ${result.text}`
      throw new ToolError('TOOL_ERROR', `it ended with ${reason}: ${result.detail}${said}`)
    },
  })
}

/** An agent that gives objects gives its caller the object, as JSON. */
function resultOf(text: string, output: OutputFormat | undefined): Json {
  if (output === undefined) return text
  const read = output.read(text)
  if (!read.ok) throw new ToolError('TOOL_ERROR', `its answer does not fit: ${read.message}`)
  if (isJson(read.value)) return read.value
  // A schema may make dates and the like of what was written.
  const plain: unknown = JSON.parse(JSON.stringify(read.value))
  return isJson(plain) ? plain : text
}

/** A run that goes on has the model of its journal, until the next switch. */
async function modelsOf(
  binding: ModelBinding,
  recorded: string | undefined,
): Promise<ModelBinding['models']> {
  if (recorded !== undefined) return binding.asRecorded(recorded)
  await binding.prepare()
  return binding.models
}

/** What it was not built with it has none of, here as where it runs by itself. */
const ITS_DEFAULTS: Pick<AgentServices, 'wrapModel' | 'retry' | 'modelTimeouts'> = {
  wrapModel: [],
  retry: DEFAULT_RETRY,
  modelTimeouts: DEFAULT_MODEL_TIMEOUTS,
}

const cannotDelegate = (name: string): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `the tool ${name} runs an agent, and was called outside of a run; let a run call it`,
  )

const TASK_SCHEMA = {
  type: 'object',
  properties: {
    task: { type: 'string', description: 'what to do, with all that is needed for it' },
  },
  required: ['task'],
  additionalProperties: false,
}

const TASK: Schema<Task> = {
  '~standard': {
    version: 1,
    vendor: 'echelon',
    validate: readTask,
    jsonSchema: { input: () => TASK_SCHEMA, output: () => TASK_SCHEMA },
  },
}

function readTask(value: unknown): ReturnType<Schema<Task>['~standard']['validate']> {
  if (!isRecord(value)) return { issues: [{ message: 'expected an object with a task' }] }
  const { task, ...others } = value
  if (!isText(task)) return { issues: [{ path: ['task'], message: 'expected a text' }] }
  const [other] = Object.keys(others)
  if (other !== undefined) return { issues: [{ path: [other], message: 'is not known here' }] }
  return { value: { task } }
}
