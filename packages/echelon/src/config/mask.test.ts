import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { configOf } from './in-tests.ts'
import { mask } from './mask.ts'

suite('a masked secret', () => {
  test('shows its kind and at most the last two characters of a long one', () => {
    assert.equal(mask('sk-proj-0123456789abcdef3f'), 'sk-…3f')
    assert.equal(mask('AIza0123456789abcdef3f'), '…3f')
    assert.equal(mask('sk-short3f'), 'sk-…')
    assert.equal(mask(''), '…')
  })

  test('shows nothing else, from any source and in any output', async () => {
    const secret = fc.stringMatching(/^(?:sk-)?[A-Za-z0-9_]{8,60}$/)
    await fc.assert(
      fc.asyncProperty(secret, async (key) => {
        const { values, warnings } = await configOf({
          yaml: `providers: {mine: {api_key: "${key}"}}`,
          dotenv: { OPENAI_API_KEY: key },
          env: { ECHELON_API_KEY: key },
        })
        const shown = JSON.stringify([values, warnings])
        assert.equal(shown.split('…').length - 1, 3)
        assert.ok(!shown.includes(key))
        const masked = values.filter(({ path }) => path.endsWith('api_key'))
        for (const { value } of masked) {
          assert.match(JSON.stringify(value), /^"(?:sk-)?….{0,2}"$/)
        }
      }),
    )
  })

  test('is not quoted when it is rejected', async () => {
    const key = 'hunter2hunter2hunter2'
    for (const wrong of [`[${key}]`, `{x: ${key}}`, '12345678901234567890', `${key}: x`]) {
      await assert.rejects(
        configOf({ yaml: `providers:\n  openai:\n    api_key: ${wrong}\n` }),
        (error) => {
          assert.doesNotMatch(JSON.stringify(error) + String(error), /hunter2|1234567/)
          return true
        },
      )
    }
  })
})
