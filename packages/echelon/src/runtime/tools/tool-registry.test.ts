import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { defineTool, type Tool } from '../../core/tool/tool.ts'
import { ToolRegistry } from './tool-registry.ts'

const tool = (name: string): Tool =>
  defineTool({ name, description: '', input: z.object({}), run: () => null })
const [a, b, c] = [tool('a'), tool('b'), tool('c')]
const names = (registry: ToolRegistry): string[] => registry.list().map(({ name }) => name)

test('finds tools by name and lists them in order', () => {
  const registry = new ToolRegistry([c, a, b])
  assert.equal(registry.find('b'), b)
  assert.equal(registry.find('constructor'), undefined)
  assert.deepEqual(names(registry), ['c', 'a', 'b'])
})

test('[R23.1] only allowed tools exist', () => {
  const registry = new ToolRegistry([a, b, c], { allow: ['b', 'other'] })
  assert.deepEqual(names(registry), ['b'])
  assert.equal(registry.find('a'), undefined)
  assert.deepEqual(names(new ToolRegistry([a], { allow: [] })), [])
})

test('[R23.2] denied tools do not exist, even if they are allowed', () => {
  const registry = new ToolRegistry([a, b], { allow: ['a', 'b'], deny: ['a'] })
  assert.deepEqual(names(registry), ['b'])
  assert.equal(registry.find('a'), undefined)
})

test('rejects two tools of the same name', () => {
  assert.throws(() => new ToolRegistry([a, tool('a')]), {
    code: 'INVALID_DEFINITION',
    message: /two tools are called a; rename one/,
  })
})
