import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import {
  asBound,
  type ScriptedAnswer,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { isError } from './kit.ts'

const ROWS = Array.from({ length: 60_000 }, (_, row) => `row ${row} of the table, it goes on`)
const TEXT = JSON.stringify(ROWS)

const table = (more: Partial<Tool> = {}): Tool => ({
  ...defineTool({
    name: 'table',
    description: 'gives a table',
    input: z.object({}),
    run: () => ROWS,
  }),
  ...more,
})

/** Its form inside a text that is written as JSON. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const CALL: ScriptedAnswer = { toolCalls: [{ tool: 'table', input: {} }] }
const reads = (result: number, from: number): ScriptedAnswer => ({
  toolCalls: [{ tool: 'result_read', input: { result, from } }],
})

function agentOf(
  script: readonly ScriptedAnswer[],
  tool = table(),
  maxResultChars?: number,
): {
  readonly agent: Agent<object>
  readonly asked: (call: number) => string
  readonly offered: () => unknown
} {
  const scripted = scriptedModel(script)
  const agent = createAgent({
    model: asBound(scripted),
    tools: [tool],
    ...(maxResultChars !== undefined && { maxResultChars }),
  })
  return {
    agent,
    asked: (call) => JSON.stringify(scripted.calls[call]?.prompt),
    offered: () => scripted.calls.map(({ tools = [] }) => tools.map(({ name }) => name)),
  }
}

test('a result of 2 MB is sent shortened, and the model reads the rest in pieces', async () => {
  assert.ok(TEXT.length > 2_000_000)
  const { agent, asked, offered } = agentOf([CALL, reads(1, 40_000), reads(1, 60_000), 'Done.'])
  const session = agent.session()
  const end = await agent.run('look', { session }).result
  assert.equal(end.text, 'Done.')
  assert.deepEqual(offered(), [
    ['table'],
    ['table', 'result_read'],
    ['table', 'result_read'],
    ['table', 'result_read'],
  ])
  // Every quote in it is escaped twice here.
  assert.ok(asked(1).length < 110_000, `${asked(1).length} characters were sent`)
  assert.match(asked(1), /characters are left out here; result_read gives them/)
  assert.match(asked(1), /row 59999 of the table/)
  assert.ok(asked(2).includes(inJson(TEXT.slice(40_000, 60_000))))
  assert.match(asked(2), /\[result 1 of \d+ characters, from 40000; go on from 60000\]/)
  assert.ok(asked(3).includes(inJson(TEXT.slice(60_000, 80_000))))
  const kept = session.messages.find((message) => message.role === 'tool')
  assert.ok(JSON.stringify(kept).length > TEXT.length, 'the conversation keeps it whole')
})

test('results keep their numbers in the next turn, and new ones get their own', async () => {
  const { agent, asked } = agentOf([CALL, 'One.', CALL, reads(2, 0), reads(1, 2_000_000), 'Two.'])
  const session = agent.session()
  await agent.run('look', { session }).result
  await agent.run('look again', { session }).result
  assert.match(asked(3), /\{\\"result\\":1,\\"from\\":40000\}/)
  assert.match(asked(3), /\{\\"result\\":2,\\"from\\":40000\}/)
  assert.ok(asked(4).includes(inJson(TEXT.slice(0, 20_000))))
  assert.ok(asked(5).includes(inJson(TEXT.slice(2_000_000, 2_020_000))))
})

test('a result that fits is sent whole, and the reading tool is not offered', async () => {
  const small = table({ run: () => 'x'.repeat(50_000) })
  const { agent, asked, offered } = agentOf([CALL, 'Done.'], small)
  await agent.run('look').result
  assert.ok(asked(1).includes('x'.repeat(50_000)))
  assert.deepEqual(offered(), [['table'], ['table']])
})

test('the limit is a setting', async () => {
  const small = table({ run: () => `${'x'.repeat(300)}${'y'.repeat(300)}` })
  const { agent, asked } = agentOf([CALL, reads(1, 160), reads(3, 0), 'Done.'], small, 200)
  await agent.run('look').result
  assert.match(asked(1), /"x{160}\\n\[… 400 characters are left out here.*…\]\\ny{40}"/)
  assert.match(asked(2), new RegExp(`x{140}y{300}`))
  assert.match(asked(3), /there are 2 results; give one of them/)
  assert.throws(() => agentOf([], small, 100), isError('INVALID_CONFIG', /maxResultChars is 100/))
})

test('a piece of an untrusted result stays framed', async () => {
  const outside = table({ origin: 'the web' })
  const { agent, asked } = agentOf([CALL, reads(1, 90_000), 'Done.'], outside)
  await agent.run('look').result
  for (const call of [1, 2]) assert.match(asked(call), /untrusted_text origin=\\"the web\\"/)
  assert.equal(asked(2).split('<untrusted_text').length, 3, 'the cut result, and the piece')
})

test('a text of 5 MB is rejected with a sentence, and the session stays usable', async () => {
  const { agent } = agentOf(['Hello.'])
  const session = agent.session()
  const long = 'a'.repeat(5_000_000)
  const refusal = isError(
    'INVALID_INPUT',
    /^the text has 5000000 characters and may have 1000000; shorten it, or raise maxInputChars$/,
  )
  assert.throws(() => agent.run(long, { session }), refusal)
  assert.throws(
    () => agent.run([{ role: 'user', content: [{ type: 'text', text: long }] }], { session }),
    refusal,
  )
  assert.equal((await agent.run('hi', { session }).result).text, 'Hello.')
  const wide = createAgent({ model: asBound(scriptedModel(['Long.'])), maxInputChars: 5_000_000 })
  assert.equal((await wide.run(long).result).text, 'Long.')
})
