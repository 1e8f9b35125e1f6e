import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { startModelServer } from 'echelon/testing'
import { echelon, finish, folderFor, runCommand, spawned } from './testing/run-command.ts'
import { onTerminal } from './testing/terminal.ts'

test('[R1.3] shows a task that the small model solves step by step and exits 0', async (t) => {
  const { status, stdout, stderr } = await echelon(t, 'decide', 'What is 15 * 23?')
  assert.equal(status, 0)
  assert.match(stdout, /^plan +offline\/small: calculator\nrun +calculator .*345\nverify +✓/)
  assert.match(stdout, /\n345\nverified · offline\/small 1× · 1 tool call · \$0\.00\n$/)
  assert.match(
    stderr,
    /^offline models answer \(no OPENAI_API_KEY\); --small and --big name others\n$/,
  )
})

test('escalates a task that only the big model understands, and verifies the answer', async (t) => {
  const { status, stdout } = await echelon(
    t,
    'decide',
    'A shirt costs $40 and is 25% off; what do three cost?',
  )
  assert.equal(status, 0)
  assert.match(stdout, /escalate ▲ to offline\/big/)
  assert.match(stdout, /\n90\nverified/)
})

test('[R9.2, R9.4, DD-20] --json prints the documented object and nothing else on stdout', async (t) => {
  const folder = folderFor(t)
  const args = ['decide', '--json', '--trace', 'run.jsonl', 'What is 15 * 23?']
  const { stdout, status } = await runCommand(args, folder)
  const result = JSON.parse(stdout)
  assert.equal(status, 0)
  assert.deepEqual(
    [result.answer, result.verified, result.finish_reason, result.counters],
    ['345', true, 'success', { llm_calls_small: 1, llm_calls_big: 0, tool_calls: 1, act_steps: 1 }],
  )
  const trace = readFileSync(join(folder, 'run.jsonl'), 'utf8').trim().split('\n')
  assert.deepEqual(
    trace.map((line) => JSON.parse(line)),
    result.logs,
  )
  assert.equal(statSync(join(folder, 'run.jsonl')).mode & 0o777, 0o600)
})

test('[R25.4] an ambiguous date ends in one clear sentence and exit status 1', async (t) => {
  const { status, stdout } = await echelon(t, 'decide', 'What day is 03/04/2025?')
  assert.equal(status, 1)
  assert.match(stdout, /\nNo model can fix this: .*March 4, 2025 or April 3, 2025.*\.\nno answer/)
  assert.match(stdout, /offline\/small 1× · 1 tool call/)
  assert.doesNotMatch(stdout, /offline\/big/)
})

test('an impossible question ends in one clear sentence and exit status 1', async (t) => {
  const { status, stdout } = await echelon(t, 'decide', 'What is the capital of France?')
  assert.equal(status, 1)
  assert.match(stdout, /\nNo answer: .*offline model that reads arithmetic.*\.\nno answer/)
  assert.doesNotMatch(stdout, /offline\/big/)
})

test('reports an answer that cannot be checked in the last line, with exit status 1', async (t) => {
  const { status, stdout } = await echelon(t, 'decide', 'What is 47 mod 10?')
  assert.equal(status, 1)
  assert.match(stdout, /\n7\nNot checked: .*\n.*\nnot checked · offline\/small 1× · 1 tool call/)
  const refused = await echelon(
    t,
    'decide',
    '--unchecked',
    'refuse',
    '--json',
    'What is 47 mod 10?',
  )
  assert.equal(refused.status, 1)
  const { answer, checked, finish_reason, counters } = JSON.parse(refused.stdout)
  assert.deepEqual(
    [answer, checked, finish_reason, counters.llm_calls_small],
    [null, 'not_checked', 'unchecked', 0],
  )
})

test('prints a hint unless an answer or tools were asked for', async (t) => {
  const wrong = await echelon(t, 'decide', 'What is 15 * 23?', '--gold', '346')
  assert.match(wrong.stdout, /\n345\nNot verified: .* 345, and the known one is 346\.\nrefuted/)
  const missing = await echelon(t, 'decide', 'What is 15 * 23?', '--tools', 'calendar')
  assert.match(
    missing.stdout,
    /\nNot verified: the answer must rest on calendar, which gave no result\.\nnot checked/,
  )
})

