import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { folderFor } from '../testing/run-command.ts'
import { onTerminal } from '../testing/terminal.ts'

const CTRL_C = '\u0003'

describe('support on a terminal', () => {
  test('[S-13] [S-19] asks, confirms, waits for a person, and explains', async (t) => {
    const { status, screen } = await onTerminal(
      ['support', '--customer', 'C-003'],
      [
        ['> ', 'I want to check my order\r'],
        ["What's your order ID?", ''],
        ['> ', 'O-12351\r'],
        ['new ETA Oct 23', ''],
        ['> ', '/ord\t'],
        ['ers', '\r'],
        ['O-12354', ''],
        ['> ', 'refund O-12352\r'],
        ['be taken back.', ''],
        ['> ', 'yes\r'],
        ['as the colleague: /approve', ''],
        ['> ', '/approve\r'],
        ['is on its way', ''],
        ['> ', '/why\r'],
        ['worded by a template', ''],
        ['> ', '/quit\r'],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
    assert.match(
      screen,
      /^Acting for Sofia Romano \(C-003\), gold customer\ndemo orders: .*\n.*--session \w+ continues.*\nthe embedded classifier reads, templates answer\n\/orders .* Ctrl-D ends\n\n> /,
    )
    assert.match(
      screen,
      /\nI’ll check order O-12351\.\nYour order O-12351 is delayed .*Oct 23\. The reason: [^>]*\n\n> /,
    )
    assert.match(screen, /\nYour refund of \$139\.50 for order O-12352 is on its way\n/)
  })

  test('Ctrl-C twice at the prompt ends it', async (t) => {
    const { status, screen } = await onTerminal(
      ['support', '--no-store'],
      [
        ['> ', CTRL_C],
        ['ends the chat', ''],
        ['> ', CTRL_C],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
  })
})
