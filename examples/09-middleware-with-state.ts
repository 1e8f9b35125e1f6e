// A middleware that remembers, typed by its schema alone; a state that an older version stored is migrated.
import { migration } from 'echelon'
import { createAgent, defineMiddleware, defineTool } from 'echelon/chat'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const search = defineTool({
  name: 'search',
  description: 'finds pages',
  input: z.object({ words: z.string() }),
  run: ({ words }) => `three pages about ${words}`,
})

// Version 1 counted calls, as text.
const searchesV1 = defineMiddleware({
  name: 'searches',
  state: { scope: 'session', version: 1, schema: z.object({ n: z.string() }), initial: { n: '0' } },
  tool: (call, next, { update }) => {
    update(({ n }) => ({ n: String(Number(n) + 1) }))
    return next(call)
  },
})

// Version 2 counts in numbers and keeps the last call: another shape, so another version.
const searches = defineMiddleware({
  name: 'searches',
  state: {
    scope: 'session',
    version: 2,
    schema: z.object({ count: z.number(), last: z.string().optional() }),
    initial: { count: 0 },
    migrate: { 1: migration(z.object({ n: z.string() }), ({ n }) => ({ count: Number(n) })) },
  },
  tool: (call, next, context) => {
    context.update(({ count }) => ({ count: count + 1, last: call.id }))
    if (context.state.count > 3) context.emit('many', { count: context.state.count })
    return next(call)
  },
})

const calls = ['tides', 'tides today'].map((words) => ({ tool: 'search', input: { words } }))
const model = () => asBound(scriptedModel([{ toolCalls: calls }, 'High at noon.']))

// Last month's program stored a conversation.
const before = createAgent({ model: model(), tools: [search], use: [searchesV1()] })
const old = before.session('tides')
await before.run('When is high tide?', { session: old }).result
const stored = JSON.stringify(old.checkpoint())
console.log('stored', old.checkpoint().states.states)

// Today's program continues it.
const agent = createAgent({ model: model(), tools: [search], use: [searches()] })
const run = agent.run('And today?', { session: agent.restoreSession(JSON.parse(stored)) })
for await (const event of run) {
  if (event.type === 'log') console.log(event.message)
  if (event.type === 'middleware') console.log(event.middleware, event.event, event.data)
}
const { count, last } = (await run.result).state.middleware.searches
console.log(`searched ${count} times, last by ${last}`)
