import * as types from '@modelcontextprotocol/sdk/types.js'
import { readInput } from '../../packages/adapters/src/aiagent/run-input.ts'
import { restoreStored } from '../../packages/adapters/src/aiagent/stored-session.ts'
import { toolSchema } from '../../packages/adapters/src/ai-sdk-schema.ts'
import {
  loadChatState,
  loadContinuation,
} from '../../packages/echelon/src/agents/chat/session/load-state.ts'
import { checkMessages } from '../../packages/echelon/src/agents/chat/input/message-check.ts'
import { loadDecideState } from '../../packages/echelon/src/agents/decide/load-state.ts'
import { Verification } from '../../packages/echelon/src/agents/decide/verification/verification.ts'
import { isJson, isJsonObject } from '../../packages/echelon/src/core/value/json.ts'
import { jsonSchemaCheck } from '../../packages/echelon/src/core/schema/json-schema.ts'
import { waysToMatch } from '../../packages/echelon/src/core/schema/pattern-cost.ts'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { createRegistry, standardProviders } from '../../packages/echelon/src/providers.ts'
import { readResult, readStream } from '../../packages/echelon/src/runtime/model/model-answer.ts'
import { toProblem } from '../../packages/echelon/src/runtime/model/provider-problem.ts'
import { inputSchema } from '../../packages/mcp/src/input-schema.ts'
import { elicit } from '../../packages/mcp/src/elicitation.ts'
import { readResult as readMcpResult } from '../../packages/mcp/src/result.ts'
import { toolNames } from '../../packages/mcp/src/tool-names.ts'
import { openApiTools } from '../../packages/tools/src/openapi/openapi-tools.ts'
import { json, ofFile, ofJson, ofObject, type Reader } from './reader.ts'
import { serverSaying } from './server-saying.ts'
import { VERIFIERS } from '../decide/verifiers.ts'

const server = await serverSaying()
const registry = createRegistry(standardProviders)
const ASK = { prompt: [userMessage('how much is 6 * 7?')] }

/** A server's response, complete and as a stream, read by the provider's package. */
const asked =
  (model: string): Reader['read'] =>
  async (text) => {
    const [provider = ''] = model.split('/')
    const settings = { [provider]: { baseUrl: server.url, apiKey: 'k' } }
    const bound = await registry.resolve(model, settings)
    server.say(text)
    const answers = [
      async () => readResult(await bound.model.doGenerate(ASK)),
      async () => readStream((await bound.model.doStream(ASK)).stream, () => undefined),
    ]
    for (const answer of answers) {
      // One after the other: they share a server.
      // oxlint-disable-next-line no-await-in-loop
      await answer().catch((error: unknown) => toProblem(error, 1, bound.normalizeError))
    }
  }

const events = (...data: readonly object[]): string =>
  data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')

const CHAT = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: '42' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
}
const CHUNK = {
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { content: '42' }, finish_reason: null }],
}
const MESSAGE = {
  id: 'm1',
  type: 'message',
  role: 'assistant',
  model: 'c',
  content: [
    { type: 'text', text: '42' },
    { type: 'tool_use', id: 't1', name: 'add', input: { a: 1 } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 2 },
}
const GEMINI = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [{ text: '42' }, { functionCall: { name: 'a', args: {} } }],
      },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2, totalTokenCount: 11 },
}
const RESPONSE = {
  id: 'r1',
  created_at: 1,
  model: 'm',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'o1',
      role: 'assistant',
      content: [{ type: 'output_text', text: '42', annotations: [] }],
    },
  ],
  usage: { input_tokens: 9, output_tokens: 2 },
}
const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1, pattern: '^[a-z]+(?:-[a-z]+)*$' },
    days: { type: 'array', items: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/day' }] } },
  },
  required: ['city'],
  additionalProperties: false,
  $defs: { day: { type: 'object', properties: { next: { $ref: '#/$defs/day' } } } },
}
const VALUE = { city: 'new-york', days: [1, { next: { next: {} } }] }
const LISTING = {
  tools: [{ name: 'add', description: 'adds', inputSchema: SCHEMA, annotations: {} }],
  nextCursor: 'a',
}
const RESULT = {
  content: [
    { type: 'text', text: 'a' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'resource_link', uri: 'a://b', name: 'c' },
  ],
  structuredContent: { a: 1 },
}
const OPENAPI = {
  openapi: '3.0.3',
  paths: {
    '/a/{b}': {
      get: {
        operationId: 'one',
        parameters: [{ name: 'b', in: 'path', required: true, schema: { type: 'string' } }],
      },
      post: { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } },
    },
  },
}
const MESSAGES = [
  { role: 'user', content: [{ type: 'text', text: 'a' }] },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: '1', toolName: 'add', input: { a: 1 } }],
  },
]

