/**
 * The packages as users get them: packed, installed in an empty folder, used. It takes most of a
 * minute and may need the network, so `npm run test:package` runs it and `npm test` does not.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import {
  evaluate,
  filesOf,
  megabytesOf,
  olderNode,
  PACKAGES,
  packagesIn,
  ROOT,
  run,
  Workbench,
  type Ended,
} from './workbench.ts'

const SUM = 'What is 15 * 23?'
const STOCK = 'Show me last 30 days closing price for AAPL and plot it with 7-day moving average'

const bench = new Workbench()
const archives = bench.pack()
after(() => bench.remove())

/** A new folder with these packages of the repository and their dependencies. */
async function installed(name: string, ...packages: readonly string[]): Promise<string> {
  const packed = await archives
  const files = packages.map((each) => packed.get(each) ?? each)
  return await bench.install(name, ...files)
}

const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
/** Types that programs need, of which only some packages of ours bring their own. */
const TYPES = [`@types/node@${devDependencies['@types/node']}`, '@types/json-schema@7']

/** All packages in one folder: most of the time goes into installing them. */
const everything = installed('command', ...PACKAGES, ...TYPES)

suite('the command', () => {
  let folder = ''
  before(async () => {
    folder = await everything
  })

  const echelon = (...args: readonly string[]): Promise<Ended> =>
    run(join(folder, 'node_modules/.bin/echelon'), args, folder)

  test('computes', async () => {
    const { status, stdout } = await echelon('decide', SUM)
    assert.match(stdout, /^345$/m)
    assert.equal(status, 0)
  })

  test('finds a date', async () => {
    const { status, stdout } = await echelon('decide', 'What date is 45 days after March 3, 2024?')
    assert.match(stdout, /^Wednesday, April 17, 2024$/m)
    assert.equal(status, 0)
  })

  test('plots a share', async () => {
    const { status, stdout, stderr } = await echelon('decide', STOCK)
    assert.equal(status, 0, stdout + stderr)
    const [, file = ''] = /Plot: (.*\.png)$/m.exec(stdout) ?? []
    assert.equal(readFileSync(file).subarray(1, 4).toString(), 'PNG')
  })

  test('reports to an older Node what it needs, in one sentence', async (context) => {
    const node = olderNode()
    if (node === undefined) return context.skip('no Node older than 24 is on the PATH')
    const main = join(folder, 'node_modules/@echelon/cli/dist/main.js')
    const { status, stdout, stderr } = await run(node, [main, 'decide', SUM], folder)
    assert.match(stderr, /^echelon needs Node 24 or newer, and this is Node [\d.]+: [^\n]+\.\n$/)
    assert.equal(stdout, '')
    assert.equal(status, 2)
  })

  test('contains no Node and no tool of the repository', (context) => {
    context.diagnostic(`npm i @echelon/cli: ${megabytesOf(folder)}`)
    for (const path of ['.bin/node', '.bin/tsc', '@echelon/toolchain']) {
      assert.ok(!existsSync(join(folder, 'node_modules', path)), path)
    }
  })

  test('includes license, notice and manual, like every package, and no tests', () => {
    const always = ['LICENSE', 'NOTICE', 'README.md', 'package.json']
    for (const name of PACKAGES) {
      const files = filesOf(folder, name)
      const beside = files.filter((file) => !file.startsWith('dist/'))
      const own = name === '@echelon/support' ? SHOP_FILES : []
      assert.deepEqual(beside.toSorted(), [...always, ...own].toSorted(), name)
      const stray = files.filter((file) => /\.test\.|\btrial\b|in-tests|(?<!\.d)\.ts$/.test(file))
      assert.deepEqual(stray, [])
    }
  })

  test('has a library whose types compile in a strict program', async () => {
    writeFileSync(join(folder, 'consumer.mts'), CONSUMER)
    const options = '--strict --noEmit --module nodenext --target esnext --types node'.split(' ')
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types')]
    const compile = (...more: readonly string[]): Promise<Ended> =>
      run(
        join(ROOT, 'node_modules/.bin/tsc'),
        [...options, ...types, ...more, 'consumer.mts'],
        folder,
      )

    const { status, stdout } = await compile('--skipLibCheck')
    assert.equal(status, 0, stdout)
    // @ai-sdk/provider itself lacks a declaration; none of ours may be missing.
    const strict = await compile()
    assert.doesNotMatch(strict.stdout, /^(?:consumer|node_modules\/@?echelon)/m)
  })
})

/** An unresolved type would be `any` and accept everything, so errors are expected. */
const CONSUMER = `
import { createDecider, defineTool } from 'echelon'
import { type Config, loadConfig } from 'echelon/config'
import { type CaseResult, MODES } from 'echelon/decide'
import { createRegistry, type Registry } from 'echelon/providers'
import { type RunEvent, Thread } from 'echelon/runtime'
import { openRecords, type Recorder } from '@echelon/telemetry'
import { SetClock, startModelServer } from 'echelon/testing'
import { standardTools } from '@echelon/tools'
import schema from 'echelon/plan.schema.json' with { type: 'json' }

const decider = await createDecider({ small: 'offline/small' })
const result: CaseResult = await decider.runCase('1 + 1', { mode: MODES[0] })
export const config: Config = await loadConfig()
export const answer: string | null = result.answer
export const records: Recorder = openRecords({ folder: '.echelon' })
export const registry: Registry = createRegistry({})
export const names: string[] = (await standardTools()).map(({ name }) => name)
export const title: string = schema.title

// @ts-expect-error there is no such option
await createDecider({ smal: 'offline/small' })
// @ts-expect-error a configuration is an object
export const wrongConfig: number = await loadConfig()
// @ts-expect-error an answer is text
export const wrongAnswer: number = result.answer
// @ts-expect-error a tool is more than a name
export const wrongTool = defineTool({ name: 'x' })
// @ts-expect-error a name is text
export const wrongNames: number[] = (await standardTools()).map(({ name }) => name)
// @ts-expect-error there is no such event
export const wrongEvent: RunEvent['type'] = 'nothing'
// @ts-expect-error a thread is an object
export const wrongThread: number = Thread.of([])
// @ts-expect-error a clock is an object
export const wrongClock: number = new SetClock()
// @ts-expect-error a server is an object
export const wrongServer: Awaited<ReturnType<typeof startModelServer>> = 1
`

