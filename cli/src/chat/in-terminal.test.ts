import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type LocalModelServer, startModelServer } from 'echelon/testing'
import { folderFor, runCommand } from '../testing/run-command.ts'
import { noTerminal, spawnedOnTerminal } from '../testing/spawned-terminal.ts'
import { onTerminal, typeAll } from '../testing/terminal.ts'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const UP = '\u001b[A'

describe('a chat on a terminal', () => {
  test('[C-13] asks in place, and "always" holds for the rest of the conversation', async (t) => {
    const { status, screen } = await onTerminal(
      ['chat', '--ask', 'calculator'],
      [
        ['> ', 'What is 15 * 23?\r'],
        ['[o]nce / [a]lways / [n]o / ne[v]er? ', 'perhaps\r'],
        ['not one of these', ''],
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

  test(
    'Ctrl-C cancels the answer under way; twice at the prompt it ends',
    { skip: noTerminal },
    async (t) => {
      await using server = await startModelServer([
        { type: 'silence', after: ['I am thinking.\n\nSo'] },
        { type: 'reply', text: ['ready'] },
      ])
      const { status, screen } = await typeAll(
        spawnedOnTerminal(
          ['chat', '--model', 'openai-compatible/m', '--base-url', server.baseUrl],
          { folder: folderFor(t) },
        ),
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
      )
      assert.equal(status, 0, screen)
      assert.match(screen, /I am thinking\.\n[^]*\^C[^]*canceling …\n.*broke off.*\ncanceled\n/)
      assert.match(screen, /ready\n\n/)
      // The Up key brought the canceled message back.
      const { messages } = server.requests[1]?.body ?? {}
      assert.match(JSON.stringify(messages), /Hello.*Hello/)
    },
  )

  test('Ctrl-D during an answer ends the chat after it', { skip: noTerminal }, async (t) => {
    await using server = await startModelServer([
      { type: 'reset', after: ['The sum'] },
      { type: 'reply', text: ['It is 5.'] },
    ])
    const { status, screen } = await typeAll(
      spawnedOnTerminal(['chat', '--model', 'openai-compatible/m', '--base-url', server.baseUrl], {
        folder: folderFor(t),
      }),
      [
        ['> ', 'Hello\r'],
        ['; again in', CTRL_D],
      ],
    )
    assert.equal(status, 0, screen)
    assert.match(screen, /It is 5\.\n/)
  })

  test('[C-21] marks an answer that breaks off as void, and shows the new one', async (t) => {
    await using server = await startModelServer([
      { type: 'reset', after: ['The sum of ', 'these\n\n', 'is'] },
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
      /The sum of these\n.*! the answer broke off: what stands above does not count\n! .*; again in \d/,
    )
    assert.match(screen, /The sum is 5\.\n/)
  })

  test('renders Markdown wrapped between words, and a wide table as a list', async (t) => {
    const answer = [
      'It **really** is a sentence that 40 col',
      'umns cannot hold.\n\n- one\n- two',
      '\n\n| Name | Usefulness now |\n|---|---|\n| Extraordinarily | long |\n\nDone.',
    ]
    await using server = await startModelServer([
      { type: 'reply', text: answer },
      { type: 'reply', text: answer },
    ])
    const args = ['chat', '--model', 'openai-compatible/m', '--base-url', server.baseUrl, 'What?']
    const folder = folderFor(t)
    const { status, screen } = await onTerminal(args, [], { folder, columns: 24 })
    assert.equal(status, 0, screen)
    const lines = screen
      .split('\n')
      .map((line) => line.replace(/^.*asking openai-compatible.m/, ''))
    assert.deepEqual(
      lines.filter((line) => line !== ''),
      [
        'It really is a sentence',
        'that 40 columns cannot',
        'hold.',
        '• one',
        '• two',
        '• Name: Extraordinarily',
        '  Usefulness now: long',
        'Done.',
      ],
    )
    const piped = await runCommand(args, folder)
    assert.equal(piped.stdout, `${answer.join('')}\n`)
  })

  test('asks whether to go on at the limit of model calls', async (t) => {
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

describe('pasted text', () => {
  /** The last user message of each request to the model. */
  const saidTo = ({ requests }: LocalModelServer): readonly unknown[] =>
    requests.map(({ body }) => lastOf(Object(body).messages))
  const lastOf = (messages: readonly { readonly content: unknown }[]): unknown =>
    messages.at(-1)?.content

  const replies = (...texts: readonly string[]): Promise<LocalModelServer> =>
    startModelServer(texts.map((text) => ({ type: 'reply', text: [text] })))

  const modelOf = ({ baseUrl }: LocalModelServer): readonly string[] => [
    '--model',
    'openai-compatible/m',
    '--base-url',
    baseUrl,
    '--no-tools',
  ]

  test('is one message with its lines and without control keys, where the terminal marks pastes', async (t) => {
    await using server = await replies('one', 'two')
    const pasted = 'first\r\n\tsecond \u0003\u001b[31mred\n\nlast'
    const { status, screen } = await onTerminal(
      ['chat', ...modelOf(server)],
      [
        ['\u001b[?2004h', ''],
        ['> ', `Read this: \u001b[200~${pasted}\u001b[201~ please\r`],
        ['one', ''],
        // The Up key brings it back unchanged.
        ['> ', `${UP}\r`],
        ['two', ''],
        ['> ', 'quit\r'],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
    const said = 'Read this: first\n\tsecond red\n\nlast please'
    assert.deepEqual(saidTo(server), [said, said])
  })

  test('is sent line by line where the terminal does not, and the last line waits for Enter', async (t) => {
    await using server = await replies('one', 'two', 'three')
    const { status, screen } = await onTerminal(
      ['chat', ...modelOf(server)],
      [
        ['> ', 'first\rsecond\rthird'],
        ['> second', ''],
        ['two', ''],
        ['third', '!\r'],
        ['three', ''],
        ['> ', 'exit\r'],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
    assert.deepEqual(saidTo(server), ['first', 'second', 'third!'])
  })

  test('does not answer a question that is asked meanwhile, and is sent after it', async (t) => {
    const { status, screen } = await onTerminal(
      ['chat', '--ask', 'calculator'],
      [
        ['> ', 'What is 15 * 23?\ralways\rWhat is 7 * 6?\r'],
        ['ne[v]er? ', 'once\r'],
        ['= 345', ''],
        ['> always', ''],
        ['> What is 7 * 6?', ''],
        ['ne[v]er? ', 'once\r'],
        ['= 42', ''],
        ['> ', '/exit\r'],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen)
  })

  test('takes time in proportion to its length', async (t) => {
    await using server = await replies('read')
    const text = 'A line of eighty characters, more or less, which is one of very many.\n'.repeat(
      3000,
    )
    const { status, screen } = await onTerminal(
      ['chat', ...modelOf(server)],
      [
        ['> ', `\u001b[200~${text}end\u001b[201~`],
        ['end', '\r'],
        ['read', ''],
        ['> ', 'exit\r'],
      ],
      { folder: folderFor(t) },
    )
    assert.equal(status, 0, screen.slice(-500))
    assert.deepEqual(saidTo(server), [`${text}end`])
  })
})
