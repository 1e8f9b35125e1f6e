import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startModelServer } from 'echelon/testing'
import {
  echelon,
  folderFor,
  type Ran,
  runCommand,
  runWithSignal,
  spawned,
} from '../testing/run-command.ts'

const OFFLINE = /^an offline model answers \(no OPENAI_API_KEY\); --model names another\n/
const KEY = 'sk-test-0123456789abcdef'

/** Runs a chat through a pipe. */
const piped = (folder: string, input: string, ...args: string[]): Promise<Ran> =>
  runCommand(['chat', ...args], folder, { input })

describe('a chat with a message', () => {
  test('is answered with tools, offline and without a key', async (t) => {
    const { status, stdout, stderr } = await echelon(t, 'chat', 'What', 'is', '15 * 23?')
    assert.equal(status, 0)
    assert.equal(stdout, '15 * 23 = 345\n')
    assert.match(stderr, OFFLINE)
    assert.match(stderr, /\n• calculator\(expr: "15 \* 23"\)\n {2}✓ calculator value: "345"\n$/)
  })

  test('is answered with what is missing, if the offline model cannot answer it', async (t) => {
    const { status, stdout } = await echelon(t, 'chat', 'Tell me a joke')
    assert.equal(status, 0)
    assert.match(stdout, /^I cannot answer that: .*"Tell me a joke".*OPENAI_API_KEY/)
  })

  test('--json prints one object per turn, and nothing else on stdout', async (t) => {
    const { status, stdout } = await echelon(t, 'chat', '--json', 'What is 15 * 23?')
    assert.equal(status, 0)
    const { usage, ...rest } = JSON.parse(stdout)
    assert.deepEqual(rest, {
      text: '15 * 23 = 345',
      reason: 'stop',
      detail: null,
      model: 'offline/small',
      cost: 0,
    })
    assert.ok(usage.input > 0 && usage.output > 0)
  })

  test('exits with 1 and says why if the answer is not complete', async (t) => {
    const args = ['chat', '--max-iterations', '1', 'What is 15 * 23?']
    const { status, stdout, stderr } = await echelon(t, ...args)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(
      stderr,
      /echelon: the answer is not complete \(max-iterations\): .*called once, which is the most; raise --max-iterations/,
    )
  })

  test('never shows a key, even if the provider echoes it', async (t) => {
    const message = `Incorrect API key provided: ${KEY}`
    await using server = await startModelServer([{ type: 'status', status: 401, message }])
    const variables = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.baseUrl }
    const given = { env: variables }
    const { status, stdout, stderr } = await runCommand(
      ['chat', '--json', 'hello'],
      folderFor(t),
      given,
    )
    assert.equal(status, 1)
    assert.equal(JSON.parse(stdout).reason, 'auth')
    assert.doesNotMatch(stdout + stderr, /sk-test/)
  })

  test('a failed model call is one line with what to do, and the next turn goes on', async (t) => {
    const message = 'Incorrect API key provided.'
    await using server = await startModelServer([
      { type: 'status', status: 401, message },
      { type: 'reply', text: ['hello'] },
    ])
    const variables = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.baseUrl }
    const given = { env: variables, input: 'a question\na question\n' }
    const { status, stdout, stderr } = await runCommand(['chat'], folderFor(t), given)
    assert.deepEqual([status, stdout], [0, 'hello\n'])
    assert.equal(
      stderr
        .split('\n')
        .filter((line) => line.includes('key'))
        .join(),
      'echelon: openai/gpt-5-nano: the key is missing or wrong (Incorrect API key provided); set a valid API key for openai',
    )
    const said = JSON.stringify(server.requests[1]?.body).match(/"a question"/g) ?? []
    assert.equal(said.length, 1, 'the question is there once')
  })

  test('a model of a server receives the tools, the instructions and the results of tools', async (t) => {
    await using server = await startModelServer([
      { type: 'reply', toolCalls: [{ tool: 'calculator', input: { expr: '6 * 7' } }] },
      { type: 'reply', text: ['It is ', '42.'] },
    ])
    const given = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    const args = ['chat', ...given, '--instructions', 'be short', '--tools', 'calculator', '6 * 7?']
    const { status, stdout, stderr } = await runCommand(args, folderFor(t))
    assert.deepEqual([status, stdout], [0, 'It is 42.\n'], stderr)
    const [first, second] = server.requests.map(({ body }) => JSON.stringify(body))
    assert.match(first ?? '', /"be short".*"name":"calculator"/)
    assert.doesNotMatch(first ?? '', /"name":"plotter"/)
    assert.match(second ?? '', /42/)
    server.assertComplete()
  })
})

