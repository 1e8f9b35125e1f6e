import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { compile, ROOT, tsc } from './compile.ts'

/** Slow editors are a common complaint, and type instantiations cause them. */
const MOST_INSTANTIATIONS = 12_000
const TOOLS = 30
const MIDDLEWARES = 10

const home = mkdtempSync(join(tmpdir(), 'echelon-types-'))
after(() => rmSync(home, { recursive: true, force: true }))

/** Writes the library as it is published, declarations only. */
async function declare(): Promise<void> {
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'))
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
  const project = ['-p', 'packages/echelon/tsconfig.build.json']
  const args = [...project, '--emitDeclarationOnly', '--outDir', join(home, 'dist')]
  assert.equal(await tsc(args), '')
}

let declared: Promise<void> | undefined

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n)

/** Schemas without a library, so that only our own types are measured. */
const HEAD = `
import { AgentBuilder, createAgent, defineMiddleware, defineTool, type ToolSpec } from './dist/chat.js'
declare function schema<T>(): ToolSpec<T>['input']
${numbers(TOOLS)
  .map(
    (n) => `const t${n} = defineTool({ name: 'tool${n}', description: 'x',
  input: schema<{ city: string, n${n}: number }>(), run: (input) => input.city + input.n${n} })`,
  )
  .join('\n')}
${numbers(MIDDLEWARES)
  .map(
    (n) => `const m${n} = defineMiddleware({ name: 'mw${n}', state: { version: 1,
  schema: schema<{ count${n}: number, at: number | null, tags: string[] }>(),
  initial: { count${n}: 0, at: null, tags: [] } },
  generate: (call, next, { update }) => {
    update((state) => ({ ...state, count${n}: state.count${n} + 1 }))
    return next(call)
  } })`,
  )
  .join('\n')}
`

const TAIL = `
export const read = async (): Promise<number> =>
  (await agent.run('hi').result).state.middleware.mw9.count9
// @ts-expect-error no such state
export const wrong = async () => (await agent.run('hi').result).state.middleware.nothing
`

const list = (prefix: string, count: number, call = ''): string =>
  numbers(count)
    .map((n) => `${prefix}${n}${call}`)
    .join(', ')

const STYLES = {
  'the builder, a call each': `const agent = new AgentBuilder().model('p/m')
  ${numbers(TOOLS)
    .map((n) => `.tool(t${n})`)
    .join('')}
  ${numbers(MIDDLEWARES)
    .map((n) => `.use(m${n}())`)
    .join('')}.build()`,
  'the builder, all at once': `const agent = new AgentBuilder().model('p/m')
  .tools(${list('t', TOOLS)}).use(${list('m', MIDDLEWARES, '()')}).build()`,
  'the plain object': `const agent = createAgent({ model: 'p/m',
  tools: [${list('t', TOOLS)}], use: [${list('m', MIDDLEWARES, '()')}] })`,
}

for (const [style, body] of Object.entries(STYLES)) {
  test(`${TOOLS} tools and ${MIDDLEWARES} middlewares are cheap for the compiler: ${style}`, async (t) => {
    await (declared ??= declare())
    writeFileSync(join(home, 'program.ts'), HEAD + body + TAIL)
    const flags = ['--isolatedDeclarations', 'false', '--declaration', 'false', '--types', '']
    const told = await compile(
      'program.ts',
      [...flags, '--singleThreaded', '--extendedDiagnostics'],
      home,
    )
    assert.doesNotMatch(told, /error TS/)
    const count = Number(/^Instantiations:\s+(\d+)/m.exec(told)?.[1])
    t.diagnostic(`${count} instantiations`)
    assert.ok(count <= MOST_INSTANTIATIONS, `${count} instantiations of ${MOST_INSTANTIATIONS}`)
  })
}
