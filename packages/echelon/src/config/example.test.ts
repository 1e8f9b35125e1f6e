import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { DEFAULT_MODEL_TIMEOUTS } from '../core/model/model-timeouts.ts'
import { exampleConfig, KNOWN } from '../compose/config.ts'
import { configOf } from './in-tests.ts'

const FILE = join(import.meta.dirname, '../../../../config.yaml.example')

/** The example with its provider, tool and mode examples enabled. */
const SWITCHED_ON = exampleConfig().replaceAll(/^ {2}# ( *)(?=[a-z_]+:)/gm, '  $1')

suite('[R17.5] config.yaml.example', () => {
  test('matches the table of settings: npm run config:example writes it', () => {
    assert.equal(readFileSync(FILE, 'utf8'), exampleConfig())
  })

  test('is a valid configuration with the defaults', async () => {
    const { settings, run, gates, records, modelTimeouts, values, warnings } = await configOf({
      yaml: exampleConfig(),
      env: { OPENAI_API_KEY: 'sk-1' },
    })
    assert.deepEqual(settings, KNOWN.table.read([], []).settings)
    const without = await configOf({ env: { OPENAI_API_KEY: 'sk-1' } })
    assert.deepEqual([run, gates, records], [without.run, without.gates, without.records])
    assert.deepEqual(modelTimeouts, DEFAULT_MODEL_TIMEOUTS)
    assert.deepEqual(warnings, [])
    for (const { path, origin } of values) {
      const isNamed = !/^(?:models|providers)\./.test(path)
      if (isNamed) assert.equal(origin.from, 'file', path)
    }
  })

  test('copied unchanged sets no model: without a key the offline pair answers', async () => {
    const { settings } = await configOf({ yaml: exampleConfig() })
    assert.equal(settings.models.small_model, 'offline/small')
  })

  test('shows every setting with its meaning', async () => {
    const { values, settings } = await configOf({ yaml: SWITCHED_ON })
    const shown = new Set(
      values.filter(({ origin }) => origin.from === 'file').map(({ path }) => path),
    )
    for (const { path, meaning } of KNOWN.all) {
      const concrete = path
        .replace('providers.*', 'providers.openai')
        .replace('tools.*', 'tools.data_fetch_stock')
      assert.ok(shown.has(concrete), path)
      assert.ok(exampleConfig().includes(`# ${meaning}\n`), path)
      assert.match(meaning, /^[A-Z].*[^.]$/, 'a meaning is one phrase')
    }
    assert.equal(shown.size, KNOWN.all.length)
    assert.deepEqual(settings.tools, { data_fetch_stock: { retries: 2 } })
  })
})
