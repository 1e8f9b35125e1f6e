import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { chooseModels } from './default-models.ts'

const NANO = { small_model: 'openai/gpt-5-nano', big_model: 'openai/gpt-5', ladder: null }
const OFFLINE = { small_model: 'offline/small', big_model: 'offline/big', ladder: null }

suite('the models of a run', () => {
  test('[R1.1] begin with gpt-5-nano if none is named and openai has a key', () => {
    assert.deepEqual(chooseModels({}, true), { models: NANO, because: null })
    assert.deepEqual(chooseModels({ ladder: null }, true), { models: NANO, because: null })
  })

  test('[R1.1] are the offline pair without a named model and a key', () => {
    const because = 'no OPENAI_API_KEY is set'
    assert.deepEqual(chooseModels({}, false), { models: OFFLINE, because })
  })

  for (const hasKey of [true, false]) {
    suite(`with ${hasKey ? 'a' : 'no'} key for openai`, () => {
      test('are the named ones', () => {
        const models = { small_model: 'a/b', big_model: 'c/d', ladder: null }
        assert.deepEqual(chooseModels(models, hasKey), { models, because: null })
        const { ladder } = chooseModels({ ladder: ['e/f'] }, hasKey).models
        assert.deepEqual(ladder, ['e/f'])
      })

      test('are a single model if only one is named, so nothing goes to an unnamed service', () => {
        const because = 'only one model is named'
        assert.deepEqual(chooseModels({ small_model: 'a/b' }, hasKey), {
          models: { ...NANO, small_model: 'a/b', ladder: ['a/b'] },
          because,
        })
        assert.deepEqual(chooseModels({ big_model: 'c/d', ladder: null }, hasKey), {
          models: { ...NANO, big_model: 'c/d', ladder: ['c/d'] },
          because,
        })
      })
    })
  }
})
