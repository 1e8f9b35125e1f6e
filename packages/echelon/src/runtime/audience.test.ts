import assert from 'node:assert/strict'
import test from 'node:test'
import type { RunEvent } from '../core/agent/event.ts'
import { createRedactor } from '../core/redaction/redaction.ts'
import { Audience } from './audience.ts'

const said = (text: string): RunEvent => ({ type: 'said', path: '', seq: 0, text })
const noted = (data: Readonly<Record<string, string>>): RunEvent => ({
  type: 'note',
  path: '',
  seq: 0,
  id: 'r:0.0',
  at: 0,
  note: { stage: 'plan', data },
})

test('a listener receives the events it asked for, and none after it stops', () => {
  const audience = new Audience(createRedactor(), 'run-1')
  const [all, some]: [string[], string[]] = [[], []]
  assert.equal(audience.hears('said'), false)
  const stop = audience.listen(({ type }) => some.push(type), new Set(['note']))
  assert.deepEqual([audience.hears('note'), audience.hears('said')], [true, false])
  audience.listen(({ type }) => all.push(type))
  audience.tell(said('hello'))
  audience.tell(noted({}))
  stop()
  audience.tell(noted({}))
  assert.deepEqual([all, some], [['said', 'note', 'note'], ['note']])
})

test('logged events are redacted, text for the user is not', () => {
  const audience = new Audience(createRedactor(), 'run-1')
  const heard: RunEvent[] = []
  audience.listen((event) => heard.push(event))
  audience.tell(said('write to ada@example.org'))
  audience.tell(noted({ text: 'write to ada@example.org', password: 'hunter2' }))
  assert.deepEqual(heard, [
    said('write to ada@example.org'),
    noted({ text: 'write to [redacted:email]', password: '[redacted]' }),
  ])
})

test('a listener that throws does not affect others, which get one warning', () => {
  const audience = new Audience(createRedactor(), 'run-1')
  const heard: RunEvent[] = []
  let asked = 0
  audience.listen(() => {
    asked++
    throw new Error('ada@example.org is full')
  })
  audience.listen((event) => heard.push(event))
  audience.tell(said('one'))
  audience.tell(said('two'))
  assert.deepEqual(
    heard.map((event) => (event.type === 'log' ? [event.message, event.detail] : event.type)),
    [
      [
        'a listener of the run threw and missed an event; fix it: a listener must not throw',
        '[redacted:email] is full',
      ],
      'said',
      'said',
    ],
  )
  assert.equal(asked, 3, 'it hears on')
})
