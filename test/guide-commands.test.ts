import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const GUIDES = join(import.meta.dirname, '../docs/guides')

test('a guide that uses the command says first what it is in a clone', () => {
  const using = globSync('*.md', { cwd: GUIDES })
    .map((name) => ({ name, text: readFileSync(join(GUIDES, name), 'utf8') }))
    .filter(({ text }) => /(?:^|`)echelon [a-z]/m.test(text))
  assert.ok(using.length > 0)
  for (const { name, text } of using) {
    const [, first = ''] = text.split('\n\n')
    assert.match(first, /npm start --silent --/, name)
  }
})
