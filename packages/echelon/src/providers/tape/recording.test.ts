import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { startModelRecording } from './recording.ts'
import type { CallLine } from './tape-line.ts'

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-tape-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'calls.jsonl')
}

const MODEL = { kind: 'model', name: 'a/b', id: 'a/b', provider: 'a', modelId: 'b' } as const
const PRICE = { kind: 'price', model: 'a/b', input: 1, output: 2, usd: null } as const
const CALL: CallLine = {
  kind: 'call',
  n: 1,
  key: 'k',
  model: 'a/b',
  stream: false,
  request: {},
  outcome: { type: 'given-up' },
}

test('only the owner can read a recording, even in an existing empty file', (t) => {
  const path = fileFor(t)
  startModelRecording(path).close()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  writeFileSync(join(path, '../open.jsonl'), '', { mode: 0o644 })
  startModelRecording(join(path, '../open.jsonl')).close()
  assert.equal(statSync(join(path, '../open.jsonl')).mode & 0o777, 0o600)
})

test('writes nothing before the first call, and each line once', (t) => {
  const path = fileFor(t)
  const recording = startModelRecording(path)
  recording.write(MODEL)
  recording.write(PRICE)
  recording.write(MODEL)
  assert.equal(readFileSync(path, 'utf8'), '')
  recording.write(CALL)
  recording.write(PRICE)
  recording.write({ ...PRICE, usd: 3 })
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [
      { kind: 'recording', version: 2, holds: 'models', about: null },
      MODEL,
      PRICE,
      CALL,
      { ...PRICE, usd: 3 },
    ],
  )
  assert.equal(recording.close(), undefined)
})

test('ignores writes and a second close after the end', (t) => {
  const path = fileFor(t)
  const recording = startModelRecording(path)
  assert.equal(recording.close(), undefined)
  recording.write(CALL)
  assert.equal(recording.close(), undefined)
  assert.equal(readFileSync(path, 'utf8'), '')
})

test('rejects a file with content and leaves it unchanged', (t) => {
  const path = fileFor(t)
  writeFileSync(path, 'mine')
  assert.throws(() => startModelRecording(path), {
    code: 'INVALID_CONFIG',
    message: `${path} is not empty; record to a new file, or delete this one first`,
  })
  assert.equal(readFileSync(path, 'utf8'), 'mine')
})

test('rejects a file that cannot be created and suggests another place', (t) => {
  const path = join(fileFor(t), 'below')
  assert.throws(() => startModelRecording(path), {
    code: 'INVALID_CONFIG',
    message: /cannot be written .*choose another place$/,
  })
})

test(
  'stops recording when the disk is full, without failing the run',
  { skip: !existsSync('/dev/full') && 'this system has no /dev/full' },
  () => {
    const recording = startModelRecording('/dev/full')
    recording.write(CALL)
    recording.write(CALL)
    assert.match(recording.close() ?? '', /^the recording \/dev\/full is not complete \(ENOSPC/)
  },
)
