import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const DOCS = join(ROOT, 'docs')
const PAGE = readFileSync(join(DOCS, 'requirements.md'), 'utf8')

interface Demand {
  readonly id: string
  readonly inPart: boolean
  /** Labels of the links in the column "kept in". */
  readonly keptIn: readonly string[]
}

/** The rows of every table whose first column is `id`. */
function demandsOf(page: string): readonly Demand[] {
  const tables = page.matchAll(/^\| id +\|.*\n\|[ -|]+\n((?:\|.*\n)+)/gm)
  return [...tables].flatMap(([, rows = '']) => rows.trim().split('\n').map(toDemand))
}

function toDemand(row: string): Demand {
  const [, id = '', demand = '', keptIn = ''] = row.split('|').map((cell) => cell.trim())
  const labels = [...keptIn.matchAll(/\[([^\]]+)\]/g)].map(([, label = '']) => label)
  return { id, inPart: demand.endsWith('(in part)'), keptIn: labels }
}

/** Targets of link labels, as listed at the foot of the page. */
const targetsOf = (page: string): ReadonlyMap<string, string> =>
  new Map(
    [...page.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, label = '', target = '']) => [
      label,
      target,
    ]),
  )

const ID = /^(?:R[1-9]\d?\.[1-9]|(?:DD|L|C|S)-[1-9]\d?)$/

/** Ids, correct or not, in square brackets within quotes. */
function idsInTitles(source: string): readonly string[] {
  const code = source.replaceAll(/^\s*(?:\*|\/\/|\/\*).*$/gm, '')
  const lists = code.matchAll(/(?<=['"`].*)\[((?:R|DD|[LCS])-?\d[^\]]*)\]/g)
  return [...lists].flatMap(([, list = '']) => list.split(',').map((id) => id.trim()))
}

/** Each id in a title, with its files. */
function titles(): ReadonlyMap<string, readonly string[]> {
  const files = globSync('{packages/*/src,cli/src,test,lab}/**/*.{test,e2e}.ts', { cwd: ROOT })
  assert.ok(files.length > 10, 'there are no tests: the glob is wrong')
  const named = files.flatMap((file) =>
    idsInTitles(readFileSync(join(ROOT, file), 'utf8')).map((id) => ({ id, file })),
  )
  return new Map(
    Map.groupBy(named, ({ id }) => id)
      .entries()
      .map(([id, all]) => [id, [...new Set(all.map(({ file }) => file))]]),
  )
}

const DEMANDS = demandsOf(PAGE)
const TARGETS = targetsOf(PAGE)
const LISTED: ReadonlySet<string> = new Set(DEMANDS.map(({ id }) => id))

test('every row of the page has an id of its own', () => {
  assert.ok(DEMANDS.length > 100, `only ${DEMANDS.length} rows are read: the tables have changed`)
  const ids = DEMANDS.map(({ id }) => id)
  const malformed = ids.filter((id) => !ID.test(id))
  assert.deepEqual(malformed, [])
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index)
  assert.deepEqual(repeated, [])
})

test('every requirement has a file, and every linked file exists', () => {
  const nowhere = DEMANDS.filter(({ keptIn }) => keptIn.length === 0).map(({ id }) => id)
  assert.deepEqual(nowhere, [])
  const used = new Set(DEMANDS.flatMap(({ keptIn }) => keptIn))
  const undefinedLabels = [...used.difference(new Set(TARGETS.keys()))]
  assert.deepEqual(undefinedLabels, [])
  const unusedLabels = [...new Set(TARGETS.keys()).difference(used)]
  assert.deepEqual(unusedLabels, [])
  const inline = [...PAGE.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target)
  const broken = [...TARGETS.values(), ...inline].filter(
    (target) => !target.startsWith('../') || !existsSync(join(DOCS, target)),
  )
  assert.deepEqual(broken, [])
})

test('only partly met requirements say how far', () => {
  const inPart = DEMANDS.filter((demand) => demand.inPart).map(({ id }) => id)
  const explained = [...PAGE.matchAll(/^- \*\*([A-Z][^*]+)\*\*: /gm)].map(([, id = '']) => id)
  assert.deepEqual(explained.toSorted(), inPart.toSorted())
})

test('no test title names an id that the page does not list', () => {
  const unknown = [...titles()]
    .filter(([id]) => !LISTED.has(id))
    .map(([id, files]) => `${id} in ${files.join(', ')}`)
  assert.equal(unknown.length, 0, `docs/requirements.md does not list:\n${unknown.join('\n')}`)
})

test('every requirement of the page is named by a test title', () => {
  const missing = [...LISTED.difference(new Set(titles().keys()))]
  assert.equal(missing.length, 0, `no test names ${missing.join(', ')}`)
})

test('detects a wrong row and a wrong id, and ignores comments', () => {
  const page =
    '| id | demand | kept in |\n| --- | --- | --- |\n| R1 | x (in part) | [a], [b] |\n| R1 | y | |\n'
  assert.deepEqual(demandsOf(page), [
    { id: 'R1', inPart: true, keptIn: ['a', 'b'] },
    { id: 'R1', inPart: false, keptIn: [] },
  ])
  for (const wrong of ['R1', 'R0.1', 'R1.23', 'DD6', 'X-1']) assert.doesNotMatch(wrong, ID)
  for (const right of ['R1.2', 'R25.5', 'DD-8', 'C-17']) assert.match(right, ID)
  const bracket = (id: string): string => `[${id}]`
  const source = [
    `test('${bracket('R6.4')} ${bracket('DD-8, R9.2')} title', run)`,
    `  "it's ${bracket('DD6')}": rows,`,
    ` * a comment that quotes '${bracket('R9.9')}'`,
    `const first = list${bracket('R1')}`,
  ]
  assert.deepEqual(idsInTitles(source.join('\n')), ['R6.4', 'DD-8', 'R9.2', 'DD6'])
})
