import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import test from 'node:test'

const ROOT = join(import.meta.dirname, '..')

interface Room {
  readonly folder: string
  readonly may: readonly string[]
}

const LIBRARY = 'packages/echelon/src'

/** A room of the library is named by its path in it. */
function inLibrary(name: string): string {
  if (name === 'rooms') return LIBRARY
  return name === 'npm' || name === 'node:' || name.startsWith('@') ? name : `${LIBRARY}/${name}`
}

/** The rooms of the library, parsed from the page that describes it, innermost first. */
function rooms(): readonly Room[] {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const [, table = ''] = page.split('\n| room ')
  const [own = ''] = table.split('\n\n')
  const may = new Map<string, readonly string[]>()
  // A room may have several rows.
  for (const [, room = '', names = ''] of own.matchAll(/^\| `([\w/.]+)\/` +\|.*\|([^|]*)\|$/gm)) {
    const folder = room === '.' ? LIBRARY : inLibrary(room)
    const more = [...names.matchAll(/`([^`]+)`( types)?/g)].map(
      ([, name = '', types = '']) => inLibrary(name) + types,
    )
    may.set(folder, [...(may.get(folder) ?? []), ...more])
  }
  return [...may]
    .map(([folder, allowed]) => ({ folder, may: allowed }))
    .sort((a, b) => b.folder.length - a.folder.length)
}

const inside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`)

interface Import {
  readonly from: string
  readonly typeOnly: boolean
}

/** Static and dynamic imports, re-exports and worker modules, as text. */
function importsOf(source: string): readonly Import[] {
  const code = source.replaceAll(/^\s*(?:\*|\/\/|\/\*).*$/gm, '')
  const statics = code.matchAll(
    /(?:^|\n)\s*(import|export)\s+(type\s)?(?:[\w*{][^'"`;]*?\sfrom\s+)?'([^']+)'/g,
  )
  const dynamics = code.matchAll(/\bimport\(\s*'([^']+)'/g)
  return [
    ...[...statics].map(([, , type, from = '']) => ({ from, typeOnly: type !== undefined })),
    ...[...dynamics].map(([, from = '']) => ({ from, typeOnly: false })),
  ]
}

/** Resolves a specifier to the table's terms: a path below the root, `node:`, or a package. */
function target(file: string, from: string): string {
  if (from.startsWith('node:')) return 'node:'
  if (from.startsWith('.')) return relative(ROOT, join(ROOT, dirname(file), from))
  const parts = from.split('/')
  return from.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? from)
}

function allows(rule: string, to: string, one: Import): boolean {
  if (rule.endsWith(' types')) return one.typeOnly && to === rule.slice(0, -' types'.length)
  if (rule === 'npm') return !to.includes('.ts') && to !== 'node:' && to !== 'echelon'
  return inside(to, rule)
}

const EXTRA_FOR_TESTS = [
  `${LIBRARY}/testing`,
  `${LIBRARY}/host`,
  `${LIBRARY}/compose`,
  'packages',
  'test/share.ts',
  'node:',
  'npm',
]

function breaches(): readonly string[] {
  const house = rooms()
  const files = globSync(['packages/echelon/src/**/*.ts'], {
    cwd: ROOT,
  })
  assert.ok(files.length > 50, 'the house is empty: the globs are wrong')
  return files.flatMap((file) => {
    const room = house.find(({ folder }) => inside(file, folder))
    if (room === undefined) return [`${file} is in no room of ARCHITECTURE.md`]
    const isOfTests = file.endsWith('.test.ts') || file.endsWith('/in-tests.ts')
    const may = isOfTests ? [...room.may, ...EXTRA_FOR_TESTS] : room.may
    return importsOf(readFileSync(join(ROOT, file), 'utf8')).flatMap((one) => {
      const to = target(file, one.from)
      const isOwn =
        inside(to, room.folder) && house.find(({ folder }) => inside(to, folder)) === room
      const isAllowed = isOwn || may.some((rule) => allows(rule, to, one))
      return isAllowed ? [] : [`${file} may not import ${one.from}`]
    })
  })
}

test('every import inside the library respects the boundaries in ARCHITECTURE.md', () => {
  assert.deepEqual(breaches(), [])
})

/** The packages that a package may import by name: itself, and those in its manifest. */
function namedIn(folder: string): ReadonlySet<string> {
  const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const { name, dependencies, peerDependencies, devDependencies } = manifest
  const given = { ...dependencies, ...peerDependencies }
  // Bundled packages are development dependencies.
  return new Set([name, ...Object.keys({ ...given, ...devDependencies })])
}

test('a package imports others by name, and only those in its manifest', () => {
  const folders = [...globSync('packages/*', { cwd: ROOT }), 'cli', 'studio']
  assert.ok(folders.length > 10)
  const wrong = folders.flatMap((folder) => {
    const named = namedIn(folder)
    const files = globSync(`${folder}/src/**/*.{ts,tsx}`, {
      cwd: ROOT,
      exclude: (file) => /\.test\.ts$|\/testing\/|in-tests|trial/.test(file),
    })
    return files.flatMap((file) =>
      importsOf(readFileSync(join(ROOT, file), 'utf8')).flatMap(({ from }) => {
        const to = target(file, from)
        const isAllowed = to === 'node:' || named.has(to) || inside(to, folder)
        return isAllowed ? [] : [`${file} may not import ${from}`]
      }),
    )
  })
  assert.deepEqual(wrong, [])
})

test('the Studio talks to the server over HTTP alone: of our packages it imports the client', () => {
  const files = globSync('studio/src/**/*.{ts,tsx}', { cwd: ROOT })
  assert.ok(files.length > 30)
  const ours = files.flatMap((file) =>
    importsOf(readFileSync(join(ROOT, file), 'utf8'))
      .map(({ from }) => from)
      .filter((from) => /^@?echelon/.test(from)),
  )
  assert.deepEqual([...new Set(ours)], ['echelon/client'])
})

/** The files that the `exports` of the packages name. */
function doors(): readonly string[] {
  return globSync('packages/*/package.json', { cwd: ROOT }).flatMap((file) => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
    return Object.values(exports)
      .map((door) => String(Object(door)['echelon-source'] ?? ''))
      .filter((door) => door.endsWith('.ts'))
      .map((door) => join(dirname(file), door))
  })
}

/** Code in a door other than `export … from`. */
const besidesExports = (source: string): string =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replaceAll(/^export (?:type )?(?:\*(?: as \w+)?|\{[\w\s,]*\}) from '[^'\n]+';?[ \t]*$/gm, '')
    .trim()

test('a door contains nothing but `export … from`', () => {
  const found = doors()
  assert.ok(found.length > 40, 'the doors were not found')
  const wrong = found.filter(
    (file) => besidesExports(readFileSync(join(ROOT, file), 'utf8')) !== '',
  )
  assert.deepEqual(wrong, [])
  // Every file directly below the root of the library is a door.
  const beside = globSync('packages/echelon/src/*.ts', { cwd: ROOT })
  assert.deepEqual(
    beside.filter((file) => !found.includes(file)),
    [],
  )
})

test('detects code in a door', () => {
  const kept = `/** A door. */\nexport { a, type B as C } from './a.ts' // all of it\nexport type { D } from 'd'`
  assert.equal(besidesExports(kept), '')
  for (const code of [
    `import { a } from './a.ts'`,
    'export const a = 1',
    'export { a }',
    `import './a.ts'`,
  ]) {
    assert.notEqual(besidesExports(`${kept}\n${code}`), '', code)
  }
})

/** The files of import circles, or that lead into one, each with its imports among them. */
function circles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  // A file whose imports are all removed is not in a circle and is removed too.
  const left = new Map(graph)
  for (let size = -1; size !== left.size;) {
    size = left.size
    for (const [file, imports] of left) {
      if (!imports.some((to) => left.has(to))) left.delete(file)
    }
  }
  return [...left].map(([file, imports]) => [file, ...imports.filter((to) => left.has(to))])
}

test('no files of core import each other in a circle, types included', () => {
  const files = globSync('packages/echelon/src/core/**/*.ts', {
    cwd: ROOT,
    exclude: (file) => file.endsWith('.test.ts'),
  })
  assert.ok(files.length > 50)
  const graph = new Map(
    files.map((file) => [
      file,
      importsOf(readFileSync(join(ROOT, file), 'utf8')).map(({ from }) => target(file, from)),
    ]),
  )
  assert.deepEqual(circles(graph), [])
})

test('detects a circle, and accepts a tree', () => {
  const tree: readonly [string, readonly string[]][] = [
    ['a', ['b', 'c']],
    ['b', ['c', 'npm']],
    ['c', []],
  ]
  assert.deepEqual(circles(new Map(tree)), [])
  assert.equal(circles(new Map([...tree, ['c', ['a']]])).length, 3)
})

test('detects an import across a boundary of the table', () => {
  const core = rooms().find(({ folder }) => folder === 'packages/echelon/src/core')
  assert.ok(core !== undefined)
  const sneaky = importsOf(`import { readFileSync } from 'node:fs'\nawait import('mathjs')`)
  assert.equal(sneaky.length, 2)
  for (const one of sneaky) {
    const to = target('packages/echelon/src/core/x.ts', one.from)
    assert.ok(!core.may.some((rule) => allows(rule, to, one)), `${to} passed`)
  }
  const [runtime] = importsOf(`import { APICallError } from '@ai-sdk/provider'`)
  assert.ok(runtime !== undefined && !runtime.typeOnly)
  assert.ok(!core.may.some((rule) => allows(rule, '@ai-sdk/provider', runtime)))
})

test('no folder is called utils, common, helpers or misc', () => {
  const banned = globSync(
    '{packages,cli,test,examples,lab,studio}/**/{utils,util,common,helpers,misc}{,.ts}',
    { cwd: ROOT, exclude: ['**/node_modules/**'] },
  )
  assert.deepEqual(banned, [])
})

/** The source files that lie directly in each folder, without tests. */
function filesByFolder(): ReadonlyMap<string, readonly string[]> {
  const files = globSync('{packages/*,cli,lab,test,studio}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: (file) => /(^|\/)(node_modules|dist)$/.test(file),
  })
  const own = files.filter((file) => !/(^|\/)(node_modules|dist)\/|\.test\.ts$/.test(file))
  return Map.groupBy(own, (file) => dirname(file))
}

test('no folder holds more than 25 source files', () => {
  const folders = filesByFolder()
  assert.ok(folders.size > 100, 'the folders were not found')
  const wrong = [...folders].filter(([, files]) => files.length > 25)
  assert.deepEqual(
    wrong.map(([folder, { length }]) => `${folder}: ${length}`),
    [],
  )
})
