import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderFor, type Ran, runCommand } from '../../cli/src/testing/run-command.ts'
import { startModelServer } from '../../packages/echelon/src/testing/local-model-server.ts'
import { corpus, type Sample, shows } from './corpus.ts'

/** In no recognizable format. */
const OWN_KEY = 'our-own-key-for-the-house'
const KEY = ['sk', 'test', 'qwertzuiopasdfghjkl'].join('-')

/** The output of a run of the command, by stream. */
const echelon = (folder: string, args: readonly string[], input = ''): Promise<Ran> =>
  runCommand(args, folder, { env: { ECHELON_API_KEY: OWN_KEY }, input })

const seenIn = (shown: string, samples: readonly Sample[]): readonly string[] =>
  samples.filter((sample) => shows(shown, sample)).map((sample) => sample.text)

test('[DD-11] [R19.2] neither the command nor its trace shows anything of a seeded corpus', async (t) => {
  // Long texts are cut in the output, which would hide them for the wrong reason.
  const samples = corpus(3, 400)
    .filter((sample) => sample.text.length < 150)
    .slice(0, 60)
  const texts = samples.map((sample) => sample.text)
  for (let first = 0; first < texts.length; first += 10) {
    const [task = '', ...others] = texts.slice(first, first + 10)
    const [garbage = '', reason = '', note = '', error = '', refused = '', expr = ''] = others
    const plan = { actions: [{ tool: 'calculator', args: { expr, note } }] }
    await using server = await startModelServer([
      { type: 'reply', text: [garbage] },
      { type: 'reply', text: [JSON.stringify(plan)] },
      { type: 'reply', text: [JSON.stringify({ cannot: reason })] },
      { type: 'status', status: 400, message: `${error} for key ${OWN_KEY}` },
      { type: 'reply', text: [JSON.stringify({ cannot: refused })] },
    ])
    const folder = folderFor(t)
    const models = ['--small', 'openai-compatible/a', '--big', 'openai-compatible/b']
    const asks = ['--unchecked', 'escalate', '--base-url', server.baseUrl]
    const args = ['decide', '-', '--trace', 'run.jsonl', ...models, ...asks]
    const { stdout, stderr } = await echelon(folder, args, `What is 15 * 23? ${task}`)
    const trace = readFileSync(join(folder, 'run.jsonl'), 'utf8')
    for (const shown of [stdout, stderr, trace]) {
      assert.deepEqual(seenIn(shown, samples), [])
      assert.ok(!shown.includes(OWN_KEY))
    }
    server.assertComplete()
    assert.match(stdout, /\[redacted/)
    assert.match(trace, /"event":"plan_schema_error".*\n.*"event":"plan"/)
  }
})

for (const key of [KEY, OWN_KEY, 'sk-wrong']) {
  test(`[DD-11] a key that a server repeats is neither shown nor stored: ${key}`, async (t) => {
    const message = `Incorrect API key provided: ${key}`
    const plan = JSON.stringify({ actions: [{ tool: 'calculator', args: { expr: key } }] })
    await using server = await startModelServer([
      { type: 'reply', text: [`I am not sure about ${key}`] },
      { type: 'reply', text: [plan] },
      { type: 'status', status: 401, message },
    ])
    const folder = folderFor(t)
    const run = (...args: readonly string[]): Promise<Ran> =>
      runCommand(args, folder, { env: { ECHELON_API_KEY: key } })
    const models = ['--small', 'openai-compatible/a', '--big', 'openai-compatible/b']
    const asks = ['--base-url', server.baseUrl, '--unchecked', 'escalate']
    const shown = [
      await run('decide', 'What is 15 * 23?', ...models, ...asks),
      await run('runs', 'list', '--all'),
      await run('runs', 'list', '--all', '--json'),
      await run('runs', 'show', 'last'),
      await run('runs', 'show', 'last', '--json'),
      await run('runs', 'show', 'last', '--events'),
      await run('runs', 'show', 'last', '--step', '3'),
      await run('runs', 'show', 'last', '--step', '3', '--json'),
      await run('costs'),
      await run('audit'),
    ]
    for (const { stdout, stderr } of shown) assert.ok(!`${stdout}${stderr}`.includes(key), stdout)
    assert.match(shown[0]?.stdout ?? '', /\[redacted:secret\]/)
    assert.match(shown[4]?.stdout ?? '', /Incorrect API key provided: \[redacted:secret\]/)
    const places = readdirSync(folder, { recursive: true, withFileTypes: true })
    const files = places.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
    const stored = files.map((file) => readFileSync(file, 'latin1')).join('\n')
    assert.match(stored, /Incorrect API key provided: \[redacted:secret\]/)
    assert.doesNotMatch(stored, new RegExp(`Incorrect API key provided: ${key}`))
  })
}

test('[DD-11] the problem with an argument is reported without the secret in it', async (t) => {
  const folder = folderFor(t)
  const url = ['https://ann:', 'hunter2@', 'example.org/{ticker}'].join('')
  for (const args of [
    ['decide', 'x', '--stock-url', url],
    ['decide', 'x', '--small', `openai-compatible/${KEY}`],
    ['decide', 'x', '--mode', KEY],
    ['decide', 'x', `--api-key=${KEY}`],
    ['decide', 'x', '--timezone', KEY],
  ]) {
    const { stdout, stderr } = await echelon(folder, args)
    assert.match(stderr, /^echelon: .+/m, args.join(' '))
    assert.doesNotMatch(`${stdout}${stderr}`, /hunter2|qwertz/)
  }
})
