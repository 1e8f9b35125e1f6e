import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { READERS } from './all.ts'
import { EXCUSED } from './excused.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Signs that a module reads foreign text. A JSON round trip reads the program's own output. */
const SIGNS: Readonly<Record<string, RegExp>> = {
  'parses JSON': /JSON\.parse\((?!\s*JSON\.stringify)/,
  'parses with a package':
    /import\('(?:yaml|csv-parse[^']*|marked|mammoth|unpdf|yauzl|vfile-matter|node-html-parser|oas)'\)|from 'marked'|\bparseEnv\(/,
  'makes a regular expression of a text': /^[ \t]+(?:return |const \w+ = |void )?\[?new RegExp\(/m,
  'exports a reader of texts':
    /^export (?:async )?function (?:read|parse)[A-Z]\w*\(\s*(?:text|content|line|value|given|source|json|markdown|body|\w+: (?:string|unknown|Uint8Array|Buffer))\b/m,
}

const MODULES = globSync('{packages/*/src,cli/src}/**/*.ts', { cwd: ROOT }).filter(
  (path) => !/\.test\.ts$|\/trial\/|\/src\/testing\//.test(path),
)

const signsIn = (path: string): readonly string[] => {
  const source = readFileSync(join(ROOT, path), 'utf8')
  return Object.entries(SIGNS).flatMap(([what, sign]) => (sign.test(source) ? [what] : []))
}

const stands = (list: readonly string[], path: string): boolean =>
  list.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one))

suite('whatever reads what others wrote', () => {
  const tried = READERS.flatMap(({ of }) => of)

  test('is tried for time and by a fuzzer, or is excused with a reason', () => {
    const missing = MODULES.flatMap((path) => {
      const signs = signsIn(path)
      const isKnown = stands(tried, path) || stands(Object.keys(EXCUSED), path)
      return signs.length === 0 || isKnown ? [] : [`${path} ${signs.join(', and ')}`]
    })
    assert.deepEqual(missing, [], 'add them to a list of test/readers/, or to excused.ts')
  })

  test('lists existing modules, each once, and samples', () => {
    for (const path of [...tried, ...Object.keys(EXCUSED)]) {
      assert.ok(existsSync(join(ROOT, path)), `${path} is not there`)
    }
    const needless = Object.keys(EXCUSED).filter(
      (path) => !MODULES.some((one) => stands([path], one) && signsIn(one).length > 0),
    )
    assert.deepEqual(needless, [], 'these need no excuse any more')
    const names = READERS.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
    for (const { name, samples } of READERS) assert.ok(samples.length > 0, name)
  })

  test('is recognized by its code', () => {
    const found = (source: string): boolean =>
      Object.values(SIGNS).some((sign) => sign.test(source))
    for (const source of [
      'const value: unknown = JSON.parse(text)',
      "const { parse } = await import('csv-parse/sync')",
      '  const expression = new RegExp(pattern)',
      'export function readThing(text: string): Thing {',
      'export async function parseThing(source: Uint8Array) {',
    ]) {
      assert.ok(found(source), source)
    }
    assert.ok(!found('const copy = JSON.parse(JSON.stringify(value))'))
    assert.ok(!found('const WORD = new RegExp(`a|b`)'))
  })

  test('reads its samples without a hang or an unexpected error', async () => {
    for (const { name, read, samples, isApart } of READERS) {
      for (const sample of samples) {
        try {
          // One after the other: some share a file or a server.
          // oxlint-disable-next-line no-await-in-loop
          await read(sample)
        } catch (error) {
          const isOurs = error instanceof Error && ('code' in error || isApart === true)
          assert.ok(isOurs, `${name}: ${String(error)}`)
        }
      }
    }
  })
})
