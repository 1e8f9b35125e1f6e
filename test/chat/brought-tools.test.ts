import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AgentBuilder, createAgent } from '../../packages/echelon/src/chat.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import { asBound, scriptedModel } from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, asksToAdd, isError } from './kit.ts'

const bringing = defineMiddleware({ name: 'bringing', tools: [add] })

test('a middleware brings tools to an agent, however it is made, and to one run', async () => {
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

test('one of them that needs approval asks, without an option of the agent', async () => {
  const careful = defineMiddleware({ name: 'careful', tools: [{ ...add, needsApproval: true }] })
  const script = [asksToAdd(1, 2), asksToAdd(3, 4), 'Done.']
  for (const isOfRun of [true, false]) {
    const layer = careful()
    const agent = createAgent({
      model: asBound(scriptedModel(script)),
      ...(!isOfRun && { use: [layer] }),
    })
    const run = agent.run('Add.', isOfRun ? { use: [layer] } : {})
    let asked = 0
    for await (const event of run) {
      if (event.type !== 'request-open') continue
      asked++
      run.respond(event.request, 'always')
    }
    assert.equal(asked, 1)
  }
})

test('a name that is taken is refused when the agent or the run is made', () => {
  const taken = isError(
    'INVALID_DEFINITION',
    /the middleware bringing brings a tool add, and there/,
  )
  assert.throws(() => createAgent({ tools: [add], use: [bringing()] }), taken)
  assert.throws(() => new AgentBuilder().tool(add).use(bringing()).build(), taken)
  const other = defineMiddleware({ name: 'other', tools: [add] })
  assert.throws(() => createAgent({ use: [other(), bringing()] }), taken)
  const agent = createAgent({ model: asBound(scriptedModel([])) })
  assert.throws(() => agent.run('x', { tools: [add], use: [bringing()] }), taken)
})

test('where nothing is brought, nothing is there: the layer has no list', () => {
  assert.equal('tools' in defineMiddleware({ name: 'plain' })(), false)
  assert.equal('tools' in defineMiddleware({ name: 'plain', tools: [] })(), false)
})
