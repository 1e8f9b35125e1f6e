import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderFor, type Ran, runCommand } from '../../cli/src/testing/run-command.ts'
import { startModelServer } from '../../packages/echelon/src/testing/local-model-server.ts'
import { corpus, type Sample, shows } from './corpus.ts'

/** Of no form that anybody could know. */
const OWN_KEY = 'our-own-key-for-the-house'
const KEY = ['sk', 'test', 'qwertzuiopasdfghjkl'].join('-')

/** What a run of the command writes to each of its streams. */
const echelon = (folder: string, args: readonly string[], input = ''): Promise<Ran> =>
  runCommand(args, folder, { env: { ECHELON_API_KEY: OWN_KEY }, input })

const seenIn = (shown: string, samples: readonly Sample[]): readonly string[] =>
  samples.filter((sample) => shows(shown, sample)).map((sample) => sample.text)

test('[DD-11] [R19.2] the command shows nothing of a seeded corpus, nor does its trace', async (t) => {
  // Long ones are cut in what a person reads, which would hide them for a wrong reason.
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

test('[DD-11] what was wrong with an argument is told without the secret in it', async (t) => {
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
