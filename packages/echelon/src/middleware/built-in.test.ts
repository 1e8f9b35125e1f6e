import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { checkStateShapes } from '../testing/check-state-shapes.ts'
import { builtInMiddleware } from './built-in.ts'

const FOLDER = import.meta.dirname

describe('the built-in middleware', () => {
  test('[C-29] keeps its state shapes or raises their versions', () => {
    // UPDATE_STATE_SHAPES=1 updates the file where that is allowed.
    checkStateShapes(join(FOLDER, 'state-shapes.json'), builtInMiddleware(), {
      update: process.env['UPDATE_STATE_SHAPES'] === '1',
    })
  })

  test('lists every file that defines middleware with a state', () => {
    const defined = globSync('**/*.ts', { cwd: FOLDER })
      // A history middleware needs a limit to be created.
      .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('history'))
      .map((file) => readFileSync(join(FOLDER, file), 'utf8'))
      .flatMap((source) => [
        ...source.matchAll(/defineMiddleware\(\{\s*name: '(?<name>\w+)',[^{}]*?state:/g),
      ])
      .map(({ groups }) => groups?.['name'])
    const listed = builtInMiddleware().map(({ name }) => name)
    assert.deepEqual(
      defined.toSorted((a = '', b = '') => (a < b ? -1 : 1)),
      listed.toSorted(),
    )
    assert.ok(builtInMiddleware().every(({ slot }) => slot !== undefined))
  })
})
