import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { LogRecord } from '../../echelon/src/core/observability/log.ts'
import { pinoLog, type PinoLogger } from './pino-log.ts'

const record = (level: LogRecord['level'], more: Partial<LogRecord> = {}): LogRecord => ({
  level,
  event: 'tool.end',
  message: 'tool called',
  data: { tool: 'add' },
  ...more,
})

test('[C-24] pino writes one line of JSON per record, synchronously, to a private file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-log-'))
  try {
    const file = join(folder, 'run.log')
    const log = await pinoLog({ file })
    log.write(record('debug'))
    log.write(record('info'))
    log.write(record('warning', { data: { time: 1, level: 'x', msg: 'y', tool: 'add' } }))
    log.write(record('error'))
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    const [first, second, third] = lines.map((line) => JSON.parse(line))
    assert.equal(lines.length, 3)
    const { time, ...rest } = first
    assert.deepEqual(rest, { level: 'info', event: 'tool.end', tool: 'add', msg: 'tool called' })
    assert.equal(new Date(time).toISOString(), time)
    assert.deepEqual(
      [second.level, second._time, second._level, second._msg, second.msg],
      ['warn', 1, 'x', 'y', 'tool called'],
    )
    assert.equal(third.level, 'error')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    // Another process appends to the file.
    const again = await pinoLog({ file, level: 'debug' })
    again.write(record('debug'))
    assert.equal(readFileSync(file, 'utf8').trim().split('\n').length, 4)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('[C-24] uses your own logger unchanged', async () => {
  const lines: unknown[] = []
  const note =
    (level: string) =>
    (data: unknown, message?: unknown): void =>
      void lines.push([level, data, message])
  const logger: PinoLogger = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  }
  const log = await pinoLog({ logger })
  for (const level of ['debug', 'info', 'warning', 'error'] as const) log.write(record(level))
  const data = { event: 'tool.end', tool: 'add' }
  assert.deepEqual(
    lines,
    ['debug', 'info', 'warn', 'error'].map((level) => [level, data, 'tool called']),
  )
})

test('reports a file that cannot be written in one sentence', async () => {
  const file = join(tmpdir(), 'no-such-folder-of-echelon', 'run.log')
  await assert.rejects(pinoLog({ file }), {
    code: 'INVALID_CONFIG',
    message: /^the log .*run\.log cannot be written \(.*\); name another file$/,
  })
})
