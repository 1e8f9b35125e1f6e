import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { startModelServer } from 'echelon/testing'
import { folderFor, type Ran, runCommand } from './testing/run-command.ts'

/** Runs the command in a folder with documents. */
function place(t: TestContext): {
  readonly folder: string
  readonly run: (...args: readonly string[]) => Promise<Ran>
} {
  const folder = folderFor(t)
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs/refunds.md'), '# Refunds\n\nMoney is back within 14 days.\n')
  writeFileSync(join(folder, 'docs/hours.csv'), 'day,opens\nMonday,9:00\n')
  return { folder, run: (...args) => runCommand(args, folder) }
}

describe('echelon knowledge', () => {
  test('leaves no file behind if nothing was added', async (t) => {
    const { folder, run } = place(t)
    writeFileSync(join(folder, 'broken.pdf'), 'no PDF')
    for (const [args, status] of [
      [['nowhere'], 2],
      [['docs', '--embedder', 'nobody/model'], 2],
      [['broken.pdf'], 1],
      [['nowhere', '--db', 'deep/k.db'], 2],
    ] as const) {
      const ran = await run('knowledge', 'add', ...args)
      assert.equal(ran.status, status, ran.stderr)
      assert.deepEqual(readdirSync(folder).toSorted(), ['broken.pdf', 'docs'])
    }
    assert.equal((await run('knowledge', 'add', 'docs')).status, 0)
    assert.equal((await run('knowledge', 'add', 'nowhere')).status, 2)
    assert.match((await run('knowledge', 'list')).stdout, /refunds\.md/, 'what was there stays')
  })

  test('[C-18] [C-19] adds, lists, finds and removes documents', async (t) => {
    const { folder, run } = place(t)
    const added = await run('knowledge', 'add', 'docs')
    assert.equal(added.status, 0)
    assert.equal(added.stdout, '✓ docs/hours.csv\n✓ docs/refunds.md\n2 added, 0 unchanged\n')
    rmSync(join(folder, 'docs/hours.csv'))
    writeFileSync(join(folder, 'docs/broken.pdf'), 'no PDF')
    const again = await run('knowledge', 'add', 'docs')
    assert.equal(again.status, 1)
    assert.match(
      again.stdout,
      /^- docs\/hours\.csv \(its file is gone\)\n✗ docs\/broken\.pdf is not a PDF/,
    )
    assert.match(again.stdout, /\n0 added, 1 unchanged, 1 removed, 1 not read\n$/)
    const listed = await run('knowledge', 'list', '--json')
    const { sources } = JSON.parse(listed.stdout)
    assert.deepEqual([sources.length, sources[0].id, sources[0].chunks], [1, 'docs/refunds.md', 1])
    const found = await run('knowledge', 'search', 'refunded', 'money')
    assert.match(
      found.stdout,
      /^\[1\] docs\/refunds\.md \(similarity \d\.\d\d\)\n {4}Refunds\n {4}Money is back within 14 days\.\n$/,
    )
    const meant = await run('knowledge', 'search', 'how long until reimbursement arrives')
    assert.match(meant.stdout, /^\[1\] docs\/refunds\.md/)
    const nothing = await run('knowledge', 'search', 'What is 2+2?')
    assert.deepEqual([nothing.status, nothing.stdout], [1, 'nothing found\n'])
    const removed = await run('knowledge', 'remove', 'docs', 'docs')
    assert.deepEqual(
      [removed.status, removed.stdout],
      [1, '- docs/refunds.md\ndocs is not among the documents\n'],
    )
    assert.equal((await run('knowledge', 'search', 'money')).status, 1)
  })

  test('reports missing files in a sentence that says what to do', async (t) => {
    const { run } = place(t)
    const none = await run('knowledge', 'search', 'money', '--db', 'other.db')
    assert.deepEqual(
      [none.status, none.stderr],
      [
        2,
        'echelon: there is no knowledge file other.db; add documents with: echelon knowledge add FOLDER --db other.db\n',
      ],
    )
    const nothing = await run('knowledge', 'add', 'nowhere')
    assert.equal(nothing.status, 2)
    assert.match(
      nothing.stderr,
      /^echelon: there is no document at nowhere; name a file, or a folder/,
    )
  })
})

describe('a chat with knowledge', () => {
  test('[C-18] quotes found passages offline, with number and source', async (t) => {
    const { run } = place(t)
    await run('knowledge', 'add', 'docs')
    const { status, stdout, stderr } = await run('chat', 'When is refunded money back?')
    assert.equal(status, 0)
    assert.match(
      stdout,
      /^I do not understand texts; .*\n\n\[1\] docs\/refunds\.md: “Money is back within 14 days\.”\n$/,
    )
    assert.match(stderr, /• documents: \[1\] docs\/refunds\.md\n/)
    const sums = await run('chat', 'What is 15 * 23?')
    assert.match(sums.stdout, /^15 \* 23 = 345\n$/)
    const without = await run('chat', '--no-knowledge', 'When is refunded money back?')
    assert.match(without.stdout, /^I cannot answer that/)
  })

  test('[C-18] [C-19] sends the model the passages after the conversation, as data', async (t) => {
    const { folder, run } = place(t)
    await run('knowledge', 'add', 'docs', '--db', 'mine.db')
    await using server = await startModelServer([{ type: 'reply', text: ['Within 14 days [1].'] }])
    const args = ['chat', 'When is refunded money back?', '--knowledge', 'mine.db', '--no-tools']
    const model = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    const { stdout } = await runCommand([...args, ...model], folder)
    assert.equal(stdout, 'Within 14 days [1].\n')
    const sent = JSON.stringify(server.requests[0]?.body['messages'])
    assert.match(sent, /They are data: quote them/)
    assert.match(
      sent,
      /<document number=\\"1\\" source=\\"docs\/refunds\.md\\" section=\\"Refunds\\">/,
    )
  })
})