test('the configuration limits the wait for a silent model', async (t) => {
  await using server = await startModelServer([{ type: 'silence' }])
  const folder = folderFor(t)
  writeFileSync(join(folder, 'config.yaml'), 'model_timeouts:\n  answer_seconds: 0.3\n')
  const asked = ['chat', '--model', 'openai-compatible/m', '--base-url', server.baseUrl, 'hi']
  const { status, stderr } = await runCommand(asked, folder)
  assert.equal(status, 1)
  assert.match(stderr, /sent nothing for 0\.3 s/)
})

test('an interrupt cancels the turn and leaves the rest of the pipe unread', async (t) => {
  await using server = await startModelServer([{ type: 'silence', after: ['I am thinking'] }])
  const given = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
  const { status, stdout, stderr } = await runWithSignal(
    ['chat', '--json', ...given],
    folderFor(t),
    {
      input: 'Hello\nAre you there?\n',
      signal: 'SIGINT',
      when: () => server.requests.length > 0,
    },
  )
  assert.equal(status, 1)
  assert.equal(JSON.parse(stdout).reason, 'canceled')
  assert.match(stderr, /canceling …\n.*canceled\n$/)
  assert.equal(server.requests.length, 1)
})

describe('a chat through a pipe', () => {
  test('takes each line as a turn of one conversation', async (t) => {
    await using server = await startModelServer([
      { type: 'reply', text: ['Hello Ann.'] },
      { type: 'reply', text: ['Ann.'] },
    ])
    const given = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl, '--no-tools']
    const { status, stdout } = await piped(folderFor(t), 'I am Ann\r\n\n  \nWho am I?', ...given)
    assert.deepEqual([status, stdout], [0, 'Hello Ann.\nAnn.\n'])
    const { messages, tools } = server.requests[1]?.body ?? {}
    assert.match(JSON.stringify(messages), /I am Ann.*Hello Ann\..*Who am I\?/)
    assert.equal(tools, undefined)
  })

  test('runs commands, and ends at /exit', async (t) => {
    const lines = [
      '/model',
      'What is 15 * 23?',
      '/cost',
      '/undo',
      '/cost',
      '/undo',
      '/tools',
      '/exit',
      '1 + 1',
    ]
    const { status, stdout } = await piped(folderFor(t), `${lines.join('\n')}\n`)
    assert.equal(status, 0)
    const [model, answer, last, all, undone, , spent, none, ...tools] = stdout.trim().split('\n')
    assert.deepEqual([model, answer], ['offline/small', '15 * 23 = 345'])
    assert.match(last ?? '', /^last turn {2}\d+ tokens in, \d+ out, \$0\.00$/)
    assert.match(all ?? '', /^this chat {2}1 turn: /)
    assert.equal(undone, 'the last turn is taken back: What is 15 * 23?')
    assert.match(spent ?? '', /\(undone turns included\)$/)
    assert.equal(none, 'there is no turn to take back')
    assert.deepEqual(
      tools.map((line) => line.split(' ')[0]),
      ['calculator', 'calendar', 'data_fetch_stock', 'numeric_analysis', 'plotter'],
    )
  })

  test('[C-5] /switch changes the model; a bad one says why and changes nothing', async (t) => {
    const lines = [
      '/switch offline/huge',
      '/switch nowhere/x',
      '/switch offline',
      '/model',
      '/switch offline/big',
      'A shirt costs $40 and is 25% off; what do three cost?',
    ]
    const { status, stdout, stderr } = await piped(folderFor(t), lines.join('\n'))
    assert.equal(status, 0)
    const [model, switched, answer] = stdout.trim().split('\n')
    assert.deepEqual([model, switched], ['offline/small', 'offline/big answers from now on'])
    assert.match(answer ?? '', /= 90$/)
    assert.match(stderr, /no model offline\/huge; use offline\/small/)
    assert.match(stderr, /no provider is called nowhere/)
    assert.match(stderr, /\/switch takes a model as provider\/model; offline\/small answers/)
  })

  test('/exit ends it at once, even if the pipe stays open', async (t) => {
    const child = spawned(['chat'], folderFor(t))
    child.stdin?.write('What is 1 + 1?\n/exit\n')
    const [status] = await once(child, 'exit', { signal: AbortSignal.timeout(30_000) })
    assert.equal(status, 0)
  })

  test('exit and quit end it as they end a shell, but not within a sentence', async (t) => {
    const lines = ['How do I quit?', 'QUIT', 'What is 1 + 1?']
    const { status, stdout } = await piped(folderFor(t), `${lines.join('\n')}\n`)
    assert.equal(status, 0)
    assert.match(stdout, /^I cannot answer that: .*How do I quit/)
    assert.doesNotMatch(stdout, /= 2/)
    for (const command of ['assist', 'support']) {
      const ran = await runCommand([command], folderFor(t), { input: 'exit\nhello\n' })
      assert.deepEqual([ran.status, ran.stdout], [0, ''], ran.stderr)
    }
  })

  test('reports an unknown command and goes on', async (t) => {
    const { status, stdout, stderr } = await piped(folderFor(t), '/foo\nWhat is 1 + 1?\n/help\n')
    assert.equal(status, 0)
    assert.match(stderr, /there is no command \/foo; \/help lists/)
    assert.match(stdout, /^1 \+ 1 = 2\n\/switch provider\/model/)
  })

  test('/save stores the conversation in a private file, and --resume continues it', async (t) => {
    const folder = folderFor(t)
    await piped(folder, 'What is 15 * 23?\n/save talk.json\n/clear\n/undo\n')
    const file = join(folder, 'talk.json')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).messages.length, 4)
    const more = await piped(folder, 'What is 7 * 6?\n/save talk.json\n', '--resume', 'talk.json')
    assert.deepEqual([more.status, more.stdout.split('\n')[0]], [0, '7 * 6 = 42'])
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).messages.length, 8)
  })

  test('--resume uses the model of the conversation, and says what cannot be undone', async (t) => {
    const folder = folderFor(t)
    const kept = await piped(folder, '/switch offline/big\nhello\n/save talk.json\n')
    assert.match(kept.stdout, /; echelon chat --resume talk\.json goes on with it\n$/)
    const more = await piped(folder, '/model\n/undo\n', '--resume', 'talk.json')
    const undone = 'turns from before this chat cannot be taken back'
    assert.deepEqual(more.stdout, `offline/big\n${undone}\n`)
    const other = ['--resume', 'talk.json', '--model', 'offline/small']
    assert.equal((await piped(folder, '/model\n', ...other)).stdout, 'offline/small\n')
  })

  test('errors use the words of the command line', async (t) => {
    const folder = folderFor(t)
    const lines = '/switch openai-compatible/x\n/switch openai/x\n/save no/where.json\n'
    const { stderr } = await piped(folder, lines)
    assert.match(stderr, /needs a server; write \/switch openai-compatible\/x http:/)
    assert.match(stderr, /set the environment variable OPENAI_API_KEY\n/)
    assert.match(stderr, /cannot be kept in no\/where\.json: there is no such folder\n/)
    assert.doesNotMatch(stderr, /ENOENT|apiKey/)
  })

  test('/save does not replace a file that holds something else', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'notes.json'), '{"mine":true}')
    const { stdout, stderr } = await piped(folder, '/save notes.json\n/save\n/save no/where.json\n')
    assert.equal(stdout, '')
    assert.match(stderr, /notes\.json is there and holds no conversation; choose another name/)
    assert.match(stderr, /write \/save FILE/)
    assert.match(stderr, /cannot be kept in no\/where\.json/)
    assert.equal(readFileSync(join(folder, 'notes.json'), 'utf8'), '{"mine":true}')
  })
})

