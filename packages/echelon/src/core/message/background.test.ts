import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backgroundMessage, isBackground, joined } from './background.ts'
import { systemMessage, userMessage } from './thread.ts'

test('background joins the message of the user that it follows', () => {
  const whole = joined(
    [systemMessage('Be kind.'), userMessage('hi')],
    [backgroundMessage(['a note']), backgroundMessage(['a page'])],
  )
  assert.deepEqual(
    whole.map(({ role, content }) => [role, content.length]),
    [
      ['system', 'Be kind.'.length],
      ['user', 3],
    ],
  )
  const [, said] = whole
  assert.ok(said?.role === 'user')
  assert.deepEqual(said.content.map(isBackground), [false, true, true])
})

test('other messages stay apart', () => {
  const note = userMessage('a note of another layer')
  assert.deepEqual(joined([userMessage('hi')], [note]), [userMessage('hi'), note])
  const background = backgroundMessage(['a page'])
  assert.deepEqual(joined([systemMessage('Be kind.')], [background]).length, 2)
  assert.deepEqual(joined([], []), [])
})
