import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { offline } from './index.ts'

const TOOLS = ['calculator', 'calendar', 'data_fetch_stock', 'numeric_analysis', 'plotter'].map(
  (name) => ({ type: 'function' as const, name, inputSchema: {} }),
)

const user = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'user',
  content: [{ type: 'text', text }],
})

/** A model's reply in a conversation. */
async function reply(
  prompt: LanguageModelV4Prompt,
  more: Partial<LanguageModelV4CallOptions> = {},
  id: 'small' | 'big' = 'small',
): Promise<LanguageModelV4Content | undefined> {
  const { model } = await offline.load(id, {})
  const { content } = await model.doGenerate({ prompt, tools: TOOLS, ...more })
  assert.equal(content.length, 1)
  return content[0]
}

async function text(...given: Parameters<typeof reply>): Promise<string> {
  const said = await reply(...given)
  assert.ok(said?.type === 'text')
  return said.text
}

async function call(
  ...given: Parameters<typeof reply>
): Promise<readonly [tool: string, input: unknown]> {
  const said = await reply(...given)
  assert.ok(said?.type === 'tool-call')
  return [said.toolName, JSON.parse(said.input)]
}

/** A call with its result, as a conversation stores them. */
const called = (
  toolName: string,
  output: LanguageModelV4ToolResultOutput,
  toolCallId = 'offline-1',
): LanguageModelV4Prompt => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: {} }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
]

const json = (
  value: Readonly<Record<string, never>> | object,
): LanguageModelV4ToolResultOutput => ({
  type: 'json',
  value: JSON.parse(JSON.stringify(value)),
})

