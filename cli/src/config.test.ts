import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { startModelServer } from 'echelon/testing'
import { echelon, folderFor, type Ran, runCommand } from './testing/run-command.ts'

const KEY = 'sk-proj-hunter2hunter2hunter2hunter2'

interface Given {
  /** File content by name, in the folder of the command. */
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the command in a folder that holds these files. */
function run(
  t: TestContext,
  args: readonly string[],
  { files = {}, env = {} }: Given,
): Promise<Ran> {
  const folder = folderFor(t)
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
  }
  return runCommand(args, folder, { env })
}

const EVERYWHERE: Given = {
  files: {
    'config.yaml': `budget:\n  max_seconds: 5\nproviders:\n  groq:\n    api_key: ${KEY}\n`,
    'config.dev.yaml': 'run: {seed: 7}',
    '.env': `ANTHROPIC_API_KEY=${KEY}\nLIMITS_MAX_CALL_SECONDS=2\n`,
  },
  env: { ECHELON_ENV: 'dev', OPENAI_API_KEY: KEY, BUDGET_MAX_TOKENS: '900' },
}

test('[R15.1, R15.2, DD-17] config shows each value and where it comes from, in columns', async (t) => {
  const { status, stdout, stderr } = await run(t, ['config'], EVERYWHERE)
  assert.deepEqual([status, stderr], [0, ''])
  const rows = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => [line.split(' ')[0], line]),
  )
  const shows = (path: string, value: string, origin: string): void => {
    assert.match(rows.get(path) ?? '', new RegExp(`^\\S+ +${value}  +${origin}$`), path)
  }
  shows('models.small_model', 'openai/gpt-5-nano', 'default')
  shows('budget.max_seconds', '5', 'config\\.yaml:2')
  shows('run.seed', '7', 'config\\.dev\\.yaml:1')
  shows('limits.max_call_seconds', '2', 'LIMITS_MAX_CALL_SECONDS in \\.env')
  shows('budget.max_tokens', '900', 'BUDGET_MAX_TOKENS')
  shows('providers.groq.api_key', 'sk-…r2', 'config\\.yaml:5')
  shows('providers.openai.api_key', 'sk-…r2', 'OPENAI_API_KEY')
  shows('providers.anthropic.api_key', 'sk-…r2', 'ANTHROPIC_API_KEY in \\.env')
  const second = [...rows.values()].map((line) => /^\S+ +/.exec(line)?.[0].length)
  assert.equal(new Set(second).size, 1, 'the columns are not aligned')
  assert.doesNotMatch(stdout, /hunter2/)
})

test('config --json prints the same as JSON, with masked keys', async (t) => {
  const { status, stdout } = await run(t, ['config', '--json'], EVERYWHERE)
  assert.equal(status, 0)
  const { values, warnings } = JSON.parse(stdout)
  const rowOf = (path: string): unknown =>
    values.find((one: { readonly path: string }) => one.path === path)
  assert.deepEqual(warnings, [])
  assert.deepEqual(rowOf('run.seed'), { path: 'run.seed', value: 7, origin: 'config.dev.yaml:1' })
  assert.deepEqual(rowOf('models.ladder'), {
    path: 'models.ladder',
    value: null,
    origin: 'default',
  })
  assert.doesNotMatch(stdout, /hunter2/)
})

test('config --check reports a valid configuration', async (t) => {
  assert.deepEqual(await run(t, ['config', '--check'], {}), {
    status: 0,
    stdout: 'the defaults are valid\n',
    stderr: '',
  })
  const files = { 'config.yaml': 'run:\n' }
  assert.equal((await run(t, ['config', '--check'], { files })).stdout, 'config.yaml is valid\n')
  const both = { files: { ...files, '.env': '' } }
  const { stdout } = await run(t, ['config', '--check'], both)
  assert.equal(stdout, 'config.yaml, .env are valid\n')
})

test('[R15.3, R15.4] config --check has a line for every problem, exit status 2, and no secrets', async (t) => {
  const given = {
    files: {
      'config.yaml': `budget:\n  max_second: 5\n  max_tokens: many\nproviders:\n  groq: {api_key: [${KEY}]}\ntools:\n  ploter: {retries: 1}\n`,
    },
    env: { RUN_SEED: 'x', OPENAI_BASE_URL: `https://user:${KEY}@h/v1` },
  }
  const { status, stdout, stderr } = await run(t, ['config', '--check'], given)
  assert.deepEqual([status, stdout], [2, ''])
  assert.deepEqual(stderr.trim().split('\n'), [
    'config.yaml:2: budget.max_second is not a setting; did you mean max_seconds?',
    'config.yaml:3: budget.max_tokens is "many"; it must be a whole number of at least 0, or null',
    'config.yaml:5: providers.groq.api_key must be a key without blanks and line breaks inside, or null',
    'RUN_SEED is "x"; it must be a whole number, or null',
    'OPENAI_BASE_URL must be an address such as http://localhost:11434/v1, without user, password and query, or null',
    'config.yaml:7: tools.ploter is not a tool; did you mean plotter?',
  ])
})

