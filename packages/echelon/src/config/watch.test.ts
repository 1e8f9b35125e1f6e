import assert from 'node:assert/strict'
import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { EchelonError } from '../core/value/error.ts'
import { type Config, KNOWN } from '../compose/config.ts'
import { folderFor } from './in-tests.ts'
import { followConfig, type Followed } from './watch.ts'

interface Watched {
  readonly file: string
  readonly following: Followed<Config>
  /** The reports in order: the seconds of a new configuration, or an error message. */
  readonly reports: (number | string)[]
  /** Waits for the next report. */
  readonly next: () => Promise<number | string | undefined>
}

const budget = (seconds: number | string): string => `budget:\n  max_seconds: ${seconds}\n`

async function watched(
  t: TestContext,
  make: (config: Config) => Config | Promise<Config> = (config) => config,
): Promise<Watched> {
  const file = join(folderFor(t), 'config.yaml')
  writeFileSync(file, budget(1))
  const reports: (number | string)[] = []
  const options = {
    file,
    env: {},
    settleMs: 10,
    onChange: ({ settings }: Config) => void reports.push(settings.budget.max_seconds),
    onInvalid: (error: unknown) => void reports.push(error instanceof Error ? error.message : ''),
  }
  const following = await followConfig(KNOWN, options, make)
  t.after(() => following.close())
  let read = 0
  const next = async (): Promise<number | string | undefined> => {
    while (reports.length === read) await wait(5)
    return reports[read++]
  }
  return { file, following, reports, next }
}

/** As most editors do: the file is never half written. */
function put(file: string, text: string): void {
  writeFileSync(`${file}~`, text)
  renameSync(`${file}~`, file)
}

const secondsOf = ({ current }: Followed<Config>): number => current.settings.budget.max_seconds

/** A missed change must fail the tests, which wait for it. */
const GUARD = { timeout: 120_000 }

suite('[DD-17] a watched configuration', GUARD, () => {
  test('changes with its file, however an editor writes it', async (t) => {
    const { file, following, next } = await watched(t)
    assert.equal(secondsOf(following), 1)
    writeFileSync(file, budget(2))
    assert.equal(await next(), 2)
    put(file, budget(3))
    assert.equal(await next(), 3)
    const beside = `${file}.linked`
    rmSync(file)
    writeFileSync(beside, budget(4))
    symlinkSync(beside, file)
    let reports = await next()
    // The moment without the file may have been noticed.
    if (typeof reports === 'string') reports = await next()
    assert.equal(reports, 4)
    assert.equal(secondsOf(following), 4)
  })

  test('[R15.4] stays unchanged while the file is invalid, and reports why', async (t) => {
    const { file, following, next } = await watched(t)
    for (const [broken, problem] of [
      [budget('many'), /config\.yaml:2: budget\.max_seconds is "many"; it must be a number/],
      ['budget:\n\tx: 1', /a tab indents this line/],
      ['[', /config\.yaml:\d: /],
      [budget(1).replace('max_seconds', 'max_secs'), /did you mean max_seconds/],
    ] as const) {
      put(file, broken)
      assert.match(String(await next()), problem)
      assert.equal(secondsOf(following), 1)
    }
    put(file, budget(5))
    assert.equal(await next(), 5)
  })

  test('does not fall back to the defaults when its file is removed', async (t) => {
    const { file, following, next } = await watched(t)
    rmSync(file)
    assert.match(String(await next()), /there is no file .*config\.yaml; create it/)
    assert.equal(secondsOf(following), 1)
  })

  test('[R15.4] stays unchanged while a file is empty because it is being written', async (t) => {
    const { file, following, next } = await watched(t)
    const dotenv = join(file, '../.env')
    put(dotenv, 'BUDGET_MAX_SECONDS=7')
    assert.equal(await next(), 7)
    for (const [path, text] of [
      [file, budget(1)],
      [dotenv, 'BUDGET_MAX_SECONDS=8'],
    ] as const) {
      truncateSync(path)
      assert.match(String(await next()), new RegExp(`${path} is empty; restore its settings`))
      assert.equal(secondsOf(following), 7)
      writeFileSync(path, text)
      assert.equal(await next(), path === file ? 7 : 8)
    }
    rmSync(dotenv)
    assert.match(String(await next()), /there is no file .*\.env; create it/)
    assert.equal(secondsOf(following), 8)
  })

  test('stays in the initial folder when the process changes its own', async (t) => {
    const before = process.cwd()
    t.after(() => process.chdir(before))
    const [first, other] = [folderFor(t), folderFor(t)]
    writeFileSync(join(first, 'config.yaml'), budget(2))
    writeFileSync(join(other, 'config.yaml'), budget(666))
    process.chdir(first)
    const reports: number[] = []
    const onChange = ({ settings }: Config): void => void reports.push(settings.budget.max_seconds)
    const following = await followConfig(
      KNOWN,
      { env: {}, settleMs: 10, onChange },
      (config) => config,
    )
    t.after(() => following.close())
    process.chdir(other)
    put(join(first, 'config.yaml'), budget(3))
    while (reports.length === 0) await wait(5)
    assert.deepEqual([reports, following.current.files], [[3], ['config.yaml']])
  })

  test('may start without the file of the working folder, which must stay once it exists', async (t) => {
    const before = process.cwd()
    process.chdir(folderFor(t))
    t.after(() => process.chdir(before))
    const reports: string[] = []
    const hear = async (count: number): Promise<void> => {
      while (reports.length < count) await wait(5)
    }
    const following = await followConfig(
      KNOWN,
      {
        env: {},
        settleMs: 10,
        onChange: ({ settings }) => void reports.push(String(settings.budget.max_seconds)),
        onInvalid: (error) => void reports.push(String(error)),
      },
      (config) => config,
    )
    t.after(() => following.close())
    assert.equal(secondsOf(following), 60)
    put('config.yaml', budget(3))
    await hear(1)
    rmSync('config.yaml')
    await hear(2)
    assert.equal(reports[0], '3')
    assert.match(reports[1] ?? '', /there is no file config\.yaml; create it/)
    assert.equal(secondsOf(following), 3)
  })

  test('reacts to its other files, and to no unrelated ones', async (t) => {
    const { file, following, reports, next } = await watched(t)
    writeFileSync(join(file, '../notes.txt'), 'x')
    put(join(file, '../.env'), 'BUDGET_MAX_SECONDS=7')
    assert.equal(await next(), 7)
    assert.deepEqual(reports, [7])
    assert.equal(secondsOf(following), 7)
  })

  test('can be rejected by the make function', async (t) => {
    const { file, following, next } = await watched(t, (config) => {
      if (config.settings.budget.max_seconds !== 8) return config
      throw new EchelonError('INVALID_CONFIG', 'eight is too much')
    })
    put(file, budget(8))
    assert.equal(await next(), 'eight is too much')
    assert.equal(secondsOf(following), 1)
    put(file, budget(9))
    assert.equal(await next(), 9)
  })

  test('reports nothing after close', async (t) => {
    const { file, following, reports } = await watched(t)
    following.close()
    writeFileSync(file, budget(2))
    const other = await watched(t)
    writeFileSync(other.file, budget(3))
    await other.next()
    assert.deepEqual([reports, secondsOf(following)], [[], 1])
  })

  test('must be valid at the start', async (t) => {
    const file = join(folderFor(t), 'config.yaml')
    const following = followConfig(KNOWN, { file, env: {} }, (config) => config)
    await assert.rejects(following, { code: 'INVALID_CONFIG', message: /there is no file/ })
  })
})