const MISTAKES: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['an unknown command', ['decyde', 'x'], /unknown command 'decyde'/],
  ['an unknown option', ['decide', '--jsn', 'x'], /unknown option '--jsn'/],
  ['no task', ['decide'], /decide needs a task, such as/],
  ['an empty task', ['decide', '-'], /the task is empty/],
  ['a task that is too long', ['decide', '7'.repeat(9000)], /9000 characters and may have 8192/],
  ['an unknown mode', ['decide', '--mode', 'fast', 'x'], /Allowed choices are hrm_small/],
  ['a seed that is not a number', ['decide', '--seed', 'x1', 'y'], /must be a whole number/],
  [
    'an invalid day',
    ['decide', '--today', '2025-02-30', 'y'],
    /is not a date; write one as 2025-09-08/,
  ],
  ['an unknown zone', ['decide', '--timezone', 'Mars/Base', 'y'], /IANA name such as/],
  ['an unknown provider', ['decide', '--small', 'ofline/small', 'y'], /did you mean offline/],
  ['an unknown offline model', ['decide', '--small', 'offline/huge', 'y'], /offline\/small/],
  [
    'a server without a model',
    ['decide', '--base-url', 'http://localhost:1/v1', 'y'],
    /add --small/,
  ],
  ['a model without a server', ['decide', '--small', 'openai-compatible/m', 'y'], /--base-url/],
  ['two ways to name models', ['decide', '--ladder', 'a/b', '--small', 'c/d', 'y'], /--ladder/],
  ['a trace that cannot be written', ['decide', '--trace', '/nowhere/x', 'y'], /choose another/],
]

for (const [what, args, says] of MISTAKES) {
  test(`${what} is one line on stderr, exit status 2 and nothing on stdout`, async (t) => {
    const { status, stdout, stderr } = await echelon(t, ...args)
    assert.equal(status, 2)
    assert.equal(stdout, '')
    assert.match(stderr, says)
    const lines = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('offline models answer'))
    assert.ok(lines.length <= 2, stderr)
    assert.doesNotMatch(stderr, /\n\s+at /)
  })
}

test('reads a task from a pipe', async (t) => {
  const { status, stdout } = await runCommand(['decide', '-'], folderFor(t), {
    input: 'What is 6 * 7?\n',
  })
  assert.equal(status, 0)
  assert.match(stdout, /\n42\nverified/)
})

test('[R9.3] refuses a task that is not UTF-8', async (t) => {
  const { status, stderr } = await runCommand(['decide', '-'], folderFor(t), {
    input: Uint8Array.of(0x57, 0xff, 0xfe, 0x3f),
  })
  assert.equal(status, 2)
  assert.match(stderr, /not UTF-8 text/)
})

test('[R25.1, R9.5] uses the system time zone unless one is given', async (t) => {
  const stamps = async (...args: string[]): Promise<string> => {
    const folder = folderFor(t)
    const { stdout } = await runCommand(['decide', '--json', ...args, 'What is 2 + 2?'], folder, {
      env: { TZ: 'Asia/Bangkok' },
    })
    return JSON.parse(stdout).logs[0].ts
  }
  assert.match(await stamps(), /\+07:00$/)
  assert.match(await stamps('--timezone', 'America/St_Johns'), /-0[23]:30$/)
})

test('a reader that closes the pipe early is not a failure', async (t) => {
  const child = spawned(['decide', 'What is 15 * 23?'], folderFor(t))
  child.stdout?.once('data', () => child.stdout?.destroy())
  const [status] = await once(child, 'exit')
  assert.equal(status, 0)
})

test('[DD-12] shows a retried tool call, and the run continues', async (t) => {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.writeHead(503).end()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const url = `http://127.0.0.1:${address.port}/{ticker}`
  const question = 'What was the last closing price of TSLA?'
  const { status, stdout, stderr } = await echelon(t, 'decide', '--stock-url', url, question)
  assert.equal(status, 1, stderr)
  assert.match(stdout, /\nretry +/)
  assert.ok(requests >= 3, `${requests} requests`)
})

test('a trace that cannot be written loses nothing else', async (t) => {
  const { status, stdout, stderr } = await echelon(
    t,
    'decide',
    '--trace',
    '/dev/full',
    'What is 6 * 7?',
  )
  assert.equal(status, 0)
  assert.match(stdout, /\n42\nverified/)
  assert.match(stderr, /trace file .* is not complete \(.*no space left/i)
})

test('refuses an unknown tool in --tools before any model call', async (t) => {
  const { status, stdout, stderr } = await echelon(
    t,
    'decide',
    '--tools',
    'calculater',
    'What is 1 + 1?',
  )
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /there is no tool calculater .*calculator, calendar/)
})

