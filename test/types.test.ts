import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compile, ROOT } from './compile.ts'

const AGENT = 'test/agent-types.ts'
const CAPABILITY = 'test/capability-types.ts'
const STATE = 'test/state-types.ts'
const LAYER = 'test/assist/layer-types.ts'

/** One run of the compiler for all pages, since most of its time goes to what each of them imports. */
let compiled: Promise<readonly string[]> | undefined

const compiledLines = (): Promise<readonly string[]> =>
  (compiled ??= compile(AGENT, [CAPABILITY, STATE, LAYER]).then((said) => said.split('\n')))

/** Each line that a page marks must be an error, and no other line. */
async function checkTypes(page: string, leastErrors: number): Promise<void> {
  const marked = readFileSync(join(ROOT, page), 'utf8').match(/@ts-expect-error/g) ?? []
  assert.ok(marked.length >= leastErrors)
  const lines = await compiledLines()
  const elsewhere = [AGENT, CAPABILITY, STATE, LAYER].filter((one) => one !== page)
  assert.deepEqual(
    lines.filter((line) => line !== '' && !elsewhere.some((one) => line.startsWith(one))),
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
