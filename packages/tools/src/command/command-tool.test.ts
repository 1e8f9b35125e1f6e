import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { isRecord } from 'echelon/internal/value'
import { wallHere } from 'echelon/runtime'
import { toolContract } from 'echelon/testing'
import { type Attempt, commandCheck } from 'echelon/verify'
import { commandTool, type CommandToolOptions } from './command-tool.ts'

const NODE = process.execPath
/** The wall is tried apart; here it may be missing. */
const OPEN = { wall: 'auto' } as const

async function run(
  text: string,
  options: Partial<CommandToolOptions> & Pick<CommandToolOptions, 'command'>,
  signal: AbortSignal = AbortSignal.timeout(20_000),
): Promise<Readonly<Record<string, unknown>>> {
  const tool = commandTool({ ...OPEN, ...options })
  const end = await tool.run(
    { text },
    {
      key: 'run:0.0',
      signal,
      at: 0,
      timeZone: 'UTC',
      artifacts: { write: () => Promise.reject(new Error('nothing is kept')) },
      progress: () => undefined,
    },
  )
  assert.ok(isRecord(end))
  return end
}

const script = (code: string): CommandToolOptions['command'] => [NODE, '-e', code, '{file}']

for (const { name, holds } of toolContract(
  () => commandTool({ ...OPEN, command: script('process.exit(0)') }),
  { input: { text: 'x' } },
)) {
  test(`the command tool: ${name}`, holds)
}

test('a command gets the text in a file, and tells its status and output', async () => {
  const code =
    'process.stdout.write(require("fs").readFileSync(process.argv[1], "utf8")); process.exit(3)'
  assert.deepEqual(await run('a "b" $(id)\n', { command: script(code) }), {
    exit: 3,
    stdout: 'a "b" $(id)\n',
    stderr: '',
  })
})

test('the file is the last argument unless the command places it, and has the given name', async () => {
  const { stdout } = await run('x', { command: ['basename'], file: 'answer.py' })
  assert.equal(stdout, 'answer.py\n')
})

test('a command sees nothing of this environment', async () => {
  process.env['ECHELON_TEST_SECRET'] = 'sk-1'
  try {
    const code = 'console.log(JSON.stringify(process.env))'
    const { stdout } = await run('x', { command: script(code), env: { MODE: 'dry' } })
    assert.equal(stdout, '{"MODE":"dry"}\n')
  } finally {
    delete process.env['ECHELON_TEST_SECRET']
  }
})

test('a command that does not end is ended with its signal', async () => {
  const endless = run('x', { command: script('for (;;);') }, AbortSignal.timeout(500))
  await assert.rejects(endless, { code: 'TOOL_ERROR' })
})

test('a command that prints or takes too much is ended', async () => {
  await assert.rejects(
    run('x', {
      command: script('for (;;) require("fs").writeSync(1, "x".repeat(4096))'),
      maxOutputBytes: 10_000,
    }),
    { message: /printed more than 10000 bytes/ },
  )
  const greedy = 'const all = []; for (;;) all.push(Buffer.alloc(64 * 1024 * 1024, 1))'
  const { exit } = await run('x', { command: script(greedy), memoryMb: 64 })
  assert.notEqual(exit, 0)
})

test('behind a wall that blocks writes, nothing is written and no server is reached', async (t) => {
  const wall = await wallHere()
  if (wall?.blocksWrites !== true) return t.skip('this machine has no such wall')
  const code = `
    try { require('fs').writeFileSync(process.argv[1], 'changed'); console.log('written') }
    catch { console.log('not written') }
    require('net').connect(9, '127.0.0.1').on('error', ({ code }) => console.log(code !== ''))`
  const { stdout } = await run('x', { command: script(code), wall: 'required' })
  assert.match(String(stdout), /^not written\n/)
})

test('a required wall that leaves files open runs nothing', async () => {
  const wall = await wallHere()
  const ran = run('x', { command: script('console.log(1)'), wall: 'required' })
  if (wall?.blocksWrites === true) assert.equal((await ran)['stdout'], '1\n')
  else await assert.rejects(ran, { code: 'TOOL_ERROR', message: /is required.*install bubblewrap/ })
})

test('the file is removed again', async () => {
  const mine = (): number =>
    readdirSync(tmpdir()).filter((name) => name.startsWith('echelon-command-')).length
  const before = mine()
  await run('x', { command: script('process.exit(0)') })
  assert.ok(mine() <= before)
})

test('a program that is missing, a limit and a file name that cannot be used are named', async () => {
  await assert.rejects(run('x', { command: ['no-such-program'] }), {
    code: 'TOOL_ERROR',
    message: 'the program no-such-program is not there',
  })
  assert.throws(() => commandTool({ command: ['true'], memoryMb: 0 }), { code: 'INVALID_CONFIG' })
  assert.throws(() => commandTool({ command: ['true'], file: '../x' }), {
    message: /give a name such as answer\.py, without a folder/,
  })
})

test('commandCheck tells generated code that passes its tests from code that only looks right', async () => {
  const tests = `
    const median = new Function('values', require('fs').readFileSync(process.argv[1], 'utf8'))
    require('assert').equal(median([3, 1, 2]), 2)
    require('assert').equal(median([10, 9, 2, 1]), 5.5)`
  const verifier = commandCheck({ tool: 'run_command' })
  const verdictOf = async (code: string): Promise<string> => {
    const attempt: Attempt = {
      task: { question: 'The body of a function `median(values)`', wanted: { kind: 'text' } },
      answer: { type: 'text', text: `Here it is:\n\`\`\`js\n${code}\n\`\`\`` },
      made: [],
    }
    const ask = verifier.verify(attempt, [])
    assert.ok(ask.verdict === 'ask' && ask.effects[0]?.type === 'call-tools')
    const input = ask.effects[0].calls[0]?.input
    const text = isRecord(input) ? input['text'] : undefined
    assert.ok(typeof text === 'string')
    const value = await run(text, { command: script(tests) })
    const { exit = null } = value
    assert.ok(typeof exit === 'number')
    const outcome = { type: 'ok', value: { exit } } as const
    return verifier.verify(attempt, [{ type: 'tools-called', outcomes: [outcome] }]).verdict
  }
  const sorted = 'const all = values.toSorted((a, b) => a - b), half = all.length >> 1'
  assert.equal(
    await verdictOf(
      `${sorted}\nreturn all.length % 2 ? all[half] : (all[half - 1] + all[half]) / 2`,
    ),
    'scored',
  )
  assert.equal(await verdictOf(`${sorted}\nreturn all[half]`), 'refuted')
  // Sorts 10 before 9, as text.
  assert.equal(
    await verdictOf('const all = values.toSorted(); return (all[1] + all[2]) / 2'),
    'refuted',
  )
})
