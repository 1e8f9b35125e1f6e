import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { EchelonError } from '../core/value/error.ts'
import { folderFor, loadConfig } from './in-tests.ts'
import type { LoadOptions } from '../compose/config.ts'
import { tmpdir } from 'node:os'
import { readTextFile } from './text-file.ts'

const problemsOf = async (options: LoadOptions): Promise<readonly unknown[]> => {
  const error: unknown = await loadConfig(options).catch((it: unknown) => it)
  assert.ok(error instanceof EchelonError, String(error))
  return Object.values(error.details).flat()
}

suite('[DD-17] the files of a configuration', () => {
  test('are the named file, that of the environment, and .env next to it', async (t) => {
    const folder = folderFor(t)
    const file = join(folder, 'config.yaml')
    writeFileSync(
      file,
      'budget: {max_seconds: 1, max_tokens: 1, max_checks: 1}\nact: {max_steps: 1}',
    )
    writeFileSync(join(folder, 'config.staging.yaml'), 'budget: {max_tokens: 2, max_checks: 2}')
    writeFileSync(join(folder, '.env'), 'BUDGET_MAX_CHECKS=3\nACT_MAX_STEPS="2"\nOTHER=1\n')
    const env = { ECHELON_ENV: 'staging', ACT_MAX_STEPS: '3' }
    const { settings, files } = await loadConfig({ file, env })
    const { max_seconds, max_tokens, max_checks } = settings.budget
    assert.deepEqual([max_seconds, max_tokens, max_checks, settings.act.max_steps], [1, 2, 3, 3])
    assert.deepEqual(files, [file, join(folder, 'config.staging.yaml'), join(folder, '.env')])
    assert.equal((await loadConfig({ file, env: {} })).settings.budget.max_tokens, 1)
  })

  test('may be chosen by .env too', async (t) => {
    const folder = folderFor(t)
    const file = join(folder, 'my.yml')
    writeFileSync(file, '')
    writeFileSync(join(folder, 'my.dev.yml'), 'run: {seed: 5}')
    writeFileSync(join(folder, '.env'), 'ECHELON_ENV=dev')
    assert.equal((await loadConfig({ file, env: {} })).run.seed, 5)
  })

  test('must exist if they are named', async (t) => {
    const file = join(folderFor(t), 'config.yaml')
    assert.deepEqual(await problemsOf({ file, env: {} }), [
      `there is no file ${file}; create it, or name another`,
    ])
    writeFileSync(file, '')
    const beside = file.replace('.yaml', '.prod.yaml')
    assert.deepEqual(await problemsOf({ file, env: { ECHELON_ENV: 'prod' } }), [
      `there is no file ${beside}; create it, or name another`,
    ])
  })

  test('stay in the folder, whatever the name of an environment', async (t) => {
    const folder = folderFor(t)
    const file = join(folder, 'config.yaml')
    writeFileSync(file, '')
    mkdirSync(join(folder, 'config.'))
    writeFileSync(join(folder, 'other.yaml'), 'run: {seed: 5}')
    for (const name of ['/../other', '../../etc/passwd', 'a b', '.', '-x']) {
      const [problem] = await problemsOf({ file, env: { ECHELON_ENV: name } })
      assert.match(String(problem), /^ECHELON_ENV must be a word such as production/, name)
    }
  })
})

suite('[R15.4] a path that is not a settings file is reported in one sentence:', () => {
  const WRONG: Readonly<Record<string, readonly [(path: string) => void, RegExp]>> = {
    'a folder': [(path) => mkdirSync(path), / is not a file; name a YAML file$/],
    'a pipe without a writer': [
      (path) => execFileSync('/usr/bin/mkfifo', [path]),
      / is not a file; name a YAML file$/,
    ],
    'more than a megabyte': [
      (path) => writeFileSync(path, '#'.repeat(1024 * 1024 + 1)),
      / is larger than 1 MB, too large for a configuration$/,
    ],
    'a binary file': [
      (path) => writeFileSync(path, Uint8Array.of(0x7f, 0x45, 0, 0)),
      / is binary; write it as UTF-8 text$/,
    ],
    'a text in another encoding': [
      (path) => writeFileSync(path, Uint8Array.of(0x61, 0x3a, 0xe9)),
      / is not UTF-8 text; convert it$/,
    ],
    'a file in a file': [(path) => writeFileSync(path, ''), / cannot be read \(.*\); change its/],
  }
  for (const [what, [make, problem]] of Object.entries(WRONG)) {
    test(what, async (t) => {
      const path = join(folderFor(t), 'config.yaml')
      make(path)
      const file = what === 'a file in a file' ? join(path, 'x') : path
      const problems = await problemsOf({ file, env: {} })
      assert.match(String(problems[0]), problem)
    })
  }
})

test('a folder called .env is ignored', async (t) => {
  const file = join(folderFor(t), 'config.yaml')
  writeFileSync(file, 'run: {seed: 5}')
  mkdirSync(join(file, '../.env'))
  assert.deepEqual((await loadConfig({ file, env: {} })).files, [file])
})

test('a file with a key that others can read causes a warning', async (t) => {
  const folder = folderFor(t)
  const [file, dotenv] = [join(folder, 'config.yaml'), join(folder, '.env')]
  writeFileSync(file, 'providers: {openai: {api_key: sk-1}}')
  writeFileSync(dotenv, 'BUDGET_MAX_SECONDS=5')
  chmodSync(file, 0o644)
  chmodSync(dotenv, 0o644)
  const warned = `${file} holds a key and others can read it; run: chmod 600 ${file}`
  assert.deepEqual((await loadConfig({ file, env: {} })).warnings, [warned])
  chmodSync(file, 0o600)
  assert.deepEqual((await loadConfig({ file, env: {} })).warnings, [])
  writeFileSync(file, 'providers: {openai: {api_key: null}}')
  writeFileSync(dotenv, 'OPENAI_API_KEY=sk-1')
  assert.deepEqual((await loadConfig({ file, env: {} })).warnings, [
    warned.replaceAll(file, dotenv),
  ])
  const own = await loadConfig({ file, env: { OPENAI_API_KEY: 'sk-2' } })
  assert.deepEqual([own.warnings, own.providers['openai']?.apiKey], [[], 'sk-2'])
})

test('a pipe as .env is reported', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-dotenv-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('/usr/bin/mkfifo', [join(folder, '.env')])
  const { problem } = await readTextFile('.env', folder)
  assert.equal(problem, '.env is not a file; write it as text with NAME=value lines, or remove it')
})
