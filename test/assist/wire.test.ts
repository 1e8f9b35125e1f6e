import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { createAssistant } from '@echelon/assist'
import { isRecord } from '../../packages/echelon/src/core/value/json.ts'
import { openStore } from '@echelon/store'
import { type LocalModelServer, type ServerAnswer, startModelServer } from 'echelon/testing'
import { FLATTERY, INTENT, judged, planned, readDraft, readUser } from './fixtures.ts'
import { plain } from './turns.ts'

const reply = (text: string): ServerAnswer => ({ type: 'reply', text: [text] })

/** An assistant on OpenAI's own package, with a test server. */
async function assistantAt({ baseUrl }: LocalModelServer) {
  const openai = createOpenAI({ baseURL: baseUrl, apiKey: 'test-key' })
  const store = await openStore(':memory:')
  await store.memories.write('intent', plain(INTENT), { key: 'user' })
  const model = openai.chat('gpt-4o-mini')
  return { assistant: createAssistant({ model, store, readUser, readDraft }), store }
}

/** The messages of a request: role and text. */
function messagesOf(
  server: LocalModelServer,
  index: number,
): readonly (readonly [string, string])[] {
  const messages = server.requests[index]?.body['messages']
  assert.ok(Array.isArray(messages))
  return messages.map((message: unknown) => {
    assert.ok(isRecord(message))
    const { role, content } = message
    assert.ok(typeof role === 'string')
    return [role, typeof content === 'string' ? content : JSON.stringify(content)]
  })
}

/** The text between the fences of a prompt, by name. */
const toldIn = (text: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...text.matchAll(/^(.+):\n"""\n(.+)\n"""$/gm)].map(([, name = '', value = '']) => [
      name,
      JSON.parse(value),
    ]),
  )

const FIRST = 'Wilhelmina feeds seventeen tortoises near Ljubljana, dreaming of glass'
const ANSWER = 'Tortoises outlive plans, so whose dream is glass'
const SECOND = 'How do I tell my brother'

test('[L-13, L-5] on the wire, the planner gets the conversation as data, and the evaluator none of it', async () => {
  await using server = await startModelServer([
    reply(planned({ approach: 'listen' })),
    reply(ANSWER),
    reply(judged()),
    reply(planned()),
    reply('Say it plainly.'),
    reply(judged()),
  ])
  const { assistant } = await assistantAt(server)
  const session = await assistant.openSession()
  assert.equal((await assistant.run(FIRST, { session }).result).text, ANSWER)
  assert.equal((await assistant.run(SECOND, { session }).result).text, 'Say it plainly.')
  server.assertComplete()

  const executor = messagesOf(server, 4)
  assert.deepEqual(executor.slice(1), [
    ['user', FIRST],
    ['assistant', ANSWER],
    ['user', SECOND],
  ])
  assert.doesNotMatch(JSON.stringify(server.requests[4]), /echelon|matched_intent/)

  const earlier = [
    {
      turn: 1,
      user_words: 9,
      answer_words: 8,
      asked: false,
      approach: 'listen',
      altitude: 'L3',
    },
  ]
  const planner = messagesOf(server, 3)
  assert.deepEqual(
    planner.map(([role]) => role),
    ['system', 'user'],
  )
  const { 'The intent': intent, 'The report': situation, ...rest } = toldIn(planner[1]?.[1] ?? '')
  assert.deepEqual(intent, plain(INTENT))
  assert.deepEqual(situation, { user_input: SECOND, draft: null, earlier })
  assert.deepEqual(Object.keys(rest), [
    'The conversation',
    'The current plan',
    'The last evaluation',
    'What repeats',
  ])
  assert.deepEqual(rest['The conversation'], [{ user: FIRST }, { assistant: ANSWER }])
  assert.equal(planner[1]?.[1].replaceAll(/^.+:\n"""\n.+\n"""\n?/gm, ''), '', 'and nothing else')

  const evaluator = messagesOf(server, 5)
  assert.deepEqual(
    evaluator.map(([role]) => role),
    ['system', 'user'],
  )
  assert.deepEqual(toldIn(evaluator[1]?.[1] ?? ''), {
    'The intent': plain(INTENT),
    'The report': { user_input: SECOND, draft: 'Say it plainly.', earlier },
  })

  // No telling word of the first turn occurs, in any encoding the request may use.
  const words = `${FIRST} ${ANSWER}`.split(/\W+/).filter((word) => word.length > 4)
  const request = JSON.stringify(server.requests[5])
  for (const word of words.filter((one) => one !== 'plans')) {
    assert.ok(!request.toLowerCase().includes(word.toLowerCase()), word)
  }
  await session.end()
})

