import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { describeIssue, jsonSchemaCheck } from 'echelon/internal/schema'
import { isJson, isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import type { ServedAgent } from '../agents/served-agent.ts'
import type { ServerContext } from '../http/server-context.ts'
import { followCall, type RunCall } from './agent-call.ts'
import { errorResult, RESULT_SCHEMA } from './agent-result.ts'

export const ANSWER_TOOL = 'answer_request'

const MOST_CHARACTERS = 1_000_000

/** An agent as a tool. */
export function agentTool({ name, description, accepts, options }: ServedAgent): Tool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema(accepts, options) },
    outputSchema: RESULT_SCHEMA,
    annotations: { openWorldHint: true },
  }
}

interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Record<string, object>
  readonly required: string[]
  readonly additionalProperties: boolean
}

const inputSchema = (accepts: ServedAgent['accepts'], options: JsonObject): ObjectSchema => ({
  type: 'object',
  properties: {
    input: {
      type: 'string',
      minLength: 1,
      maxLength: MOST_CHARACTERS,
      description: 'What the user says or asks',
    },
    ...(accepts.sessions && {
      session: {
        type: 'string',
        minLength: 1,
        maxLength: 256,
        description: 'A name of the conversation, to continue it later',
      },
    }),
    ...(hasProperties(options) && { options: { ...options } }),
    ...(accepts.output && {
      output: { type: 'object', description: 'JSON Schema that the answer must fit' },
    }),
  },
  required: ['input'],
  additionalProperties: false,
})

const hasProperties = ({ properties }: JsonObject): boolean =>
  isJsonObject(properties) && Object.keys(properties).length > 0

export const answerTool: Tool = {
  name: ANSWER_TOOL,
  description:
    'Answers what a run waits for, with the words of the user, and follows it to its end.',
  inputSchema: {
    type: 'object',
    properties: {
      run: { type: 'string', minLength: 1, maxLength: 256 },
      request: { type: 'string', minLength: 1, maxLength: 1024 },
      reply: { description: 'For an approval one of its choices; for a question any JSON' },
    },
    required: ['run', 'request', 'reply'],
    additionalProperties: false,
  },
  outputSchema: RESULT_SCHEMA,
}

type Context = Pick<ServerContext, 'hub' | 'clock' | 'log'>
type Caller = Omit<RunCall, 'run'>

/** Runs an agent for a call. @throws HttpProblem and EchelonError for what the agent refuses */
export async function callAgent(
  agent: ServedAgent,
  given: unknown,
  { caller, context }: { readonly caller: Caller; readonly context: Context },
): Promise<CallToolResult> {
  const args = checked(given, inputSchema(agent.accepts, agent.options))
  if (typeof args === 'string') return errorResult(args)
  const { input, session, options, output } = args
  const run = await context.hub.start(
    agent,
    {
      text: typeof input === 'string' ? input : '',
      ...(isJsonObject(options) && { options }),
      ...(isJsonObject(output) && { output }),
    },
    { principal: caller.principal, ...(typeof session === 'string' && { session }) },
  )
  return followCall({ ...caller, run: run.id }, context)
}

/** Answers a request and follows its run. @throws HttpProblem 404, also for another user's run; EchelonError */
export async function answerRequest(
  given: unknown,
  { caller, context }: { readonly caller: Caller; readonly context: Context },
): Promise<CallToolResult> {
  const args = checked(given, answerTool.inputSchema)
  if (typeof args === 'string') return errorResult(args)
  const { run, request, reply = null } = args
  if (typeof run !== 'string' || typeof request !== 'string') return errorResult('name the request')
  const { principal } = caller
  const { hub } = context
  await hub.answer(run, { request, reply }, principal)
  const live = hub.live(run, principal)
  if (live === undefined || live.log.isOver) await hub.resume(await hub.find(run, principal))
  return followCall({ ...caller, run }, context)
}

/** @returns the arguments, or what is wrong with them */
function checked(given: unknown, schema: object): JsonObject | string {
  const value: unknown = given ?? {}
  if (!isJson(value) || !isJsonObject(value)) return 'give an object'
  const plain: Json = JSON.parse(JSON.stringify(schema))
  if (!isJsonObject(plain)) return 'the tool has no schema'
  const issues = jsonSchemaCheck(plain, { patterns: 'passed' })(value)
  return issues.length === 0 ? value : issues.map(describeIssue).join('; ').slice(0, 2000)
}
