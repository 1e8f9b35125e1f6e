import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { toolNames } from './tool-names.ts'

test('a name is made of the server and the tool', () => {
  const names = toolNames('files', ['read_file', 'list-all'])
  assert.deepEqual([...names.values()], ['files_read_file', 'files_list-all'])
})

test('invalid characters are replaced, and the names stay unique', () => {
  const names = [...toolNames('s', ['a b', 'a.b', 'a_b', 'Größe']).values()]
  assert.equal(names[2], 's_a_b')
  assert.match(names[0] ?? '', /^s_a_b_[0-9a-f]{8}$/)
  assert.match(names[1] ?? '', /^s_a_b_[0-9a-f]{8}$/)
  assert.equal(names[3], 's_Gr__e')
  assert.equal(new Set(names).size, 4)
})

test('names are valid and unique for any names of a server', () => {
  const server = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,31}$/)
  const tools = fc.uniqueArray(fc.string({ maxLength: 100 }), { maxLength: 20 })
  fc.assert(
    fc.property(server, tools, (server, tools) => {
      const names = [...toolNames(server, tools).values()]
      assert.equal(new Set(names).size, tools.length)
      for (const name of names) assert.match(name, /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/)
    }),
  )
})
