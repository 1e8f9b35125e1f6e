import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { bundle } from '../../lab/benchmarks/agent/built.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCE = join(ROOT, 'packages/echelon/src')
const { exports } = JSON.parse(readFileSync(join(SOURCE, '../package.json'), 'utf8'))
const DOORS = Object.values(exports)
  .map((door) => (Object(door)['echelon-source'] ?? '').replace('./src/', ''))
  .filter((file: string) => file.endsWith('.ts'))
  .map((file: string) => file.slice(0, -3))

/** The JSON output of a program in its own process. */
function evaluate(program: string, ...options: readonly string[]) {
  const args = [...options, '--input-type=module', '--eval', program]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }))
}

describe('[C-33] the published build', () => {
  let folder = ''
  before(() => {
    folder = bundle()
  })
  const built = (file: string): string => JSON.stringify(pathToFileURL(join(folder, file)).href)

  /** Every module that `then` loads after `first`. */
  const loadedBy = (then: string, first = ''): readonly string[] =>
    evaluate(`
      import { registerHooks } from 'node:module'
      ${first}
      const loaded = []
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
      ${then}
      console.log(JSON.stringify(loaded))`)

  test('the root door is a few files, and loads no package and no Node module', () => {
    const loaded = loadedBy(`await import(${built('index.js')})`)
    const home = pathToFileURL(folder).href
    assert.deepEqual(
      loaded.filter((url) => !url.startsWith(home)),
      [],
    )
    assert.ok(loaded.length <= 4, loaded.join('\n'))
  })

  test('importing it changes nothing in the process and reads no environment variable', () => {
    const { before, after, read, loaded } = evaluate(`
      const state = () => ({
        names: Object.getOwnPropertyNames(globalThis),
        listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
        active: process.getActiveResourcesInfo(),
      })
      const read = []
      process.env = new Proxy(process.env, { get: (env, name) => (read.push(name), env[name]) })
      const had = new Set(process.moduleLoadList)
      const before = state()
      await import(${built('index.js')})
      const after = state()
      const loaded = process.moduleLoadList.filter((name) => !had.has(name))
      console.log(JSON.stringify({ before, after, read, loaded }))`)
    assert.deepEqual(after, before)
    // Node itself reads this one whenever it loads a module.
    assert.deepEqual(
      [...new Set(read)].filter((name) => name !== 'WATCH_REPORT_DEPENDENCIES'),
      [],
    )
    const heavy = /^NativeModule (?:crypto|zlib|http|net|child_process|worker_threads)\b/
    assert.deepEqual(
      loaded.filter((name: string) => heavy.test(name)),
      [],
    )
  })

  test('listing the providers loads nothing beyond the door that exports the list', () => {
    const first = `import { createRegistry, standardProviders } from ${built('providers.js')}`
    const list = 'if ((await createRegistry(standardProviders).list()).length < 15) throw 0'
    assert.deepEqual(loadedBy(list, first), [])
  })

  test('every door exports the same as from source', () => {
    const names = (base: string, ending: string): unknown => {
      const urls = DOORS.map((door) => pathToFileURL(join(base, `${door}${ending}`)).href)
      return evaluate(
        `const doors = await Promise.all(${JSON.stringify(urls)}.map((url) => import(url)))
        console.log(JSON.stringify(doors.map((door) => Object.keys(door).sort())))`,
        '--conditions=echelon-source',
      )
    }
    assert.deepEqual(names(folder, '.js'), names(SOURCE, '.ts'))
  })

  test('an export of several doors is the same object', () => {
    const same = evaluate(`
      const root = await import(${built('index.js')})
      const { AgentBuilder } = await import(${built('chat.js')})
      const { ToolError } = await import(${built('internal/tool.js')})
      const { defineMiddleware } = await import(${built('middleware.js')})
      const error = await root.createDecider({ small: 'x' }).catch((thrown) => thrown)
      console.log(JSON.stringify([
        root.AgentBuilder === AgentBuilder,
        root.ToolError === ToolError,
        root.defineMiddleware === defineMiddleware,
        error instanceof root.EchelonError,
      ]))`)
    assert.deepEqual(same, [true, true, true, true])
  })

  test("a worker's module is a file where the code that starts it expects it", () => {
    const addresses = globSync('*.js', { cwd: folder }).flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return [
        ...text.matchAll(/workerModule\(new URL\("(.+?)", import\.meta\.url\)\.href, "(.+?)\.ts"/g),
      ].map(([, base = '', path = '']) => join(folder, base, '..', `${path}.js`))
    })
    assert.ok(addresses.length >= 3)
    assert.deepEqual(
      addresses.filter((file) => !existsSync(file)),
      [],
    )
  })
})