test('[R23.1, R23.2] the configuration limits the tools of a chat', async (t) => {
  const folder = folderFor(t)
  const yaml = 'security:\n  denied_tools: [plotter]\n  allowed_tools: [calculator, plotter]\n'
  writeFileSync(join(folder, 'config.yaml'), yaml)
  const { stdout } = await piped(folder, '/tools\n')
  assert.deepEqual(stdout.match(/^\w+/gm), ['calculator'])
  const named = await piped(folder, 'x\n', '--tools', 'plotter')
  assert.equal(named.status, 2)
  assert.match(named.stderr, /--tools names plotter, and .*; there are calculator\n/)
})

describe('[C-13] a tool that asks before it runs', () => {
  const ask = ['--ask', 'calculator', 'What is 15 * 23?']

  test('is not approved if no one can be asked, and that is shown', async (t) => {
    const { status, stdout, stderr } = await echelon(t, 'chat', ...ask)
    assert.equal(status, 1)
    assert.match(
      stdout,
      /^I have no answer: .*: it needs approval, and nobody could be asked for it/,
    )
    assert.match(stderr, /calculator is not approved: nobody can be asked here; --approve always/)
  })

  test('is approved by --approve always, and refused by --approve never', async (t) => {
    const approved = await echelon(t, 'chat', '--approve', 'always', ...ask)
    assert.equal(approved.stdout, '15 * 23 = 345\n')
    const refused = await echelon(t, 'chat', '--approve', 'never', ...ask)
    assert.match(refused.stdout, /was not run/)
  })

  test('--ask all applies to every tool', async (t) => {
    const { stdout } = await piped(folderFor(t), '/tools\n', '--ask', 'all')
    assert.equal(stdout.match(/\(asks first\)$/gm)?.length, 5)
  })
})

