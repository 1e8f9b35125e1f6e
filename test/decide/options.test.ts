import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createDecider, defineTool, runCase } from 'echelon'
import { standardVerifiers } from 'echelon/decide'
import { standardTools } from '@echelon/tools'

/** As an untyped program would write it. */
const made = (options: object) => createDecider(options)
const says = (message: string | RegExp, code = 'INVALID_CONFIG') => ({ code, message })

suite('mistakes of untyped programs are reported when the decider is created', () => {
  test('an unknown option', async () => {
    const pair = { small: 'offline/small', bigg: 'offline/big' }
    await assert.rejects(made(pair), says('there is no option bigg; did you mean big?'))
  })

  test('a forgotten await', async () => {
    await assert.rejects(
      made({ tools: standardTools() }),
      says('tools is a promise; write tools: await standardTools()'),
    )
    await assert.rejects(
      made({ verifiers: standardVerifiers() }),
      says('verifiers is a promise; write verifiers: await standardVerifiers()'),
    )
  })

  test('one element instead of a list', async () => {
    await assert.rejects(
      made({ ladder: 'offline/small' }),
      says('ladder is not a list; write ladder: [...]'),
    )
    await assert.rejects(made({ tools: [{}] }), says(/^tools\[0\] is not a tool/))
  })

  test('a model of an unknown provider', async () => {
    const unknown = says(/^no provider is called "ofline"; did you mean offline\?/, 'UNKNOWN_MODEL')
    await assert.rejects(made({ small: 'ofline/small' }), unknown)
    await assert.rejects(made({ ladder: ['offline/small', 'ofline/big'] }), unknown)
    await assert.rejects(made({ big: 'ofline' }), says(/^models\.big_model is "ofline"/))
    await assert.rejects(
      made({ big: 'nobodys/model' }),
      says(/^no provider is called nobodys, .*npm install/, 'MISSING_PACKAGE'),
    )
  })

  test('models that are loaded later are accepted', async () => {
    await made({ small: 'openai/not-yet-known', big: 'mistral/x', providers: {} })
  })
})

suite('mistakes of untyped programs are reported by a case', () => {
  test('an unknown option', async () => {
    const options: object = { goldanswer: '3' }
    const message = 'there is no option of a case goldanswer; did you mean goldAnswer?'
    await assert.rejects(runCase('What is 1 + 2?', options), says(message, 'INVALID_INPUT'))
  })
})

suite('mistakes of untyped programs are reported by defineTool', () => {
  const spec = { name: 'look', description: 'Looks.', input: { type: 'object' }, run: () => 1 }
  const defined = (changes: object) => () => defineTool({ ...spec, ...changes })

  test('an unknown option', () => {
    const message = 'there is no option of a tool descripton; did you mean description?'
    assert.throws(defined({ descripton: 'Looks.' }), says(message, 'INVALID_DEFINITION'))
  })

  test('a missing description', () => {
    const message = 'the tool look has no description; tell the model what it does'
    for (const description of [undefined, 1]) {
      assert.throws(defined({ description }), says(message, 'INVALID_DEFINITION'))
    }
  })

  test('a tool can be defined again with changes', () => {
    assert.equal(defined({ ...defined({})(), description: 'Other.' })().description, 'Other.')
  })
})
