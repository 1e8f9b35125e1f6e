import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ERRORS } from '../packages/echelon/src/core/value/error.ts'
import { ROOT } from './compile.ts'

const PAGES = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
const OTHER_PAGES = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'AGENTS.md']

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

const GUIDE = readFileSync(join(ROOT, 'docs/agent-core.md'), 'utf8')

/** The rows of a section's last table, by their first column. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = GUIDE.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^\| `([^`]+)` +\| (.*?) +\|$/gm)].map(([, ...row]) => row)
}

test('the guide lists exactly the events', () => {
  const source = readFileSync(join(ROOT, 'packages/echelon/src/core/agent/event.ts'), 'utf8')
  const events = [...source.matchAll(/readonly type: '([a-z-]+)'/g)].map(([, type]) => type)
  assert.ok(events.length > 10)
  assert.deepEqual(
    rowsOf('Events').map(([event]) => event),
    events,
  )
})

test('the guide lists every error with the description from the code', () => {
  assert.deepEqual(rowsOf('Errors that are thrown'), Object.entries(ERRORS))
})

/** Every relative link of a page must have a target. */
const linksOf = (page: string): readonly string[] =>
  [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g),
  ].map(([, target = '']) => join(page, '..', target))

test('every link in docs and root pages has a target', () => {
  const links = [...PAGES, ...OTHER_PAGES].flatMap(linksOf)
  assert.ok(links.length > 10)
  assert.deepEqual(
    links.filter((target) => globSync(target, { cwd: ROOT }).length === 0),
    [],
  )
})

test('the files that ARCHITECTURE names exist', () => {
  const page = textOf('ARCHITECTURE.md')
  const names = [...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name)
  assert.ok(names.length > 20)
  const places = (name: string): string[] => [name, `packages/echelon/src/${name}`]
  assert.deepEqual(
    names.filter((name) => globSync(places(name), { cwd: ROOT }).length === 0),
    [],
  )
  assert.ok(page.split('\n').length <= 124)
})

test('the runtime files that the internals page names exist', () => {
  const page = textOf('docs/internals.md')
  const [, table = ''] = page.split('| files in `packages/echelon/src/runtime/`')
  const [own = ''] = table.split('\n\n')
  const names = [...own.matchAll(/`([a-z/-]+)`/g)].map(
    ([, name]) => `packages/echelon/src/runtime/${name}.ts`,
  )
  assert.ok(names.length > 20)
  assert.deepEqual(
    names.filter((file) => globSync(file, { cwd: ROOT }).length === 0),
    [],
  )
})

test("git ignores the output of the pages' commands", () => {
  const pages = [
    'README',
    'docs/getting-started',
    'docs/command-line',
    'docs/overview',
    'docs/evaluation',
  ]
  const text = pages.map((page) => textOf(`${page}.md`)).join('\n')
  const named = [...text.matchAll(/(?: backup| --record| --out| >) (?<file>[\w.-]+)/g)]
  const files = named
    .map(({ groups }) => groups?.['file'] ?? '')
    .filter((file) => file === 'out' || /\.\w+$/.test(file))
  assert.ok(files.includes('echelon-backup.db') && files.includes('config.yaml'), files.join())
  const usual = ['.echelon/echelon.db', 'artifacts/plot.png', 'memory/plans.json', '.mcp.json']
  for (const file of [...files, ...usual, 'out/bench.json']) {
    const path = file === 'out' ? 'out/metrics.json' : file
    const { status } = spawnSync('git', ['check-ignore', '--no-index', '-q', path], { cwd: ROOT })
    // 128: not a clone, so nothing can be committed.
    assert.ok(status === 0 || status === 128, file)
  }
})

test('the README fits two screens and names the two commands of a clone', () => {
  const readme = textOf('README.md')
  assert.ok(readme.split('\n').length <= 121)
  assert.ok(readme.includes('npm ci && npm start -- decide "What is 15 * 23?"'))
  assert.match(readme, /^npm cit\b/m)
  assert.ok(textOf('AGENTS.md').split('\n').length <= 61)
})

test('each script in the pages is one of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const named = [...PAGES, ...OTHER_PAGES].flatMap((page) =>
    [...textOf(page).matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, script = '']) => script),
  )
  assert.deepEqual(
    named.filter((script) => !Object.hasOwn(scripts, script)),
    [],
  )
  const pages = ['docs/tests.md', 'docs/figures.md'].map(textOf).join('\n')
  for (const script of ['attacks', 'test:long', 'check', 'security', 'bench']) {
    assert.ok(pages.includes(`npm run ${script}`), `no page names npm run ${script}`)
  }
})
