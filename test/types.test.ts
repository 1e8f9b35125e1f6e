import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { compile, ROOT } from './compile.ts'

const AGENT = 'test/agent-types.ts'
const CAPABILITY = 'test/capability-types.ts'
const STATE = 'test/state-types.ts'
const LAYER = 'test/assist/layer-types.ts'

const EXAMPLES = globSync('examples/**/*.ts', { cwd: ROOT }).map(textOf)

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/**
 * The programs of the pages, a section each, whose blocks may have imports. `npm run types` compiles the examples,
 * so blocks of examples are left out.
 */
const PROGRAMS = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })].flatMap((page) =>
  textOf(page)
    .split(/^(?=## )/m)
    .flatMap((section, index) => {
      const blocks = [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
      const isExample = blocks.every((block) => EXAMPLES.some((one) => one.includes(block)))
      const name = `${basename(page, '.md')}-${index}.ts`
      return isExample ? [] : [{ name, code: `${blocks.join('\n')}\nexport {}\n` }]
    }),
)

/** Packages in the pages' examples that do not exist. */
const IMAGINED = `
declare module 'acme-ai-provider' {
  import type { VendorService } from 'echelon/providers'
  export function createAcme(options: object): VendorService
}`

const home = mkdtempSync(join(tmpdir(), 'echelon-documents-'))
after(() => rmSync(home, { recursive: true, force: true }))

/** One run of the compiler for all pages, since most of its time goes to what each of them imports. */
let compiled: Promise<readonly string[]> | undefined

const compiledLines = (): Promise<readonly string[]> => (compiled ??= compileAll())

async function compileAll(): Promise<readonly string[]> {
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'))
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(home, 'imagined.d.ts'), IMAGINED)
  for (const { name, code } of PROGRAMS) writeFileSync(join(home, name), code)
  const programs = ['imagined.d.ts', ...PROGRAMS.map(({ name }) => name)]
  const files = [CAPABILITY, STATE, LAYER, ...programs.map((name) => join(home, name))]
  const said = await compile(AGENT, files)
  // Further lines of an error are indented.
  return said.split('\n').filter((line) => line !== '' && !line.startsWith(' '))
}

const TYPES = [AGENT, CAPABILITY, STATE, LAYER]

test('every program in README and docs compiles against the public doors', async () => {
  assert.ok(PROGRAMS.length > 9)
  const lines = await compiledLines()
  assert.deepEqual(
    lines.filter((line) => !TYPES.some((page) => line.startsWith(page))),
    [],
  )
})

/** Each line that a page marks must be an error, and no other line. */
async function checkTypes(page: string, leastErrors: number): Promise<void> {
  const marked = readFileSync(join(ROOT, page), 'utf8').match(/@ts-expect-error/g) ?? []
  assert.ok(marked.length >= leastErrors)
  const lines = await compiledLines()
  assert.deepEqual(
    lines.filter((line) => line.startsWith(page)),
    [],
  )
}

test('[C-8] the states of middleware are typed by registering it, and slips do not compile', async () => {
  await checkTypes(AGENT, 10)
})

test('what an actor may not do does not compile, and what it may does', async () => {
  await checkTypes(CAPABILITY, 20)
})

test('[C-27] a state is typed by its schema, without a cast or a key, and cannot be changed in place', async () => {
  assert.doesNotMatch(readFileSync(join(ROOT, STATE), 'utf8'), /\bas\b|\['counter'\]|\bany\b/)
  await checkTypes(STATE, 10)
})

test('[L-10, L-11, L-13] forbidden effects and inputs of a layer do not compile', async () => {
  await checkTypes(LAYER, 18)
})
