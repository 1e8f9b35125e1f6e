import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { LogRecord } from '../../packages/echelon/src/core/observability/log.ts'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { asBound, scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { eventsOf } from './kit.ts'

const SECRET = 'hunter2'

const query = defineTool({
  name: 'query',
  description: 'asks the database',
  input: z.object({}),
  run: () => {
    const cause = new Error(`refused: postgres://app:${SECRET}@db.example.org/shop`)
    throw new TypeError(`database password is ${SECRET}`, { cause })
  },
})

test("a tool's exception is shown whole to the developer, without its secrets", async () => {
  const scripted = scriptedModel([{ toolCalls: [{ tool: 'query', input: {} }] }, 'It failed.'])
  const records: LogRecord[] = []
  const agent = createAgent({
    model: asBound(scripted),
    tools: [query],
    logging: (record) => void records.push(record),
  })
  const run = agent.run('ask')
  const events = await eventsOf(run)
  assert.equal((await run.result).text, 'It failed.')

  const ended = events.find((event) => event.type === 'tool-end')
  assert.deepEqual(ended?.outcome, {
    type: 'error',
    code: 'TOOL_ERROR',
    message: 'database password is [redacted:secret]',
  })
  assert.equal(ended.error?.name, 'TypeError')
  assert.match(ended.error.stack ?? '', /tool-errors\.test\.ts/)
  assert.match(ended.error.cause?.message ?? '', /^refused: postgres:.*db\.example\.org\/shop$/)
  const logged = records.find(({ event }) => event === 'tool.end')
  assert.match(JSON.stringify(logged), /tool-errors\.test\.ts/)

  const asked = JSON.stringify(scripted.calls.map(({ prompt }) => prompt))
  assert.match(asked, /database password is \[redacted:secret\]/)
  for (const told of [asked, JSON.stringify(events), JSON.stringify(records)]) {
    assert.ok(!told.includes(SECRET), told)
  }
})
