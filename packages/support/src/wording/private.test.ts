import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutAddresses } from './private.ts'

test('an address stays out of the prompt that words an answer, unless the answer names it', () => {
  const result = {
    status: 'shipped',
    address: '5 Elm St',
    items: [{ title: 'Lamp', shipping_address: '5 Elm St' }],
  }
  assert.deepEqual(withoutAddresses(result, 'It is {status}.'), {
    status: 'shipped',
    items: [{ title: 'Lamp' }],
  })
  assert.deepEqual(withoutAddresses({ address: '5 Elm St' }, 'It goes to {address}.'), {
    address: '5 Elm St',
  })
})