test('tools and providers are listed', async (t) => {
  const [tools, providers] = await Promise.all([
    echelon(t, 'tools', '--json'),
    echelon(t, 'providers'),
  ])
  assert.deepEqual(
    JSON.parse(tools.stdout).map(({ name }: { name: string }) => name),
    ['calculator', 'calendar', 'data_fetch_stock', 'numeric_analysis', 'plotter'],
  )
  assert.match(providers.stdout, /offline\/small, offline\/big/)
  assert.match(providers.stdout, /openai-compatible/)
})

test('without arguments it prints help and exits 0', async (t) => {
  const { status, stdout } = await echelon(t)
  assert.equal(status, 0)
  assert.match(stdout, /Usage: echelon .*decide/s)
})

const plan = (expr: string): { type: 'reply'; text: [string] } => ({
  type: 'reply',
  text: [JSON.stringify({ actions: [{ tool: 'calculator', args: { expr } }], cannot: null })],
})

test('[R3.1, R11.4] the small model fails and the big one succeeds over HTTP', async (t) => {
  await using server = await startModelServer([plan('15 * 24'), plan('15 + 23'), plan('15 * 23')])
  const model = (name: string): string => `openai-compatible/${name}`
  const args = ['--base-url', server.baseUrl, '--small', model('tiny'), '--big', model('large')]
  const { status, stdout, stderr } = await runCommand(
    ['decide', ...args, 'What is 15 * 23?'],
    folderFor(t),
    {
      env: { ECHELON_API_KEY: 'sk-test-0123456789abcdef' },
    },
  )
  assert.equal(status, 0, stderr)
  assert.match(stdout, /\n345\nverified · .*tiny 2× · .*large 1× · 3 tool calls · cost unknown\n$/)
  assert.deepEqual(
    server.requests.map(({ body }) => body['model']),
    ['tiny', 'tiny', 'large'],
  )
  const [first, , last] = server.requests
  assert.equal(first?.headers.authorization, 'Bearer sk-test-0123456789abcdef')
  assert.match(
    JSON.stringify(last?.body['messages']),
    /an operation differs, or the order of the operations/,
  )
  assert.doesNotMatch(stdout + stderr, /sk-test/)
  server.assertComplete()
})

test('prices of other tickers come from a CSV server', async (t) => {
  const server = createServer((request, response) => {
    assert.equal(request.url, '/TSLA.csv')
    response.end('Date,Close\n2025-01-02,100\n2025-01-03,101.5\n')
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const url = `http://127.0.0.1:${address.port}/{ticker}.csv`
  const question = 'What was the last closing price of TSLA?'
  const { status, stdout } = await echelon(t, 'decide', '--stock-url', url, question)
  assert.equal(status, 0, stdout)
  assert.match(stdout, /TSLA closed at \$101\.50 on Friday, January 3, 2025\./)
})

test('gives the reason for a declined task once', async (t) => {
  const { status, stdout } = await echelon(t, 'decide', 'Is Zanzibar nice?')
  assert.equal(status, 1)
  assert.match(stdout, /^plan {5}offline\/small declines\n/)
  assert.equal(stdout.match(/did not understand all of "Is Zanzibar nice\?"/g)?.length, 1, stdout)
})

test('wraps between words on a narrow terminal', async (t) => {
  const place = { folder: folderFor(t), columns: 40 }
  const { screen } = await onTerminal(['decide', 'Is Zanzibar nice?'], [], place)
  assert.match(
    screen,
    /\nNo answer: I did not understand all of\n"Is Zanzibar nice\?"; I am an offline\n/,
  )
  for (const line of screen.split('\n')) assert.ok(line.length < 120, line)
})

test('[DD-22] Ctrl-C ends a run that waits for a model, with a partial result', async (t) => {
  await using server = await startModelServer([{ type: 'silence' }])
  const args = ['--base-url', server.baseUrl, '--small', 'openai-compatible/slow', '--json']
  const child = spawned(['decide', ...args, 'What is 15 * 23?'], folderFor(t))
  const ending = finish(child)
  while (server.requests.length === 0 && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGINT')
  const { status, stdout } = await ending
  assert.equal(status, 1)
  assert.equal(JSON.parse(stdout).finish_reason, 'canceled')
})
