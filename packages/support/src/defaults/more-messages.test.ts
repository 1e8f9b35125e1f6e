import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { loadIntents, parseIntents } from './intents-file.ts'
import { withMessages } from './more-messages.ts'

const SMALL = `
intents:
  - { id: pay, description: Pay, tool: pay, examples: [pay it] }
  - { id: send, description: Send, tool: send, examples: [send it] }
topics:
  - { ask: 'Shop: Hours', examples: [when are you open] }
`

const { config } = await parseIntents(SMALL, 'f')

suite('[S-8] a file of messages', () => {
  test('adds to the examples of each label', () => {
    const lines = [
      '# what customers say',
      'pay\there is your money',
      'pay|send\tdo it',
      '?Shop: Hours\tare you there on Sunday',
      '?Shop: Place\twhere are you',
      'beyond\twho is your boss',
      'idle\tnice weather',
      'out_of_scope\tsing a song',
      'follow_up:why\tbut why',
      '',
    ]
    const all = withMessages(config, lines.join('\n'), 'm.tsv')
    assert.deepEqual(
      all.intents.map(({ examples, messages }) => [examples, messages]),
      [
        [['pay it'], ['here is your money']],
        [['send it'], []],
      ],
    )
    assert.deepEqual(all.ambiguous, [{ offer: ['pay', 'send'], examples: ['do it'] }])
    assert.deepEqual(all.topics?.[0]?.examples, ['when are you open', 'are you there on Sunday'])
    assert.deepEqual(all.questions, ['where are you'])
    assert.deepEqual(
      [all.beyond, all.idle, all.outOfScope, all.followUps],
      [['who is your boss'], ['nice weather'], ['sing a song'], { why: ['but why'] }],
    )
  })

  test('that is wrong is told with file, line and what to do', () => {
    const rows = {
      'pay it': 'm.tsv:1: write a label, a tab and a message',
      'pay\t': 'm.tsv:1: write a label, a tab and a message',
      '\tpay it': 'm.tsv:1: write a label, a tab and a message',
      'pay\tok\nswim\tlet me swim':
        'm.tsv:2: swim is no label; write the id of an intent, or one of ?section, beyond, idle, out_of_scope, follow_up:kind, reply:kind@subject',
      'follow_up:never\tx': /^m\.tsv:1: follow_up:never is no label/,
      '?\tx': /^m\.tsv:1: \? is no label/,
      [`pay\t${'x'.repeat(501)}`]: 'm.tsv:1: a message has at most 500 characters',
    }
    for (const [text, message] of Object.entries(rows)) {
      assert.throws(() => withMessages(config, text, 'm.tsv'), { code: 'INVALID_CONFIG', message })
    }
  })

  test('is found beside the file of intents, or in this package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'messages-'))
    const file = join(folder, 'intents.yaml')
    try {
      writeFileSync(file, `messages: [m.tsv]\n${SMALL}`)
      const missing = `${join(folder, 'm.tsv')} cannot be read`
      await assert.rejects(loadIntents(file), ({ message }: Error) => message.startsWith(missing))
      writeFileSync(join(folder, 'm.tsv'), 'send\toff it goes')
      const { config: read } = await loadIntents(file)
      assert.deepEqual(read.intents[1]?.messages, ['off it goes'])
      writeFileSync(file, `messages: ['@echelon/support/knowledge/asked.tsv']\n${SMALL}`)
      assert.ok(((await loadIntents(file)).config.questions ?? []).length > 1_000)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('is not read for a text that has no place', async () => {
    await assert.rejects(parseIntents(`messages: [m.tsv]\n${SMALL}`, 'f'), {
      code: 'INVALID_CONFIG',
      message: 'f: m.tsv is read beside a file of intents; use loadIntents',
    })
  })
})
