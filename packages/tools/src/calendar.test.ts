import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { validate } from '../../echelon/src/core/schema/schema.ts'
import type { ToolContext } from '../../echelon/src/core/tool/tool.ts'
import { calendar } from './calendar.ts'

/** 11:30 pm on Sunday, September 7, 2025, in London (summer time). */
const AT = Date.parse('2025-09-07T22:30:00Z')

const context = (timeZone: string): ToolContext => ({
  key: 'run/call',
  signal: AbortSignal.timeout(10_000),
  at: AT,
  timeZone,
  artifacts: { write: () => Promise.reject(new Error('a date is not a file')) },
  progress: () => undefined,
})

test('[DD-6] [R5.2] [R25.2] the result is a date in one format', async () => {
  deepEqual(
    await calendar.run(
      { query: '45 days after March 3, 2024', today: '2025-09-08' },
      context('UTC'),
    ),
    { date_str: 'Wednesday, April 17, 2024', kind: 'text' },
  )
})

test('[DD-6] [R25.2] the date has no zero padding', async () => {
  deepEqual(await calendar.run({ query: '2025-09-08' }, context('UTC')), {
    date_str: 'Monday, September 8, 2025',
    kind: 'text',
  })
})

test('[DD-6] a number of days is returned as text', async () => {
  const ask = async (query: string): Promise<unknown> =>
    calendar.run({ query, today: '2025-09-08' }, context('UTC'))
  deepEqual(await ask('days from March 3, 2024 to May 1, 2024'), { date_str: '59', kind: 'text' })
  deepEqual(await ask('How many days since August 1?'), { date_str: '38', kind: 'text' })
})

test("[R9.5] [R25.5] today is the day of the run's clock in the run's zone", async () => {
  const ask = (timeZone: string, today?: string | null): unknown =>
    calendar.run({ query: 'tomorrow', today }, context(timeZone))
  const answer = (date_str: string): unknown => ({ date_str, kind: 'text' })
  deepEqual(await ask('Europe/London'), answer('Monday, September 8, 2025'))
  deepEqual(await ask('Europe/Berlin'), answer('Tuesday, September 9, 2025'))
  deepEqual(await ask('Pacific/Pago_Pago', null), answer('Monday, September 8, 2025'))
  deepEqual(await ask('Europe/Berlin', '2024-02-28'), answer('Thursday, February 29, 2024'))
})

test('[R9.5] a date without a time is the same in every zone', async () => {
  for (const zone of ['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago']) {
    deepEqual(await calendar.run({ query: 'September 8, 2025' }, context(zone)), {
      date_str: 'Monday, September 8, 2025',
      kind: 'text',
    })
  }
})

test('[R25.4] an ambiguous date is INVALID_ARGS with both readings', async () => {
  await rejects(async () => calendar.run({ query: '03/04/2025' }, context('UTC')), {
    name: 'ToolError',
    code: 'INVALID_ARGS',
    fault: 'value',
    message: /March 4, 2025 or April 3, 2025/,
  })
})

test('[R25.4] an unknown word is INVALID_ARGS', async () => {
  await rejects(async () => calendar.run({ query: 'Friday Septembr' }, context('UTC')), {
    code: 'INVALID_ARGS',
    fault: undefined,
    message: /"septembr"/,
  })
})

test('[DD-6] accepts only a query and an optional today', async () => {
  const ok = async (value: unknown): Promise<boolean> => (await validate(calendar.input, value)).ok
  equal(await ok({ query: 'today' }), true)
  equal(await ok({ query: 'today', today: null }), true)
  equal(await ok({ query: 'today', today: '2024-02-29' }), true)
  equal(await ok({ query: 'today', today: '2025-02-29' }), false)
  equal(await ok({ query: 'today', today: 'September 8' }), false)
  equal(await ok({ query: '' }), false)
  equal(await ok({ query: 'x'.repeat(501) }), false)
  equal(await ok({ query: 'today', zone: 'UTC' }), false)
  equal(await ok({}), false)
})

test('an aborted call fails with the reason', async () => {
  const signal = AbortSignal.abort(new Error('the run was canceled'))
  await rejects(async () => calendar.run({ query: 'today' }, { ...context('UTC'), signal }), {
    message: 'the run was canceled',
  })
})