suite('the library alone', () => {
  let folder = ''
  before(async () => {
    folder = await installed('library', 'echelon')
  })

  test('installs at most three packages', (context) => {
    const brought = packagesIn(folder).filter((name) => name !== 'echelon')
    assert.ok(brought.length <= 3, brought.join(', '))
    context.diagnostic(`npm i echelon: ${megabytesOf(folder)}`)
  })

  test('every door can be imported', async () => {
    const imports = doorsOf(folder, 'echelon').map((door) => `await import('${door}')`)
    assert.equal(await evaluate(folder, `${imports.join('\n')}\nconsole.log(true)`), true)
  })

  test('says which packages contain the offline models and the tools', async () => {
    const message = await evaluate(
      folder,
      `import { createDecider } from 'echelon'
      const { code, message } = await createDecider().catch((error) => error)
      console.log(JSON.stringify(code + ': ' + message))`,
    )
    assert.match(
      String(message),
      /^MISSING_PACKAGE: @echelon\/(?:tools|offline) is not installed; run: npm install @echelon\/(?:tools|offline)@[\d.]+$/,
    )
  })
})

suite('the library with tools and offline models', () => {
  let folder = ''
  before(async () => {
    folder = await installed('tools', 'echelon', '@echelon/tools', '@echelon/offline')
  })

  const decide = (task: string): Promise<unknown> =>
    evaluate(
      folder,
      `import { createDecider } from 'echelon'
      const { answer, verified, logs } = await (await createDecider()).runCase(${JSON.stringify(task)})
      const errors = logs.filter(({ error_code }) => error_code !== undefined)
      const said = errors.map(({ output_summary }) => output_summary)
      console.log(JSON.stringify({ answer, verified, said }))`,
    )

  test('computes and plots', async (context) => {
    assert.deepEqual(await decide(SUM), { answer: '345', verified: true, said: [] })
    assert.match(JSON.stringify(await decide(STOCK)), /"verified":true,"said":\[\]/)
    context.diagnostic(`npm i echelon @echelon/tools @echelon/offline: ${megabytesOf(folder)}`)
  })
})

suite('the types', () => {
  let folder = ''
  before(async () => {
    folder = await everything
  })

  const compile = async (program: string, types: string): Promise<string> => {
    writeFileSync(join(folder, 'program.mts'), program)
    const options = '--strict --noEmit --skipLibCheck false --module nodenext --target esnext'
    const args = [...options.split(' '), '--types', types, 'program.mts']
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), args, folder)
    return stdout
  }

  const importing = (doors: readonly string[]): string =>
    doors.map((door, n) => `export * as door${n} from '${door}'`).join('\n')

  test('of every door compile without skipLibCheck', async () => {
    const doors = PACKAGES.filter((name) => name !== '@echelon/cli').flatMap((name) =>
      doorsOf(folder, name),
    )
    assert.ok(doors.length > 20)
    const ours = (await compile(importing(doors), 'node'))
      .split('\n')
      .filter((line) => /^(?:program|node_modules\/@?echelon)/.test(line))
    assert.deepEqual(ours, [])
    assert.doesNotMatch(await compile(CONSUMER, 'node'), /^(?:program|node_modules\/@?echelon)/m)
  })

  test("of the library need Node's only where docs/packages.md says so", async () => {
    const needing = ['echelon/testing']
    const others = doorsOf(folder, 'echelon').filter(
      (door) => !needing.includes(door) && !door.includes('/internal/'),
    )
    assert.equal(await compile(importing(others), ''), '')
    for (const door of needing) assert.match(await compile(importing([door]), ''), /for node/, door)
  })
})

/** The exported modules of a package, by their import names. */
function doorsOf(folder: string, name: string): readonly string[] {
  const file = join(folder, 'node_modules', name, 'package.json')
  const { exports } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.keys(exports)
    .filter((door) => exports[door].types !== undefined)
    .map((door) => `${name}${door.slice(1)}`)
}

/** The files that the support agent reads by default. */
const SHOP_FILES = [
  'config/intents.yaml',
  'config/messages.tsv',
  'config/policies.yaml',
  'config/trained/follow-ups.bin',
  'config/trained/replies.bin',
  'config/trained/requests.bin',
  'config/trained/sections.bin',
  'data/customers.json',
  'data/orders.json',
  'knowledge/account.md',
  'knowledge/asked.tsv',
  'knowledge/cancelling.md',
  'knowledge/contact.md',
  'knowledge/delivery.md',
  'knowledge/payment.md',
  'knowledge/refunds.md',
  'knowledge/returns.md',
]
