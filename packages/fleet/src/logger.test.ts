import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietLogger } from './logger.ts'

test('a repeated error is reported once in 30 seconds, with the number of repeats', () => {
  let now = 0
  const lines: string[] = []
  const logger = quietLogger(
    (line) => lines.push(line),
    () => now,
  )
  logger.info('a step')
  for (now = 0; now < 30_000; now += 10) logger.error(new Error('the database is gone'))
  logger.warn('another line')
  logger.error(new Error('the database is gone'))
  logger.error(new Error('the database is gone'))
  assert.deepEqual(lines, [
    'queues: the database is gone',
    'queues: another line',
    'queues: the database is gone (2999 more times since it was last reported)',
  ])
})