test('[R17.5] config --example prints the file of that name', async (t) => {
  const { status, stdout } = await echelon(t, 'config', '--example')
  assert.equal(status, 0)
  const example = join(import.meta.dirname, '../../config.yaml.example')
  assert.equal(stdout, readFileSync(example, 'utf8'))
})

test('[R15.3] decide refuses an invalid configuration', async (t) => {
  const files = { 'config.yaml': 'budget:\n  max_second: 5\nacts:\n' }
  const { status, stdout, stderr } = await run(t, ['decide', 'What is 2 + 2?'], { files })
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(
    stderr,
    /^echelon: config\.yaml:2: budget\.max_second is not a setting; .* \(and 1 more\); echelon config --check lists them\n$/,
  )
})

test('the hint about more problems repeats --config', async (t) => {
  const files = { 'my own.yaml': 'budget:\n  max_second: 5\nacts:\n' }
  const { status, stderr } = await run(t, ['--config', 'my own.yaml', 'decide', 'x'], { files })
  assert.equal(status, 2)
  assert.match(stderr, /; echelon --config 'my own\.yaml' config --check lists them\n$/)
})

test('[R15.1] decide uses the given file, named before or after the command', async (t) => {
  const files = { 'my.yml': 'limits: {max_input_chars: 5}\nmodels: {ladder: [offline/small]}' }
  for (const args of [
    ['--config', 'my.yml', 'decide', 'What is 2 + 2?'],
    ['decide', '--config', 'my.yml', 'What is 2 + 2?'],
  ]) {
    const { status, stderr } = await run(t, args, { files })
    assert.equal(status, 2)
    assert.match(stderr, /^echelon: the task has 14 characters and may have 5; /)
  }
})

test('[R15.2, DD-17] the environment overrides the file, and the command line overrides both', async (t) => {
  const files = { 'config.yaml': 'limits: {max_input_chars: 5}\nbudget: {max_seconds: 0}' }
  const env = { LIMITS_MAX_INPUT_CHARS: '100' }
  const task = 'What is 2 + 2?'
  const late = await run(t, ['decide', '--json', task], { files, env })
  assert.deepEqual([late.status, JSON.parse(late.stdout).limit], [1, 'seconds'])
  const right = await run(t, ['decide', '--max-seconds', '60', task], { files, env })
  assert.equal(right.status, 0, right.stderr)
})

test('[R1.1] models from the environment or the file replace the offline ones', async (t) => {
  await using server = await startModelServer([
    { type: 'reply', text: ['{"actions":null,"cannot":"no idea"}'] },
  ])
  const given = {
    files: { 'config.yaml': 'models: {ladder: [openai-compatible/tiny]}' },
    env: { OPENAI_COMPATIBLE_API_KEY: KEY },
  }
  const args = ['decide', '--json', '--base-url', server.baseUrl, 'What is 2 + 2?']
  const { status, stdout, stderr } = await run(t, args, given)
  assert.deepEqual([status, stderr], [1, ''])
  assert.equal(JSON.parse(stdout).rungs[0].model, 'openai-compatible/tiny')
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${KEY}`)
  assert.equal(server.requests[0]?.body['temperature'], 0.1)
})

test('a base URL belongs to openai if its key selected the models', async (t) => {
  await using server = await startModelServer([
    { type: 'reply', text: ['{"actions":null,"cannot":"no idea"}'] },
    { type: 'reply', text: ['{"actions":null,"cannot":"no idea"}'] },
  ])
  const args = ['decide', '--json', '--base-url', server.baseUrl, 'What is 2 + 2?']
  const { stdout, stderr } = await run(t, args, { env: { OPENAI_API_KEY: KEY } })
  assert.equal(stderr, '')
  assert.equal(JSON.parse(stdout).rungs[0].model, 'openai/gpt-5-nano')
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${KEY}`)
})

test('a base URL belongs to one provider', async (t) => {
  const decide = ['decide', '--base-url', 'http://localhost:1/v1', '2 + 2']
  const files = { 'config.yaml': 'models: {small_model: groq/b, big_model: xai/d}' }
  const two = await run(t, decide, { files })
  assert.equal(two.status, 2)
  assert.match(two.stderr, /--base-url is one server, but the models belong to groq and xai; set/)
  const offline = await run(t, [...decide, '--small', 'offline/small'], {})
  assert.match(offline.stderr, /--base-url names a server but no model/)
})

test('warns about a near miss of a setting, and uses the rest', async (t) => {
  const env = { BUDGET_MAX_SECOND: '5' }
  const { status, stderr } = await run(t, ['decide', 'What is 2 + 2?'], { env })
  assert.equal(status, 0)
  const [warning, notice] = stderr.split('\n')
  assert.equal(
    warning,
    'echelon: warning: BUDGET_MAX_SECOND is not a setting; did you mean BUDGET_MAX_SECONDS?',
  )
  assert.match(
    notice ?? '',
    /^offline models answer \(no OPENAI_API_KEY\); --small and --big name others$/,
  )
})