const artifacts = {
  write: async (name: string, content: Uint8Array) => ({
    name,
    path: name,
    sha256: '',
    mediaType: 'text/plain',
    bytes: content.length,
  }),
}

const holds = (schema: unknown, value: unknown): unknown =>
  isJson(schema) && isJsonObject(schema) && isJson(value)
    ? [
        jsonSchemaCheck(schema, { patterns: 'passed' })(value),
        jsonSchemaCheck(schema, { patterns: 'held' })(value),
      ]
    : undefined

/** Readers of network data. */
export const PROTOCOLS: readonly Reader[] = [
  {
    name: 'a chat completion of a server of the OpenAI kind',
    of: [
      'packages/echelon/src/providers/openai-compatible.ts',
      'packages/echelon/src/runtime/model/model-answer.ts',
    ],
    read: asked('openai-compatible/m'),
    samples: [...json(CHAT), `${events(CHUNK, { ...CHUNK, choices: [] })}data: [DONE]\n\n`],
  },
  {
    name: 'a response of OpenAI',
    of: ['packages/echelon/src/providers/openai.ts', 'packages/echelon/src/providers/openai/'],
    read: asked('openai/gpt-5-nano'),
    samples: [
      ...json(RESPONSE, CHAT),
      events(
        { type: 'response.created', response: RESPONSE },
        { type: 'response.output_text.delta', item_id: 'o1', delta: '42' },
        { type: 'response.completed', response: RESPONSE },
      ),
    ],
  },
  {
    name: 'a message of Anthropic',
    of: ['packages/echelon/src/providers/anthropic.ts'],
    read: asked('anthropic/claude-haiku-4-5'),
    samples: [
      ...json(MESSAGE),
      events(
        { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '42' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ),
    ],
  },
  {
    name: 'an answer of Google',
    of: ['packages/echelon/src/providers/google.ts'],
    read: asked('google/gemini-2.5-flash'),
    samples: [...json(GEMINI), events(GEMINI)],
  },
  {
    name: 'the body of an error',
    of: [
      'packages/echelon/src/core/model/error-body.ts',
      'packages/echelon/src/runtime/model/provider-problem.ts',
      'packages/echelon/src/providers/errors/',
    ],
    read: (responseBody) =>
      toProblem({ name: 'AI_APICallError', message: 'no', statusCode: 400, responseBody }, 1),
    samples: json({ error: { message: 'no', code: 'rate_limit' } }),
  },
  {
    name: 'a JSON Schema',
    of: [
      'packages/echelon/src/core/schema/json-schema.ts',
      'packages/echelon/src/core/schema/schema-inspection.ts',
      'packages/echelon/src/core/schema/plain-schema.ts',
    ],
    read: ofObject((given) =>
      holds('schema' in given ? given['schema'] : given, given['value'] ?? VALUE),
    ),
    samples: json({ schema: SCHEMA, value: VALUE }, SCHEMA),
  },
  {
    name: 'a pattern and a text',
    of: ['packages/echelon/src/core/schema/pattern-cost.ts'],
    read: (text) => {
      const [pattern = '', ...rest] = text.split('\n')
      return [waysToMatch(pattern, 1000), holds({ pattern }, rest.join('\n'))]
    },
    samples: ['^[a-z]+(?:-[a-z]+)*$\na-b', '(?:[a-z0-9-]+\\.){1,3}(x|y{2,})?\nab.c'],
  },
  {
    name: 'the tools that an MCP server lists',
    of: [
      'packages/mcp/src/input-schema.ts',
      'packages/mcp/src/listing.ts',
      'packages/mcp/src/tool-names.ts',
    ],
    read: ofJson((value) => {
      const { data } = types.ListToolsResultSchema.safeParse(value)
      if (data === undefined) return undefined
      const names = toolNames(
        's',
        data.tools.map(({ name }) => name),
      )
      return [
        names,
        data.tools.map((tool) => inputSchema(tool.inputSchema)?.['~standard'].validate(VALUE)),
      ]
    }),
    samples: json(LISTING),
  },
  {
    name: 'the result of an MCP tool',
    of: ['packages/mcp/src/result.ts'],
    read: ofJson((value) => {
      const { data } = types.CallToolResultSchema.safeParse(value)
      return data === undefined ? undefined : readMcpResult(data, { artifacts }, 50_000)
    }),
    samples: json(RESULT),
  },
  {
    name: 'a question of an MCP server',
    of: ['packages/mcp/src/elicitation.ts'],
    read: ofJson((value) => {
      const { data } = types.ElicitRequestParamsSchema.safeParse(value)
      const asking = { context: { key: 'r:1:0', ask: async () => ({ name: 'Ada' }) }, questions: 0 }
      return data === undefined ? undefined : elicit('s', data, [asking])
    }),
    samples: json({
      message: 'Your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    }),
  },
  {
    name: 'an OpenAPI document',
    of: ['packages/tools/src/openapi/'],
    read: ofFile('api.yaml', (document) =>
      openApiTools({ document, baseUrl: 'http://127.0.0.1:1', onProblem: () => undefined }),
    ),
    samples: [...json(OPENAPI), 'openapi: 3.1.0\npaths:\n  /a:\n    get: {}\n'],
  },
  {
    name: 'the schema of a tool of the AI SDK',
    of: ['packages/adapters/src/ai-sdk-schema.ts'],
    read: ofJson((value) => toolSchema('t', { jsonSchema: value })['~standard'].jsonSchema),
    samples: json(SCHEMA),
  },
  {
    name: 'messages of a caller',
    of: [
      'packages/echelon/src/agents/chat/input/message-check.ts',
      'packages/echelon/src/agents/chat/input/file-addresses.ts',
    ],
    read: ofJson((value) => (Array.isArray(value) ? checkMessages(value) : undefined)),
    samples: json(MESSAGES),
  },
  {
    name: 'messages for an AIAgent',
    of: ['packages/adapters/src/aiagent/run-input.ts'],
    read: (text) => readInput(text),
    samples: ['a'],
  },
  {
    name: 'a stored session of an AIAgent',
    of: [
      'packages/adapters/src/aiagent/stored-session.ts',
      'packages/adapters/src/aiagent/state-bag.ts',
    ],
    read: (text) => restoreStored(text, 'a', { seal: undefined, trusted: true }),
    samples: json({
      kind: 'echelon-aiagent-session',
      version: 1,
      agentId: 'a',
      session: { messages: MESSAGES },
      stateBag: {},
    }),
  },
  {
    name: 'a stored state of the chat agent',
    of: ['packages/echelon/src/agents/chat/session/load-state.ts'],
    read: ofJson((value) => [loadChatState(value), loadContinuation(value)]),
    samples: json({
      messages: MESSAGES,
      pending: [{ id: '1', tool: 'add', input: { a: 1 } }],
      iterations: 1,
      most: 5,
      asking: false,
      text: '',
    }),
  },
  {
    name: 'a stored state of the decision agent',
    of: ['packages/echelon/src/agents/decide/load-state.ts'],
    read: ofJson((value) => loadDecideState(value, new Verification(VERIFIERS))),
    samples: json({ phase: 'Init', input: { input: 'a' } }),
  },
]
