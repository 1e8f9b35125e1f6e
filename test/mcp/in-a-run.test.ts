import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import { isJsonObject, type Json } from '../../packages/echelon/src/core/value/json.ts'
import type { ToolOutcome } from '../../packages/echelon/src/core/tool/tool.ts'
import { connectMcp } from '@echelon/mcp'
import { agentWith } from '../chat/kit.ts'
import { everything, filesIn, folderFor, odd, traceable } from './peers.ts'

type Opened = Extract<RunEvent, { type: 'request-open' }>

const calls = (tool: string, input: Json): { toolCalls: { tool: string; input: Json }[] } => ({
  toolCalls: [{ tool, input }],
})

interface Watched {
  readonly asked: readonly Json[]
  readonly outcomes: readonly ToolOutcome[]
  readonly text: string
}

/** Watches a run to its end and answers its requests. */
async function watch(
  run: ReturnType<ReturnType<typeof agentWith>['run']>,
  answer: (opened: Opened, number: number) => Json,
): Promise<Watched> {
  const asked: Json[] = []
  const outcomes: ToolOutcome[] = []
  for await (const event of run) {
    if (event.type === 'tool-end') outcomes.push(event.outcome)
    if (event.type !== 'request-open') continue
    asked.push(event.about)
    run.respond(event.request, answer(event, asked.length))
  }
  return { asked, outcomes, text: (await run.result).text }
}

const typeOf = (about: Json | undefined): Json | undefined =>
  isJsonObject(about) ? about['type'] : undefined

const textOf = (outcome: ToolOutcome | undefined): string =>
  outcome?.type === 'ok' && typeof outcome.value === 'string' ? outcome.value : ''

test('a tool that acts runs only if the user allows it', async (t) => {
  const folder = folderFor(t)
  await using files = await connectMcp(filesIn(folder))
  const path = join(folder, 'a.txt')
  const write = calls('files_write_file', { path, content: 'hello' })
  const agent = agentWith([write, 'No.', write, 'Yes.'], { tools: files.tools })
  const denied = await watch(agent.run('write it'), () => 'never')
  assert.equal(typeOf(denied.asked[0]), 'approval')
  assert.equal(denied.text, 'No.')
  assert.ok(!existsSync(path))
  const allowed = await watch(agent.run('write it'), () => 'once')
  assert.equal(allowed.outcomes[0]?.type, 'ok')
  assert.equal(readFileSync(path, 'utf8'), 'hello')
})

test('a read-only tool runs without asking', async (t) => {
  const folder = folderFor(t)
  const path = join(folder, 'a.txt')
  writeFileSync(path, 'forty-two')
  await using files = await connectMcp(filesIn(folder))
  const script = [calls('files_read_text_file', { path }), 'It says forty-two.']
  const run = agentWith(script, { tools: files.tools }).run('what does it say?')
  const { asked, outcomes } = await watch(run, () => 'never')
  assert.deepEqual(asked, [])
  assert.deepEqual(outcomes, [{ type: 'ok', value: { content: 'forty-two' } }])
})

test('a question of a server is put to the user, and defaults are filled in', async () => {
  await using server = await connectMcp(everything)
  const script = [calls('everything_trigger-elicitation-request', {}), 'Thanks.']
  const run = agentWith(script, { tools: server.tools }).run('ask me')
  const { asked, outcomes } = await watch(run, ({ about }) =>
    typeOf(about) === 'approval' ? 'once' : { name: 'Ada', check: true },
  )
  const question = asked[1]
  assert.ok(isJsonObject(question) && isJsonObject(question['schema']))
  assert.equal(
    question['question'],
    'everything asks: Please provide inputs for the following fields:',
  )
  assert.deepEqual(question['schema']['required'], ['name'])
  const said = textOf(outcomes[0])
  assert.match(said, /- Name: Ada/)
  assert.match(said, /Favorite Integer: 42/)
})

