import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedApiKey, checkedBaseUrl, neededApiKey, withoutSlash } from './server-settings.ts'

test('keeps an address unchanged except for trailing slashes', () => {
  const url = checkedBaseUrl('https://llm.example.org/openai/v1//', 'any')
  assert.equal(withoutSlash(url), 'https://llm.example.org/openai/v1')
})

test('rejects an invalid address without quoting it', () => {
  for (const text of [
    'secret',
    'ftp://secret/',
    'http://a:secret@b/v1',
    'http://b/v1?key=secret',
  ]) {
    assert.throws(
      () => checkedBaseUrl(text, 'http://localhost:1/v1'),
      (error: Error) =>
        'code' in error && error.code === 'INVALID_CONFIG' && !/secret/.test(error.message),
    )
  }
})

test('trims a key, and rejects one with inner blanks', () => {
  assert.equal(checkedApiKey(' key\n'), 'key')
  assert.equal(checkedApiKey(' '), undefined)
  assert.equal(checkedApiKey(undefined), undefined)
  assert.throws(() => checkedApiKey('ke\ny'), { code: 'INVALID_CONFIG' })
})

test('names the variable of a required key that is missing', () => {
  const from = { provider: 'openai', variable: 'OPENAI_API_KEY' }
  assert.equal(neededApiKey('key', from), 'key')
  for (const text of [undefined, '', ' ']) {
    assert.throws(() => neededApiKey(text, from), {
      code: 'MISSING_KEY',
      message: /OPENAI_API_KEY/,
    })
  }
})
