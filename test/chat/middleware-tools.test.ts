import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AgentBuilder, createAgent } from '../../packages/echelon/src/chat.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import { asBound, scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, asksToAdd, isError } from './kit.ts'

const bringing = defineMiddleware({ name: 'bringing', tools: [add] })

test('middleware adds tools to an agent, built in either way, and to a single run', async () => {
  const model = () => asBound(scriptedModel([asksToAdd(1, 2), 'Three.']))
  const runs = [
    () => createAgent({ model: model(), use: [bringing()] }).run('1 + 2?'),
    () => new AgentBuilder().model(model()).use(bringing()).build().run('1 + 2?'),
    () => createAgent({ model: model() }).run('1 + 2?', { use: [bringing()] }),
  ]
  for (const begin of runs) {
    const outcomes = []
    for await (const event of begin()) if (event.type === 'tool-end') outcomes.push(event.outcome)
    assert.deepEqual(outcomes, [{ type: 'ok', value: 3 }])
  }
})

test('an added tool that needs approval asks, without any option of the agent', async () => {
  const careful = defineMiddleware({ name: 'careful', tools: [{ ...add, needsApproval: true }] })
  const script = [asksToAdd(1, 2), asksToAdd(3, 4), 'Done.']
  for (const isOfRun of [true, false]) {
    const middleware = careful()
    const agent = createAgent({
      model: asBound(scriptedModel(script)),
      ...(!isOfRun && { use: [middleware] }),
    })
    const run = agent.run('Add.', isOfRun ? { use: [middleware] } : {})
    let asked = 0
    for await (const event of run) {
      if (event.type !== 'request-open') continue
      asked++
      run.respond(event.request, 'always')
    }
    assert.equal(asked, 1)
  }
})

test('a duplicate name is rejected when the agent or the run is created', () => {
  const taken = isError('INVALID_DEFINITION', /the middleware bringing adds a tool add, but there/)
  assert.throws(() => createAgent({ tools: [add], use: [bringing()] }), taken)
  assert.throws(() => new AgentBuilder().tool(add).use(bringing()).build(), taken)
  const other = defineMiddleware({ name: 'other', tools: [add] })
  assert.throws(() => createAgent({ use: [other(), bringing()] }), taken)
  const agent = createAgent({ model: asBound(scriptedModel([])) })
  assert.throws(() => agent.run('x', { tools: [add], use: [bringing()] }), taken)
})

test('a middleware without tools has no list', () => {
  assert.equal('tools' in defineMiddleware({ name: 'plain' })(), false)
  assert.equal('tools' in defineMiddleware({ name: 'plain', tools: [] })(), false)
})
