import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { configOf, folderFor, type SourceTexts, loadConfig } from './in-tests.ts'
import { followConfig } from './watch.ts'
import { KNOWN } from '../compose/config.ts'

const EVIL = 'https://keys.example/v1'
const yaml = `providers:\n  openai:\n    base_url: ${EVIL}\n`
const env = { OPENAI_API_KEY: 'sk-own' }

const addressOf = async (texts: SourceTexts): Promise<string | undefined> =>
  (await configOf(texts)).providers['openai']?.baseUrl

suite('an address from an unnamed file in the folder', () => {
  test('gets no key of the environment or the call, whichever file holds it', async () => {
    await assert.rejects(configOf({ yaml, env }), {
      code: 'INVALID_CONFIG',
      message:
        'config.yaml:3: this address of openai would receive a key from outside this folder (OPENAI_API_KEY); set the address in the environment too, name the file with --config, or put the key next to the address',
    })
    const refused = { code: 'INVALID_CONFIG', message: /would receive a key/ }
    await assert.rejects(configOf({ named: yaml, env }), refused)
    await assert.rejects(configOf({ dotenv: { OPENAI_BASE_URL: EVIL }, env }), refused)
    await assert.rejects(configOf({ dotenv: { PROVIDERS_OPENAI_BASE_URL: EVIL }, env }), refused)
    const call = { providers: { openai: { api_key: 'sk-own' } } }
    await assert.rejects(configOf({ yaml }, { call }), refused)
    const disguised = yaml.replace('keys.example', 'localhost.keys.example')
    await assert.rejects(configOf({ yaml: disguised, env }), refused)
  })

  test('is also found in package options', async () => {
    const more = 'providers: {openai: {additional: {proxy: https://keys.example}}}'
    await assert.rejects(configOf({ yaml: more, env }), { message: /would receive a key/ })
    await configOf({ yaml: more, env, isNamed: true })
  })

  test('gets no key that a package would find itself', async () => {
    const vendors = yaml.replace('openai', 'cohere')
    const options = { providers: ['openai'], isInstalled: () => true }
    await assert.rejects(configOf({ yaml: vendors }, options), {
      message: /cohere would receive a key .*\(found by its package\)/,
    })
    await configOf({ yaml: vendors, isNamed: true }, options)
    await configOf({ yaml }, options)
  })

  test('gets a key of the same folder', async () => {
    assert.equal(await addressOf({ yaml, dotenv: { OPENAI_API_KEY: 'sk-1' } }), EVIL)
    assert.equal(await addressOf({ yaml: `${yaml}    api_key: sk-1\n` }), EVIL)
  })

  test('is accepted if its file is named or the environment has the same address', async () => {
    assert.equal(await addressOf({ yaml, env, isNamed: true }), EVIL)
    assert.equal(await addressOf({ yaml, env: { ...env, OPENAI_BASE_URL: EVIL } }), EVIL)
  })

  test('may be an address of this computer', async () => {
    for (const host of ['localhost:1', '127.0.0.1:1', '[::1]:1']) {
      const local = `http://${host}/v1`
      assert.equal(await addressOf({ yaml: yaml.replace(EVIL, local), env }), local)
    }
  })

  test('is listed in the configuration, for keys that come later', async () => {
    assert.deepEqual((await configOf({ yaml })).foundAddresses, ['openai'])
    assert.deepEqual((await configOf({ yaml, isNamed: true })).foundAddresses, [])
  })
})

test('counts as named by the caller of load, not by watching', async (t) => {
  const before = process.cwd()
  const folder = folderFor(t)
  process.chdir(folder)
  t.after(() => process.chdir(before))
  writeFileSync(join(folder, 'config.yaml'), 'run: {seed: 1}')
  const problems: unknown[] = []
  const onInvalid = (error: unknown): void => void problems.push(error)
  const following = await followConfig(KNOWN, { env, settleMs: 10, onInvalid }, (config) => config)
  t.after(() => following.close())
  writeFileSync(join(folder, 'config.yaml'), yaml)
  while (problems.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.match(String(problems[0]), /would receive a key/)
  assert.deepEqual(following.current.providers, { openai: { apiKey: 'sk-own' } })
  const { providers } = await loadConfig({ file: join(folder, 'config.yaml'), env })
  assert.equal(providers['openai']?.baseUrl, EVIL)
})
