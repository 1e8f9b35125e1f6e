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
 * Options of an agent as a tool of another agent. The limits of the calling run apply; the agent's own
 * limits apply only when it runs by itself.
 */
export interface AgentToolOptions {
  readonly name: string
  /** Tells the model what the agent is good for. */
  readonly description: string
  /** Default false. */
  readonly needsApproval?: boolean
  /** As for any tool. Default: untrusted if one of its tools or middleware is. */
  readonly origin?: string
}

interface AgentToolInput {
  /** The task for the agent, in words. */
  readonly task: string
}

/** Makes an agent a tool of another; it works in the run of its caller. */
export function agentTool(
  options: AgentToolOptions & Pick<Tool, 'mayAct'>,
  engine: () => ChatEngine,
): Tool<AgentToolInput> {
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

/** Returns the text, or the object as JSON if the agent has an output schema. */
function resultOf(text: string, output: OutputFormat | undefined): Json {
  if (output === undefined) return text
  const read = output.read(text)
  if (!read.ok) throw new ToolError('TOOL_ERROR', `its answer does not fit: ${read.message}`)
  if (isJson(read.value)) return read.value
  // A schema may convert values, for example to dates.
  const plain: unknown = JSON.parse(JSON.stringify(read.value))
  return isJson(plain) ? plain : text
}

/** A resumed run uses the model of its journal, until the next switch. */
async function modelsOf(
  binding: ModelBinding,
  recorded: string | undefined,
): Promise<ModelBinding['models']> {
  if (recorded !== undefined) return binding.asRecorded(recorded)
  await binding.prepare()
  return binding.models
}

/** Defaults for settings it was built without, so that it does not inherit its caller's. */
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

const TASK: Schema<AgentToolInput> = {
  '~standard': {
    version: 1,
    vendor: 'echelon',
    validate: readTask,
    jsonSchema: { input: () => TASK_SCHEMA, output: () => TASK_SCHEMA },
  },
}

function readTask(value: unknown): ReturnType<Schema<AgentToolInput>['~standard']['validate']> {
  if (!isRecord(value)) return { issues: [{ message: 'expected an object with a task' }] }
  const { task, ...others } = value
  if (!isText(task)) return { issues: [{ path: ['task'], message: 'expected a text' }] }
  const [other] = Object.keys(others)
  if (other !== undefined) return { issues: [{ path: [other], message: 'is not known here' }] }
  return { value: { task } }
}
