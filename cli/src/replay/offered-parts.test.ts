import assert from 'node:assert/strict'
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ServerAnswer, startModelServer } from 'echelon/testing'
import { folderFor, type Ran, runCommand } from '../testing/run-command.ts'
import { onTerminal } from '../testing/terminal.ts'

const FILES = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
)
const EXAMPLES = join(import.meta.dirname, '../../../examples/skills')

const calls = (tool: string, input: Record<string, string | readonly string[]>): ServerAnswer => ({
  type: 'reply',
  toolCalls: [{ tool, input: { ...input } }],
})

/** Runs the command in a folder with a model that gives these answers. */
async function withModel(
  folder: string,
  answers: readonly ServerAnswer[],
  args: readonly string[],
): Promise<Ran> {
  await using server = await startModelServer([...answers])
  const own = { XDG_CONFIG_HOME: join(folder, 'own') }
  return await runCommand(
    [...args, '--model', 'openai-compatible/m', '--base-url', server.baseUrl],
    folder,
    { env: own },
  )
}

const inFolder = (folder: string, ...args: readonly string[]): Promise<Ran> =>
  runCommand(args, folder, { env: { XDG_CONFIG_HOME: join(folder, 'own') } })

test('[C-34] replays and forks a chat with MCP tools without their server', async (t) => {
  const folder = folderFor(t)
  const path = join(folder, 'note.txt')
  await inFolder(folder, 'tools', 'add', 'mcp', 'files', '--', process.execPath, FILES, folder)
  const talked = await withModel(
    folder,
    [
      calls('files_write_file', { path, content: 'Buy milk.' }),
      calls('files_read_text_file', { path }),
      { type: 'reply', text: ['Noted.'] },
    ],
    ['chat', '--record', 'run.jsonl', '--approve', 'always', 'Note: buy milk.'],
  )
  assert.deepEqual([talked.status, talked.stdout], [0, 'Noted.\n'], talked.stderr)
  // The server and its file are gone.
  rmSync(join(folder, '.mcp.json'))
  rmSync(path)
  const { status, stdout, stderr } = await inFolder(folder, 'replay', 'run.jsonl')
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /calls files_write_file .*✓ files_write_file content: "Successfully wrote/)
  assert.match(stdout, /\nexact:/)
  assert.ok(!existsSync(path))
  const fork = ['replay', 'run.jsonl', '--fork-at', '1'] as const
  const act = ['--model', 'offline/small', '--act', 'files_write_file'] as const
  const named = await inFolder(folder, ...fork, ...act)
  assert.equal(named.status, 2)
  assert.match(named.stderr, /a tool of an MCP server, which a fork does not connect to/)
  await using server = await startModelServer([
    calls('files_write_file', { path, content: 'Buy milk.' }),
    calls('files_write_file', { path, content: 'Buy beer.' }),
    calls('files_read_text_file', { path: join(folder, 'own') }),
    { type: 'reply', text: ['So be it.'] },
  ])
  const config = `providers:\n  openai-compatible:\n    base_url: ${server.baseUrl}\n`
  writeFileSync(join(folder, 'config.yaml'), config)
  const forked = await inFolder(folder, ...fork)
  assert.equal(forked.status, 0, forked.stdout + forked.stderr)
  assert.match(forked.stdout, /✓ files_write_file content: "Successfully/)
  const told = JSON.stringify(server.requests.at(-1)?.body['messages'])
  // By then the model has read text of the server, so acting calls need approval, and a fork can ask
  // no one.
  assert.match(told, /the user did not approve it/)
  assert.match(told, /files_read_text_file is a tool of an MCP server, which a replay or fork/)
  assert.ok(!existsSync(path))
})

test('replays a chat with skills without their folder, and runs no script again', async (t) => {
  const folder = folderFor(t)
  cpSync(EXAMPLES, join(folder, 'skills'), { recursive: true })
  const script = { skill: 'invoice-check', path: 'scripts/total.mjs', args: ['19.90', '0.10'] }
  const talked = await withModel(
    folder,
    [
      calls('open_skill', { name: 'invoice-check' }),
      calls('run_skill_script', script),
      { type: 'reply', text: ['Twenty.'] },
    ],
    [
      'chat',
      '--record',
      'run.jsonl',
      '--approve',
      'always',
      '--skills',
      'skills',
      '--skill-scripts',
      'Add it up.',
    ],
  )
  assert.equal(talked.stdout, 'Twenty.\n', talked.stderr)
  rmSync(join(folder, 'skills'), { recursive: true })
  const { status, stdout, stderr } = await inFolder(folder, 'replay', 'run.jsonl')
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /✓ run_skill_script exit: 0/)
  assert.match(stdout, /\nexact:/)
})

test('a replay repeats an approval typed on a terminal', async (t) => {
  const folder = folderFor(t)
  const { status, screen } = await onTerminal(
    ['chat', '--ask', 'calculator', '--record', 'run.jsonl'],
    [
      ['> ', 'What is 15 * 23?\r'],
      ['ne[v]er? ', 'once\r'],
      ['345\r\n\r\n', 'What is 7 * 6?\r'],
      ['ne[v]er? ', 'never\r'],
      ['\r\n\r\n', '/exit\r'],
    ],
    { folder },
  )
  assert.equal(status, 0, screen)
  const again = await onTerminal(['replay', 'run.jsonl'], [], { folder })
  assert.equal(again.status, 0, again.screen)
  assert.match(again.screen, /✓ calculator value: "345"/)
  assert.match(again.screen, /calls calculator .*\n {5}\? may calculator run\? once\n {5}✓/)
  assert.match(again.screen, /\? may calculator run\? never\n {5}✗ calculator was not run/)
  assert.match(again.screen, /\nexact:/)
  for (const line of again.screen.split('\n').slice(0, -3)) assert.ok(line.length <= 80, line)
})
