import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startModelServer } from 'echelon/testing'
import { folderFor } from '../testing/run-command.ts'
import { noTerminal, onTerminal } from '../testing/terminal.ts'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const UP = '\u001b[A'

describe('a chat on a terminal', { skip: noTerminal, timeout: 120_000 }, () => {
  test('[C-13] asks in place, and always holds for the rest of the conversation', async (t) => {
    const { status, screen } = await onTerminal(
      ['chat', '--ask', 'calculator'],
      [
        ['> ', 'What is 15 * 23?\r'],
        ['[o]nce / [a]lways / [n]o / ne[v]er? ', 'perhaps\r'],
        ['none of these', ''],
        ['ne[v]er? ', 'always\r'],
        ['calculator runs unasked in this conversation', ''],
        ['345\r\n\r\n', 'What is 7 * 6?\r'],
        ['= 42\r\n\r\n', '/cost\r'],
        ['2 turns', '/exit\r'],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
    assert.match(screen, /^an offline model answers .*\nechelon chat · offline\/small · \/help/)
    assert.match(screen, /\? May this run\? calculator\(expr: "15 \* 23"\)\n {2}you wanted to be/)
    assert.equal(screen.match(/May this run/g)?.length, 1)
    assert.match(screen, /• calculator\(expr: "7 \* 6"\)\n {2}✓ calculator value: "42"\n/)
  })

  test('Ctrl-C cancels the answer under way; twice at the prompt it ends', async (t) => {
    await using server = await startModelServer([
      { type: 'silence', after: ['I am thinking'] },
      { type: 'reply', text: ['ready'] },
    ])
    const { status, screen } = await onTerminal(
      ['chat', '--model', 'openai-compatible/m', '--base-url', server.baseUrl],
      [
        ['> ', 'Hello\r'],
        ['thinking', CTRL_C],
        ['canceled', ''],
        ['> ', `${UP}\r`],
        ['ready', ''],
        ['> ', CTRL_C],
        ['ends the chat', ''],
        ['> ', CTRL_C],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
    assert.match(screen, /I am thinking\^C\ncanceling …\n.*broke off.*\ncanceled\n/)
    assert.match(screen, /ready\n\n/)
    // What was canceled was typed again with the key for the line before.
    const { messages } = server.requests[1]?.body ?? {}
    assert.match(JSON.stringify(messages), /Hello.*Hello/)
  })

  test('Ctrl-D that is typed during an answer ends the chat after it', async (t) => {
    await using server = await startModelServer([
      { type: 'reset', after: ['The sum'] },
      { type: 'reply', text: ['It is 5.'] },
    ])
    const { status, screen } = await onTerminal(
      ['chat', '--model', 'openai-compatible/m', '--base-url', server.baseUrl],
      [
        ['> ', 'Hello\r'],
        ['; again in', CTRL_D],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
    assert.match(screen, /It is 5\.\n/)
  })

  test('[C-21] an answer that breaks off is marked as void, and shown anew', async (t) => {
    await using server = await startModelServer([
      { type: 'reset', after: ['The sum of ', 'these'] },
      { type: 'reply', text: ['The sum ', 'is 5.'] },
    ])
    const { status, screen } = await onTerminal(
      ['chat', '--model', 'openai-compatible/m', '--base-url', server.baseUrl, 'sum?'],
      [],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
    assert.match(
      screen,
      /The sum of these\n! the answer broke off: what stands above does not count\n! .*; again in \d/,
    )
    assert.match(screen, /The sum is 5\.\n/)
  })

  test('asks whether to go on when the model was called often enough', async (t) => {
    const { status, screen } = await onTerminal(
      ['chat', '--max-iterations', '1'],
      [
        ['> ', 'What is 15 * 23?\r'],
        ['yes or no? ', 'yes\r'],
        ['= 345\r\n\r\n', 'What is 7 * 6?\r'],
        ['yes or no? ', CTRL_D],
        ['max-iterations', ''],
        ['> ', CTRL_D],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 1, screen)
    assert.match(screen, /not complete \(max-iterations\)/)
  })
})
