import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AgentRouter,
  IntentsRegistry,
  JSONDataSource,
  loadIntents,
  LocalExecutor,
  type LocalTool,
  type MockAnswerOrMaker,
  MockLLMProvider,
} from '@echelon/support'

const CALLS = 25

const lookUp: LocalTool = {
  description: 'Looks a page up',
  parameters: { type: 'object', properties: { page: { type: 'number' } } },
  run: ({ page = null }) => ({ data: { page, text: 'x'.repeat(3_000) } }),
}
const book: LocalTool = {
  description: 'Books a seat',
  acts: true,
  parameters: { type: 'object', properties: { seat: { type: 'string' } } },
  run: ({ seat = null }) => ({ data: { booked: seat } }),
}

test('a turn of 25 calls never forgets its own writes', async () => {
  const dataSource = new JSONDataSource()
  const executor = new LocalExecutor(dataSource, { tools: { look_up: lookUp, book } })
  const { config } = await loadIntents()
  const [first] = config.intents
  assert.ok(first)
  const travel = {
    ...first,
    id: 'travel',
    requiredParams: [],
    optionalParams: [],
    tool: 'book',
    tools: ['look_up'],
  }
  const calls = Array.from({ length: CALLS }, (_, at): MockAnswerOrMaker =>
    at % 5 === 0
      ? { toolCalls: [{ toolName: 'book', params: { seat: `seat-${at}` } }] }
      : { toolCalls: [{ toolName: 'look_up', params: { page: at } }] },
  )
  const reading = {
    commands: [{ command: 'start', intent_id: 'travel', extracted_params: {} }],
    missing_params: [],
    confidence: 1,
  }
  const llmProvider = new MockLLMProvider([
    { content: JSON.stringify(reading) },
    ...calls,
    'All five seats are noted.',
  ])
  const router = new AgentRouter({
    dataSource,
    executor,
    llmProvider,
    intents: new IntentsRegistry({ ...config, intents: [travel] }),
    wording: { maxHistoryTokens: 8_000 },
    limits: { modelCalls: 60, toolCalls: 60 },
  })
  await router.resolve({ text: 'Book five seats, and look everything up.' }, 's')
  const last = JSON.stringify(llmProvider.calls.at(-1)?.messages)
  for (const at of [0, 5, 10, 15, 20]) {
    assert.match(last, new RegExp(`"input":\\{"seat":"seat-${at}"\\}`))
    assert.match(last, new RegExp(`"booked":"seat-${at}"`))
  }
  assert.match(last, /Book five seats/)
})