test('[L-8, L-9] on the wire, a draft that breaks a non-goal is pulled back: evaluator, planner, executor, within the turn', async () => {
  await using server = await startModelServer([
    reply(planned()),
    reply(`${FLATTERY}! Do it.`),
    reply(planned({ approach: 'plain_words', reason: 'it flattered' })),
    reply('What would you give up for it?'),
    reply(judged()),
  ])
  const { assistant, store } = await assistantAt(server)
  const run = assistant.run('Should I start a company?')
  const events = await Array.fromAsync(run)
  const { text, isQuestion, plan, evaluation, why } = await run.result
  server.assertComplete()
  assert.equal(text, 'What would you give up for it?')
  assert.equal(isQuestion, false)
  assert.equal(plan.approach, 'plain_words')
  assert.equal(evaluation?.matched_intent, true)
  assert.deepEqual(
    why.map(({ layer, decided }) => `${layer}: ${decided}`),
    [
      'planner: plans weigh_the_ways at L3',
      'evaluator: non_goal: sycophancy',
      'planner: plans plain_words at L3',
      'evaluator: on_intent: plain_words',
    ],
  )
  const shown = events.flatMap((event) => {
    if (event.type === 'said') return [event.text]
    return event.type === 'text-delta' ? [event.delta] : []
  })
  assert.deepEqual(shown, [text], 'the draft was shown to nobody')
  assert.doesNotMatch(JSON.stringify(events), /Do it\./, 'no event of the turn holds it')
  const revising = toldIn(messagesOf(server, 2)[1]?.[1] ?? '')
  assert.deepEqual(revising['The report'], {
    user_input: 'Should I start a company?',
    draft: `${FLATTERY}! Do it.`,
    earlier: [],
  })
  const evaluated = revising['The last evaluation']
  assert.ok(isRecord(evaluated))
  assert.equal(evaluated['outcome'], 'non_goal: sycophancy')
  const again = messagesOf(server, 3)
  assert.deepEqual(again.slice(1), [['user', 'Should I start a company?']])
  assert.match(again[0]?.[1] ?? '', /plain words/)
  assert.match(again[0]?.[1] ?? '', /refused.*\n- sycophancy: “What a brilliant idea”/)
  assert.doesNotMatch(JSON.stringify(again), /Do it\.|non_goal:/, 'it repairs nothing of its own')
  assert.deepEqual(revising['What was refused'], [
    { what: 'sycophancy', evidence: 'What a brilliant idea' },
  ])
  assert.equal((await store.memories.read('intent', null)).version, 1)
})

test('[L-8] on the wire, with the evaluator down the rules remain, and a second violation is withheld', async () => {
  const down: ServerAnswer = { type: 'status', status: 400, message: 'no such thing' }
  await using server = await startModelServer([
    down,
    reply(`${FLATTERY}!`),
    down,
    reply(`${FLATTERY} again!`),
  ])
  const { assistant } = await assistantAt(server)
  const { text, isQuestion } = await assistant.run('Should I start a company?').result
  server.assertComplete()
  assert.equal(isQuestion, true)
  assert.match(text, /“sycophancy”.*Does the example intent fit/)
  assert.doesNotMatch(text, /brilliant/)
})
