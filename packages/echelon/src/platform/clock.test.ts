import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { systemClock, systemTimeZone } from './clock.ts'

const DAY = 86_400_000
/** The longest delay of a Node timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1

test('[DD-21] the clock is the system’s', () => {
  const before = Date.now()
  const now = systemClock.now()
  assert.ok(before <= now && now <= Date.now())
})

test('a timer fires once, unless it is cleared', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const log: string[] = []
    systemClock.after(100, () => log.push('kept'))
    const forget = systemClock.after(100, () => log.push('forgotten'))
    mock.timers.tick(99)
    assert.deepEqual(log, [])
    forget()
    mock.timers.tick(1000)
    assert.deepEqual(log, ['kept'])
    forget()
  } finally {
    mock.timers.reset()
  }
})

test('a wait that is not a number ends at once', async () => {
  await new Promise<void>((resolve) => systemClock.after(NaN, resolve))
})

test('a wait of months does not end after the 24 days of a timer', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const log: string[] = []
    systemClock.after(60 * DAY, () => log.push('60 days'))
    const forget = systemClock.after(60 * DAY, () => log.push('forgotten'))
    mock.timers.tick(LONGEST)
    mock.timers.tick(LONGEST)
    mock.timers.tick(60 * DAY - 2 * LONGEST - 1)
    assert.deepEqual(log, [])
    forget()
    mock.timers.tick(1)
    assert.deepEqual(log, ['60 days'])
  } finally {
    mock.timers.reset()
  }
})

test('the time zone can format dates', () => {
  const zone = systemTimeZone()
  assert.equal(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone, zone)
})
