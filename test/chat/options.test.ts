import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  AgentBuilder,
  createAgent,
  defineMiddleware,
  defineTool,
} from '../../packages/echelon/src/chat.ts'
import { z } from 'zod'

const seen = defineMiddleware({ name: 'seen' })
const look = defineTool({ name: 'look', description: '-', input: z.object({}), run: () => 1 })

/** As a program without types would write it. */
const made = (options: object) => () => createAgent(options)
const says = (message: string | RegExp) => ({ code: 'INVALID_CONFIG', message })

describe('what a program without types gets wrong is said when the agent is made', () => {
  test('a middleware whose brackets are forgotten', () => {
    assert.throws(made({ use: [seen] }), says('use[0] is a function; call it, as in use: [seen()]'))
    function counted() {
      return seen()
    }
    assert.throws(
      made({ use: [seen(), counted] }),
      says('use[1] is a function; call it: use: [counted()]'),
    )
    assert.throws(made({ use: [null] }), says(/^use\[0\] is no middleware/))
    assert.throws(made({ use: seen() }), says('use is no list; write use: [...]'))
  })

  test('an option or a limit that there is none of', () => {
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

  test('tools that are none', () => {
    assert.throws(made({ tools: [look, {}] }), says(/^tools\[1\] is no tool/))
    const theirs = { description: 'x', inputSchema: {}, execute: () => 1 }
    assert.throws(made({ tools: [theirs] }), says(/^tools has a tool of .* fromAiSdkTools/))
    assert.throws(made({ tools: { theirs } }), says(/^tools has a tool of .* fromAiSdkTools/))
    assert.throws(made({ tools: { look } }), says('tools is no list; write tools: [...]'))
    const own: object = { tools: { theirs } }
    const running = (): unknown => createAgent({}).run('go', own)
    assert.throws(running, says(/^tools has a tool of .* fromAiSdkTools/))
    assert.throws(made({ tools: [seen] }), says(/^tools\[0\] is no tool/))
    assert.throws(
      made({ tools: [createAgent({})] }),
      says('tools[0] is an agent; give what its asTool makes'),
    )
  })

  test('a tracing that nobody has waited for', () => {
    const waited = 'tracing cannot follow a run; write tracing: await openTelemetry()'
    assert.throws(made({ tracing: Promise.resolve({ begin: () => undefined }) }), says(waited))
    assert.throws(made({ tracing: () => undefined }), says(waited))
    assert.ok(made({ tracing: { begin: () => undefined } })())
  })

  test('the builder says the same when it builds', () => {
    const settings: object = { instruction: 'x' }
    assert.throws(
      () => new AgentBuilder().set(settings).build(),
      says('there is no option instruction; did you mean instructions?'),
    )
  })

  test('and so does a run with pieces of its own', () => {
    const own: object = { use: [seen] }
    assert.throws(
      () => createAgent({}).run('Hi', own),
      says('use[0] is a function; call it, as in use: [seen()]'),
    )
  })

  test('what is right passes, and so does what is absent', () => {
    createAgent({ use: [seen()], tools: [look], limits: { money: 1 }, services: {} })
    made({ use: undefined, tools: undefined, limits: undefined, name: undefined })()
  })
})