describe('an offline model in a conversation', () => {
  test('calls the tool that its reading needs', async () => {
    assert.deepEqual(await call([user('Hi, what is 15 * 23, please?')]), [
      'calculator',
      { expr: '15 * 23' },
    ])
    assert.deepEqual(await call([user('What date is 45 days after March 3, 2026?')]), [
      'calendar',
      { query: '45 days after March 3, 2026', today: null },
    ])
    const stock = await call([user('Show me the last 30 days closing price for AAPL')])
    assert.deepEqual(stock, ['data_fetch_stock', { ticker: 'AAPL', n: 30 }])
    const story = [user('A shirt costs $40 and is 25% off; what do three cost?')]
    assert.equal((await call(story, {}, 'big'))[0], 'calculator')
  })

  test('states what the tool returned, and nothing else', async () => {
    const sum = [user('What is 15 * 23?'), ...called('calculator', json({ value: '345' }))]
    assert.equal(await text(sum), '15 * 23 = 345')
    const date = { date_str: 'Friday, April 17, 2026' }
    const day = [
      user('What date is 45 days after March 3, 2026?'),
      ...called('calendar', json(date)),
    ]
    assert.equal(await text(day), 'That is Friday, April 17, 2026.')
    const many = [user('How many days from May 1 2024 to May 3 2024?')]
    const counted = await text([...many, ...called('calendar', json({ date_str: '2' }))])
    assert.match(counted, /^Days .*: 2\.$/)
    const odd = [user('What is 15 * 23?'), ...called('calculator', { type: 'text', value: '345' })]
    assert.match(await text(odd), /^I have no answer: calculator failed: I cannot read its result/)
  })

  test('continues from tool to tool with the previous results', async () => {
    const series = [
      { date: '2018-05-10', close: 190.04 },
      { date: '2018-05-11', close: 188.59 },
    ]
    const asked = [user('Plot the last 2 days of AAPL')]
    const prices = { series, from: '2018-05-10', to: '2018-05-11', source: 'a sample' }
    const fetched = [...asked, ...called('data_fetch_stock', json(prices))]
    assert.deepEqual(await call(fetched), ['numeric_analysis', { series }])
    const stats = { mean: 189.315, min: 188.59, max: 190.04, change_percent: -0.76 }
    const analyzed = [
      ...fetched,
      ...called('numeric_analysis', json({ ma7: [null, null], stats }), 'offline-2'),
    ]
    assert.deepEqual(await call(analyzed), [
      'plotter',
      { series, ma7: [null, null], title: 'AAPL' },
    ])
    const drawn = [...analyzed, ...called('plotter', json({ image_path: '/a/b.png' }), 'offline-3')]
    const said = await text(drawn)
    assert.match(said, /^AAPL closed at 190\.04 on 2018-05-10 and at 188\.59 .*\(a sample\)\.\n/)
    assert.match(said, /\nMean 189\.31, lowest 188\.59, highest 190\.04, change -0\.76 %\.\n/)
    assert.match(said, /\nThe plot is in \/a\/b\.png\.$/)
    const refused = { type: 'execution-denied', reason: 'the user did not approve it' } as const
    const undrawn = [...analyzed, ...called('plotter', refused, 'offline-3')]
    const ending = '\nThere is no plot: plotter was not run: the user did not approve it'
    assert.ok((await text(undrawn)).endsWith(ending))
  })

  test("reports a failed or denied tool's message, and does not call it again", async () => {
    const asked = user('What is 1 / 0?')
    const error = called('calculator', {
      type: 'error-text',
      value: 'INVALID_ARGS: no finite value',
    })
    assert.equal(
      await text([asked, ...error]),
      'I have no answer: calculator failed: no finite value',
    )
    const denied = called('calculator', { type: 'execution-denied', reason: 'not on Sundays' })
    assert.equal(
      await text([asked, ...denied], { tools: TOOLS.slice(1) }),
      'I have no answer: calculator was not run: not on Sundays',
    )
  })

  test('reads only the last words of the user', async () => {
    const before = [user('What is 2 + 3?'), ...called('calculator', json({ value: '5' }))]
    const said: LanguageModelV4Prompt[number] = {
      role: 'assistant',
      content: [{ type: 'text', text: '2 + 3 = 5' }],
    }
    const now = await reply([...before, said, user('What is 7 * 6?')])
    assert.ok(now?.type === 'tool-call')
    assert.equal(now.input, '{"expr":"7 * 6"}')
    assert.equal(now.toolCallId, 'offline-2')
  })

  test('says honestly what it can and cannot do, and what to do instead', async () => {
    const joke = await text([user('Tell me a joke')])
    assert.match(joke, /^I cannot answer that: I did not understand all of "Tell me a joke"\./)
    assert.match(joke, /I am offline\/small, .*try "What is 15 \* 23\?" or "What date is 45 days/)
    assert.match(joke, /set a key, such as OPENAI_API_KEY/)
    assert.match(await text([user('hello!')]), /^Hello\. I am offline\/small/)
    assert.match(await text([user('What can you do?')], {}, 'big'), /^I am offline\/big/)
    assert.equal(await text([user('Thanks!')]), 'You are welcome.')
  })

  test('names the bigger model if that one is known to read the question', async () => {
    const story = [user('A shirt costs $40 and is 25% off; what do three cost?')]
    assert.match(await text(story), /offline\/big reads this question/)
    assert.doesNotMatch(await text([user('Tell me a joke')]), /offline\/big/)
  })

  test('uses no tool that it is not offered, and none when tools are off', async () => {
    const asked = [user('What is 15 * 23?')]
    const tools = TOOLS.slice(1, 2)
    const said = await text(asked, { tools })
    assert.match(said, /the tool calculator is not offered.*try "What date is/)
    assert.doesNotMatch(said, /15 \* 23|345/)
    assert.match(await text(asked, { toolChoice: { type: 'none' } }), /none of the tools/)
    assert.match(await text(asked, { tools: [] }), /the tool calculator is not offered/)
  })

  test('answers a request for JSON with a plan, with or without tools', async () => {
    const schema = { type: 'object' } as const
    const planned = await text([user('What is 15 * 23?')], {
      responseFormat: { type: 'json', schema },
    })
    assert.match(planned, /^\{"cannot":/)
  })

  test('streams the same call, and ends with the tool-call reason', async () => {
    const { model } = await offline.load('small', {})
    const { stream } = await model.doStream({ prompt: [user('What is 15 * 23?')], tools: TOOLS })
    const parts = await Array.fromAsync(stream)
    assert.deepEqual(
      parts.map(({ type }) => type),
      ['stream-start', 'tool-call', 'finish'],
    )
    const end = parts.at(-1)
    assert.ok(end?.type === 'finish')
    assert.equal(end.finishReason.unified, 'tool-calls')
  })

  test('answers any words with a sentence or a call of an offered tool', async () => {
    const words = fc.constantFrom(
      ...'what is how many 3 12 $5 20% plot AAPL hello the sum of apples """ - calculator( . ? ,'.split(
        ' ',
      ),
    )
    const said = fc.array(words, { minLength: 1, maxLength: 20 }).map((all) => all.join(' '))
    await fc.assert(
      fc.asyncProperty(said, fc.constantFrom('small', 'big'), async (question, id) => {
        const answer = await reply([user(question)], {}, id)
        assert.ok(answer?.type === 'text' || answer?.type === 'tool-call')
        if (answer.type === 'tool-call')
          assert.ok(TOOLS.some(({ name }) => name === answer.toolName))
        else assert.doesNotMatch(answer.text, /^\{/)
      }),
      { numRuns: 300 },
    )
  })
})
