import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { quoted, startedBy } from './started-as.ts'

test('hints name the command as it was started', () => {
  const clone = { npm_lifecycle_event: 'start', npm_package_name: 'echelon-workspace' }
  assert.equal(startedBy(clone), 'npm start --silent --')
  assert.equal(startedBy({}), 'echelon')
  assert.equal(startedBy({ ...clone, npm_lifecycle_event: 'test' }), 'echelon')
  assert.equal(startedBy({ ...clone, npm_package_name: 'a-shop' }), 'echelon')
})

test('quotes a word that the shell would split', () => {
  assert.equal(quoted('a-b.c'), 'a-b.c')
  assert.equal(quoted("it's mine"), "'it'\\''s mine'")
})

/** Commands that a hint may name. */
const HINT =
  /(?<![\w$/.@-])echelon (?:chat|runs|eval|decide|intent|support|knowledge|tools|config|skills|replay|assist|state|backup|costs|audit|providers)\b/
const isComment = (line: string): boolean => /^\s*(?:\/\*\*|\*|\/\/)/.test(line)
/** The name of the program, as a greeting shows it. */
const isTitle = (line: string): boolean => line.includes("pc.bold('echelon ")

test('no hint names a command that a clone does not have', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const named = files
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^testing/.test(file))
    .flatMap((file) =>
      readFileSync(join(import.meta.dirname, file), 'utf8')
        .split('\n')
        .filter((line) => HINT.test(line) && !isComment(line) && !isTitle(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
  assert.deepEqual(named, [])
})