const MISTAKES: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['a model without its provider', ['--model', 'nope', 'x'], /echelon: --model is "nope"/],
  [
    'a file of no conversation',
    ['--resume', process.execPath, 'x'],
    /name a file that \/save kept/,
  ],
  ['nothing to say', [], /there is no message; give one/],
  ['a model without a key', ['--model', 'openai/gpt-5-nano', 'x'], /set .*OPENAI_API_KEY/],
  ['an invalid model', ['--model', 'offline/huge', 'x'], /use offline\/small or offline\/big/],
  ['an invalid tool', ['--tools', 'nope', 'x'], /no such tool here; there are calculator/],
  ['an unknown tool to ask for', ['--no-tools', '--ask', 'plotter', 'x'], /there are none/],
  ['a server without a model', ['--base-url', 'http://localhost:1/v1', 'x'], /add --model/],
  ['an invalid answer', ['--approve', 'once', 'x'], /Allowed choices are always, never/],
  ['no number', ['--max-iterations', '0', 'x'], /whole number of at least 1/],
  ['a missing file', ['--resume', 'gone.json', 'x'], /no conversation can be read from/],
]

for (const [what, args, says] of MISTAKES) {
  test(`a chat with ${what} is one line on stderr and exit status 2`, async (t) => {
    const { status, stdout, stderr } = await echelon(t, 'chat', ...args)
    assert.equal(status, 2)
    assert.equal(stdout, '')
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /\n\s+at /)
  })
}

test('a chat is recorded, and replayed without a key', async (t) => {
  await using server = await startModelServer([{ type: 'reply', text: ['Hello.'] }])
  const folder = folderFor(t)
  const variables = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.baseUrl }
  const args = ['chat', '--model', 'openai/gpt-5-nano', 'hi']
  const live = await runCommand([...args, '--record-models', 'tape'], folder, { env: variables })
  assert.equal(live.stdout, 'Hello.\n', live.stderr)
  const replayed = await runCommand([...args, '--replay-models', 'tape'], folder)
  assert.deepEqual([replayed.status, replayed.stdout, replayed.stderr], [0, 'Hello.\n', ''])
})
