import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { z } from 'zod'
import { defineMiddleware } from '../core/extension/define-middleware.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import { checkStateShapes } from './check-state-shapes.ts'

const counter = (version = 1) =>
  defineMiddleware({
    name: 'counter',
    state: { version, schema: z.object({ count: z.number() }), initial: { count: 0 } },
  })()

const renamed = (version: number): Middleware =>
  defineMiddleware({
    name: 'counter',
    state: { version, schema: z.object({ counts: z.number() }), initial: { counts: 0 } },
  })()

const wider = defineMiddleware({
  name: 'counter',
  state: {
    version: 1,
    schema: z.object({ count: z.number(), reason: z.string().optional() }),
    initial: { count: 0 },
  },
})()

const stateless = defineMiddleware({ name: 'stateless' })()

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'shapes-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'shapes.json')
}

describe('the committed shapes of states', () => {
  test('are written on an update, and checked from then on', (t) => {
    const file = fileFor(t)
    const middlewares = [counter(), stateless]
    assert.throws(() => checkStateShapes(file, middlewares), {
      code: 'STATE_REFUSED',
      message: /is behind the states of app\/counter; run this once with update: true/,
    })
    checkStateShapes(file, middlewares, { update: true })
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
      'app/counter': { version: 1, shape: ['count: number'] },
    })
    checkStateShapes(file, middlewares)
  })

  test('[C-29] reject a change without a new version, even on an update', (t) => {
    const file = fileFor(t)
    checkStateShapes(file, [counter()], { update: true })
    const before = readFileSync(file, 'utf8')
    for (const update of [false, true]) {
      assert.throws(() => checkStateShapes(file, [renamed(1)], { update }), {
        code: 'STATE_REFUSED',
        message: /app\/counter has another shape but still version 1/,
      })
    }
    assert.equal(readFileSync(file, 'utf8'), before)
    checkStateShapes(file, [renamed(2)], { update: true })
    checkStateShapes(file, [renamed(2)])
  })

  test('ask for an update if the file is out of date, so that the next change is noticed', (t) => {
    const file = fileFor(t)
    checkStateShapes(file, [counter()], { update: true })
    for (const middlewares of [[wider], [counter(2)], []]) {
      assert.throws(() => checkStateShapes(file, middlewares), {
        code: 'STATE_REFUSED',
        message: /is behind the states of app\/counter;/,
      })
    }
    checkStateShapes(file, [wider], { update: true })
    assert.throws(() => checkStateShapes(file, [counter()], { update: true }), {
      message: /reason\?: string is gone/,
    })
  })

  test('distinguish a file without shapes from a missing one', (t) => {
    const file = fileFor(t)
    const wrong = [
      'no json',
      '[]',
      '{"app/counter": 1}',
      '{"app/counter": { "version": 1, "shape": ["no line"] }}',
      '{"app/counter": { "version": 1.5, "shape": [] }}',
    ]
    for (const text of wrong) {
      writeFileSync(file, text)
      for (const update of [false, true]) {
        assert.throws(() => checkStateShapes(file, [counter()], { update }), {
          code: 'INVALID_INPUT',
          message: /holds no shapes of states; restore it/,
        })
      }
    }
  })
})
