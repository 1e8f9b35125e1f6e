// A draft that violates a non-goal is corrected within the turn; the user sees only the second one.
import { createAssistant, DEFAULT_INTENT } from '@echelon/assist'
import { openStore } from '@echelon/store'
import { asBound, scriptedModel } from 'echelon/testing'

// The intent belongs to the user: it is written outside any run, and no run may write it.
const store = await openStore(':memory:')
await store.memories.write(
  'intent',
  { ...DEFAULT_INTENT, patterns: { sycophancy: ['what a (?:great|brilliant)'] } },
  { key: 'the user, once' },
)

// Scripted models stand for real ones, each in a fresh context: `model: 'openai/gpt-5-nano'` plays all.
const plan = { altitude: 'L3', constraints: ['be brief'], focus: ['trade-offs'] }
const planner = scriptedModel([
  JSON.stringify({ ...plan, approach: 'weigh_the_ways', reason: 'two ways are open' }),
  JSON.stringify({ ...plan, approach: 'plain_words', reason: 'the draft flattered' }),
])
const executor = scriptedModel([
  'What a brilliant idea! Go for it.',
  'What would you give up at home for it?',
])
const evaluator = scriptedModel([
  JSON.stringify({ outcome: 'on_intent', matched_intent: true, violations: [], target: 'planner' }),
])

const assistant = createAssistant({
  planner: asBound(planner),
  executor: asBound(executor),
  evaluator: asBound(evaluator),
  store,
})

// The conversation is disposable: at its end it is deleted everywhere.
const session = await assistant.openSession()
const { text, isQuestion, why } = await assistant.run('Should I found a company?', { session })
  .result
console.log(text, isQuestion ? '(a question about the intent)' : '')
for (const { layer, decided, by } of why) console.log(`${layer} ${decided}, by ${by}`)

await session.end()
console.log((await store.runs.list()).length, 'turns on record')
const { value: kept } = await store.memories.read('evaluations', null)
console.log(JSON.stringify(kept).includes('company') ? 'quoted' : 'nothing quoted')