test('a user may decline, and an invalid reply is asked for again', async () => {
  await using server = await connectMcp(odd)
  const replies: Json[] = [{ age: -1 }, { age: 36 }, 'decline']
  const tool = server.tools.find(({ name }) => name.startsWith('odd_ask_twice'))?.name ?? ''
  const run = agentWith([calls(tool, {}), 'Thanks.'], { tools: server.tools }).run('ask me')
  const { asked, outcomes } = await watch(run, (_, number) => replies[number - 1] ?? null)
  assert.equal(asked.length, 3)
  assert.match(JSON.stringify(asked[1]), /How old are you\?.*age: is below 0/)
  assert.deepEqual(JSON.parse(textOf(outcomes[0])), [
    { action: 'accept', content: { age: 36 } },
    { action: 'decline' },
  ])
})

test('a canceled run aborts its call, even while the user is asked', async () => {
  await using server = await connectMcp(odd)
  const tool = server.tools.find(({ name }) => name.startsWith('odd_ask_twice'))?.name ?? ''
  const run = agentWith([calls(tool, {})], { tools: server.tools }).run('ask me')
  for await (const event of run) if (event.type === 'request-open') run.cancel()
  assert.equal((await run.result).reason, 'canceled')
  const next = agentWith([calls('odd_meta', {}), 'Done.'], { tools: server.tools }).run('again')
  assert.equal((await watch(next, () => null)).outcomes[0]?.type, 'ok')
})

test('a question for an aborted call is not put to the next one', async () => {
  await using server = await connectMcp(odd)
  const asksLate = server.tools.find(({ name }) => name.startsWith('odd_ask_late'))?.name ?? ''
  const run = agentWith([calls(asksLate, {})], { tools: server.tools }).run('ask me')
  for await (const event of run) if (event.type === 'request-open') run.cancel()
  await run.result
  const script = [calls('odd_late_reply', {}), 'Done.']
  const next = await watch(agentWith(script, { tools: server.tools }).run('again'), () => ({}))
  assert.deepEqual(next.asked, [])
  assert.equal(textOf(next.outcomes[0]), 'cancel')
})

test('an interrupted call that acts has an unknown outcome and is not repeated', async (t) => {
  const { server, kill } = traceable(odd, folderFor(t))
  await using connection = await connectMcp(server)
  const tool = connection.tools.find(({ name }) => name === 'odd_act_and_tell')
  assert.equal(tool?.does, 'acts')
  const script = [calls('odd_act_and_tell', {}), 'I cannot tell.']
  const run = agentWith(script, { tools: connection.tools }).run('do it')
  const outcomes: ToolOutcome[] = []
  for await (const event of run) {
    if (event.type === 'request-open') run.respond(event.request, 'once')
    if (event.type === 'tool-progress') kill()
    if (event.type === 'tool-end') outcomes.push(event.outcome)
  }
  const message = 'the connection to odd was lost during the call'
  assert.deepEqual(outcomes, [{ type: 'unknown', message }])
})

test('a read that a dying server interrupts is repeated', async (t) => {
  const { server, kill } = traceable(everything, folderFor(t))
  await using connection = await connectMcp(server, {
    reconnect: { retries: 3, baseMs: 1, factor: 2, jitter: 0 },
  })
  const slow = calls('everything_trigger-long-running-operation', { duration: 1, steps: 20 })
  const run = agentWith([slow, 'Done.'], { tools: connection.tools }).run('do it')
  let kills = 0
  const retries: string[] = []
  const outcomes: ToolOutcome[] = []
  for await (const event of run) {
    if (event.type === 'tool-progress' && kills++ === 0) kill()
    if (event.type === 'retry-wait') retries.push(event.problem.message)
    if (event.type === 'tool-end') outcomes.push(event.outcome)
  }
  assert.deepEqual(retries, ['the connection to everything was lost during the call'])
  assert.match(textOf(outcomes[0]), /Long running operation completed/)
})
