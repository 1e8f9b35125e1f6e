import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as yaml from 'yaml'
import { parseYaml } from './parse-yaml.ts'

const errorsOf = (text: string, keys: 'string' | 'any' = 'string'): string[] => {
  const parsed = parseYaml(yaml, text, { keys })
  assert.ok(parsed)
  return parsed.document.errors.map(
    ({ code, pos }) => `${parsed.lines.linePos(pos[0]).line}: ${code}`,
  )
}

test('reports a duplicate key in a map, with its line', () => {
  assert.deepEqual(errorsOf('a: 1\nb: {c: 1,\n  c: 2}\na: 2\n'), [
    '3: DUPLICATE_KEY',
    '4: DUPLICATE_KEY',
  ])
  assert.deepEqual(errorsOf('a: {c: 1}\nb: {c: 1}\n'), [])
  assert.deepEqual(errorsOf('1: a\n"1": b\n', 'any'), [])
})

test('finds the same duplicates as the package', () => {
  for (const text of [
    'a: 1\na: 2',
    '{"a":1,"a":1}',
    '- {a: 1, "a": 2, b: 1}',
    '? [a]\n: 1\n? [a]\n: 2',
  ]) {
    const own = yaml.parseDocument(text, { logLevel: 'error' }).errors.map(({ code }) => code)
    const ours = parseYaml(yaml, text, { keys: 'any' })?.document.errors.map(({ code }) => code)
    assert.deepEqual(ours, own, text)
  }
})

test('reports a text that is nested too deeply as an error, or returns undefined', () => {
  for (const depth of [1_000, 100_000]) {
    const parsed = parseYaml(yaml, '['.repeat(depth), { keys: 'any' })
    assert.ok(parsed === undefined || parsed.document.errors.length > 0)
  }
})
