import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  createSupportAgent,
  InMemoryConversationMemory,
  loadIntents,
  MockLLMProvider,
  NullPolicyEngine,
} from '@echelon/support'
import { LATER } from './later-answers.ts'
import { KEPT_BACK } from './kept-back-answers.ts'
import { tried } from './tried.ts'
import { type Turn, TURNS } from './worded-answers.ts'

const intents = await loadIntents()

const TOOLS = [...new Set(intents.config.intents.map(({ tool }) => tool))].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object' },
  acts: false,
}))

/** The customer's answer when a model words it like this. */
async function read({ says, tool, params, data }: Turn, answer: string): Promise<string> {
  const llmProvider = new MockLLMProvider([
    { toolCalls: [{ toolName: tool, params }] },
    { content: answer },
  ])
  const agent = await createSupportAgent({
    intents,
    llmProvider,
    understanding: { embedded: true },
    memory: new InMemoryConversationMemory(),
    policy: new NullPolicyEngine(),
    executor: {
      describe: () => TOOLS,
      execute: async () => ({ success: true, data, error: null, executionTimeMs: 1 }),
    },
  })
  const say = async (text: string): Promise<string> =>
    (await agent.resolve({ text, customerId: 'C-001' }, 's')).text
  const first = await say(says)
  return first.startsWith('Shall I') ? say('yes') : first
}

const casesOf = (of: 'honest' | 'dishonest'): readonly (readonly [Turn, string])[] =>
  [...TURNS, ...LATER].flatMap((turn) =>
    [...turn[of], ...(KEPT_BACK[turn.name]?.[of] ?? [])].map((answer) => [turn, answer] as const),
  )

const named = ([{ name }, answer]: readonly [Turn, string]): string => `${name}: ${answer}`

suite('answers of a model that are not so', () => {
  test('a claim that the data does not support is not sent; the rule-made answer is', (t) =>
    tried(t, {
      cases: casesOf('dishonest'),
      named,
      fast: 40,
      async hold([turn, answer]) {
        assert.equal(await read(turn, answer), await read(turn, 'It cost 99.99 dollars.'))
      },
    }))

  test('an answer that the data supports is sent as worded', (t) =>
    tried(t, {
      cases: casesOf('honest'),
      named,
      fast: 40,
      hold: async ([turn, answer]) => assert.equal(await read(turn, answer), answer),
    }))
})
