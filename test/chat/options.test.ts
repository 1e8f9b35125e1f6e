import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  AgentBuilder,
  createAgent,
  defineMiddleware,
  defineTool,
} from '../../packages/echelon/src/chat.ts'
import { standardTools } from '@echelon/tools'
import { z } from 'zod'

const seen = defineMiddleware({ name: 'seen' })
const look = defineTool({ name: 'look', description: '-', input: z.object({}), run: () => 1 })

/** As an untyped program would write it. */
const made = (options: object) => () => createAgent(options)
const says = (message: string | RegExp) => ({ code: 'INVALID_CONFIG', message })

describe('mistakes of untyped programs are reported when the agent is built', () => {
  test('middleware without its call brackets', () => {
    assert.throws(made({ use: [seen] }), says('use[0] is a function; call it, as in use: [seen()]'))
    function counted() {
      return seen()
    }
    assert.throws(
      made({ use: [seen(), counted] }),
      says('use[1] is a function; call it: use: [counted()]'),
    )
    assert.throws(made({ use: [null] }), says(/^use\[0\] is not a middleware/))
    assert.throws(made({ use: seen() }), says('use is not a list; write use: [...]'))
  })

  test('an unknown option or limit', () => {
    assert.throws(
      made({ instruction: 'x' }),
      says('there is no option instruction; did you mean instructions?'),
    )
    assert.throws(made({ tool: [] }), says('there is no option tool; did you mean tools?'))
    assert.throws(made({ service: 1 }), says('there is no option service; did you mean services?'))
    assert.throws(
      made({ limits: { monye: 1 } }),
      says('there is no limit monye; did you mean money?'),
    )
    assert.throws(made({ toString: 1 }), says(/^there is no option toString/))
  })

  test('tools that are not tools', () => {
    assert.throws(made({ tools: [look, {}] }), says(/^tools\[1\] is not a tool/))
    const theirs = { description: 'x', inputSchema: {}, execute: () => 1 }
    assert.throws(made({ tools: [theirs] }), says(/^tools has a tool of .* fromAiSdkTools/))
    assert.throws(made({ tools: { theirs } }), says(/^tools has a tool of .* fromAiSdkTools/))
    assert.throws(made({ tools: { look } }), says('tools is not a list; write tools: [...]'))
    assert.throws(
      made({ tools: standardTools() }),
      says('tools is a promise; write tools: await standardTools()'),
    )
    const own: object = { tools: { theirs } }
    const running = (): unknown => createAgent({}).run('go', own)
    assert.throws(running, says(/^tools has a tool of .* fromAiSdkTools/))
    assert.throws(made({ tools: [seen] }), says(/^tools\[0\] is not a tool/))
    assert.throws(
      made({ tools: [createAgent({})] }),
      says('tools[0] is an agent; give the result of its asTool'),
    )
  })

  test('a tracing promise that was not awaited', () => {
    const waited = 'tracing cannot follow a run; write tracing: await openTelemetry()'
    assert.throws(made({ tracing: Promise.resolve({ begin: () => undefined }) }), says(waited))
    assert.throws(made({ tracing: () => undefined }), says(waited))
    assert.ok(made({ tracing: { begin: () => undefined } })())
  })

  test('the builder reports the same when it builds', () => {
    const settings: object = { instruction: 'x' }
    assert.throws(
      () => new AgentBuilder().set(settings).build(),
      says('there is no option instruction; did you mean instructions?'),
    )
  })

  test('and so does a run with its own parts', () => {
    const own: object = { use: [seen] }
    assert.throws(
      () => createAgent({}).run('Hi', own),
      says('use[0] is a function; call it, as in use: [seen()]'),
    )
  })

  test('correct and absent options are accepted', () => {
    createAgent({ use: [seen()], tools: [look], limits: { money: 1 }, services: {} })
    made({ use: undefined, tools: undefined, limits: undefined, name: undefined })()
  })
})
