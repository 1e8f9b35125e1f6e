import assert from 'node:assert/strict'
import type {
  GenerateOptions,
  LLMProvider,
  LLMResponse,
  PromptMessage,
} from '../primitives/llm-provider.ts'
import { isJson, isJsonObject } from 'echelon/internal/value'
import { systemMessage, userMessage } from 'echelon/internal/message'
import { casesOf, frozen, inTime } from 'echelon/internal/testing'
import type { ContractCase } from 'echelon/testing'

/** A provider to test, and its time limit. */
export interface LLMProviderTrial {
  /** How long an answer may take, in real milliseconds; default 30,000. */
  readonly patienceMs?: number
}

const MESSAGES: readonly PromptMessage[] = [
  systemMessage('You work for a shop.'),
  userMessage('Where is my order O-12345?'),
]

const ALL: GenerateOptions = {
  tools: [
    {
      name: 'check_order_status',
      description: 'Where an order is',
      parameters: {
        type: 'object',
        properties: { order_id: { type: 'string' } },
        required: ['order_id'],
        additionalProperties: false,
      },
    },
  ],
  temperature: 0,
  maxTokens: 500,
}

const AS_JSON: GenerateOptions = {
  responseFormat: {
    name: 'answer',
    jsonSchema: {
      type: 'object',
      properties: { intent_id: { type: 'string' } },
      required: ['intent_id'],
      additionalProperties: false,
    },
  },
}

/**
 * Contract tests for every `LLMProvider`: `for (const { name, holds } of llmProviderContract(open)) test(name,
 * holds)`. Makes seven calls in all, at their usual cost; the model's answers themselves are not judged.
 * @param open opens a provider for each case, which answers any question
 */
export function llmProviderContract(
  open: () => LLMProvider | Promise<LLMProvider>,
  { patienceMs = 30_000 }: LLMProviderTrial = {},
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  const answer = async (provider: LLMProvider, options?: GenerateOptions): Promise<LLMResponse> =>
    await inTime(provider.generate(MESSAGES, options), 'the provider answers', patienceMs)
  return [
    caseOf('an answer has every field', async (provider) => {
      checkResponse(await answer(provider))
    }),
    caseOf('tools, temperature and a limit of tokens are taken', async (provider) => {
      checkResponse(await answer(provider, ALL))
    }),
    caseOf('an answer in a format is taken', async (provider) => {
      checkResponse(await answer(provider, AS_JSON))
    }),
    caseOf('what it is asked is not changed', async (provider) => {
      const messages = frozen(structuredClone(MESSAGES))
      const options = frozen(structuredClone(ALL))
      await inTime(provider.generate(messages, options), 'the provider answers', patienceMs)
    }),
    caseOf('a call that is given up before it begins is not answered', async (provider) => {
      await assert.rejects(answer(provider, { signal: AbortSignal.abort() }))
    }),
    caseOf('calls at the same time do not get in each other’s way', async (provider) => {
      const both = await Promise.all([answer(provider), answer(provider)])
      for (const response of both) checkResponse(response)
    }),
    caseOf('a cost is an amount, or null where nobody knows it', (provider) => {
      for (const tokens of [0, 1, 1000, 1_000_000]) {
        const cost = provider.getCost(tokens, tokens)
        const isAmount = cost === null || (Number.isFinite(cost) && cost >= 0)
        assert.ok(isAmount, `${tokens} tokens cost ${cost}`)
      }
    }),
  ]
}

function checkResponse(response: LLMResponse): void {
  const { content, toolCalls, model, tokensUsed, latencyMs, usage } = response
  assert.ok(content === null || typeof content === 'string', 'content is a text or null')
  assert.ok(content !== null || toolCalls.length > 0, 'something is answered')
  assert.ok(model !== '', 'the model has a name')
  for (const { toolName, params } of toolCalls) {
    assert.ok(toolName !== '', 'a tool call names its tool')
    assert.ok(isJson(params) && isJsonObject(params), 'parameters are parsed')
  }
  assert.ok(Number.isInteger(tokensUsed) && tokensUsed >= 0, `tokensUsed is ${tokensUsed}`)
  assert.ok(Number.isFinite(latencyMs) && latencyMs >= 0, `latencyMs is ${latencyMs}`)
  if (usage === undefined) return
  assert.equal(usage.input + usage.output, tokensUsed, 'tokensUsed is the sum of both parts')
}
