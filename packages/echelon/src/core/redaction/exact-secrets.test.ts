import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ExactSecrets } from './exact-secrets.ts'

const hidden = (values: readonly string[], text: string): string =>
  new ExactSecrets(values).hideIn(text, () => '***')

suite('values that the program knows to be secret', () => {
  test('a long value is hidden anywhere, inside words too', () => {
    assert.equal(
      hidden(['our-own-key-4711'], 'xour-own-key-4711x, our-own-key-4711.'),
      'x***x, ***.',
    )
  })

  test('a short value is hidden as a whole word', () => {
    assert.equal(
      hidden(['sk-wrong'], 'no sk-wrong, "sk-wrong", key:sk-wrong'),
      'no ***, "***", key:***',
    )
    assert.equal(hidden(['sk-wrong'], 'task-wrongly risk-wrong'), 'task-wrongly risk-wrong')
  })

  test('its characters have no meaning in the pattern or the replacement', () => {
    assert.equal(hidden(['a.c+d$1(x)$&'], 'abc+d$1(x)$& a.c+d$1(x)$&'), 'abc+d$1(x)$& ***')
  })

  test('space around a value does not count', () => {
    assert.equal(hidden([' sk-wrong\n'], 'sk-wrong'), '***')
  })

  test('placeholders and very short values stay', () => {
    for (const word of ['ollama', 'LM-Studio', 'not-needed', 'none', 'EMPTY', 'key']) {
      assert.equal(hidden([word], `the ${word} is`), `the ${word} is`)
    }
  })

  test('JSON text hides a value with escaped characters', () => {
    const known = new ExactSecrets(['pass"word\\4711', 'sk-wrong'])
    const json = JSON.stringify({ said: 'no pass"word\\4711 or sk-wrong' })
    assert.equal(
      known.hideInJson(json, () => '***'),
      '{"said":"no *** or ***"}',
    )
  })
})
