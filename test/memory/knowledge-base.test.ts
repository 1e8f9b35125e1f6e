import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Embedder } from '../../packages/echelon/src/core/model/embedder.ts'
import { hashedEmbedder } from '../../packages/knowledge/src/embedders/hashed.ts'
import { type KnowledgeBaseOptions, knowledgeBase } from '@echelon/knowledge'
import { openKnowledge } from '@echelon/store'
import type { AddProgress, KnowledgeBase } from '../../packages/knowledge/src/knowledge-base.ts'

interface Place {
  readonly root: string
  readonly base: KnowledgeBase
  /** Counts embeddings. */
  readonly embedded: () => number
  readonly write: (path: string, text: string) => Promise<void>
}

async function placeFor(
  t: TestContext,
  options: Partial<KnowledgeBaseOptions> = {},
): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'echelon-base-'))
  const store = await openKnowledge(':memory:')
  t.after(async () => {
    await store.close()
    await rm(root, { recursive: true, force: true })
  })
  const inner = hashedEmbedder()
  let embedded = 0
  const embedder: Embedder = {
    ...inner,
    embed(...asked) {
      embedded++
      return inner.embed(...asked)
    },
  }
  return {
    root,
    base: knowledgeBase({ store, root, embedder, ...options }),
    embedded: () => embedded,
    async write(path, text) {
      await mkdir(join(root, path, '..'), { recursive: true })
      await writeFile(join(root, path), text)
    },
  }
}

test('[C-18] [C-19] a folder is added, and later only changed files are read again', async (t) => {
  const { base, root, write, embedded } = await placeFor(t)
  await write('docs/refunds.md', '# Refunds\n\nMoney comes back within 14 days.')
  await write('docs/deep/fees.csv', 'name,fee\nexpress,5 EUR\n')
  await write('docs/page.html', '<title>Hours</title><h1>Hours</h1><p>Open from nine to five.</p>')
  const first = await base.add('docs')
  assert.deepEqual(first.added, ['docs/deep/fees.csv', 'docs/page.html', 'docs/refunds.md'])
  assert.deepEqual(
    (await base.list()).map(({ id, title }) => [id, title]),
    [
      ['docs/deep/fees.csv', 'fees.csv'],
      ['docs/page.html', 'Hours'],
      ['docs/refunds.md', 'Refunds'],
    ],
  )
  const [found] = await base.search('when do I get my money back?')
  assert.deepEqual([found?.source, found?.headings], ['docs/refunds.md', ['Refunds']])

  const before = embedded()
  // Another time stamp, the same content.
  await utimes(join(root, 'docs/refunds.md'), 1, 1)
  const again = await base.add('docs')
  assert.deepEqual([again.added, again.unchanged.length, embedded()], [[], 3, before])

  await write('docs/refunds.md', '# Refunds\n\nThere are none any more.')
  await rm(join(root, 'docs/page.html'))
  const third = await base.add('docs')
  assert.deepEqual([third.added, third.removed], [['docs/refunds.md'], ['docs/page.html']])
  assert.equal(
    (await base.search('14 days')).some(({ text }) => text.includes('14')),
    false,
  )
})

test('[C-19] a broken file is reported and stops no other; its earlier version stays', async (t) => {
  const { base, write } = await placeFor(t)
  await write('docs/a.pdf', 'no PDF at all')
  await write('docs/b.md', 'Good text.')
  await write('docs/c.docx', 'PK no zip')
  const { added, failed } = await base.add('docs')
  assert.deepEqual(added, ['docs/b.md'])
  assert.deepEqual(
    failed.map(({ source }) => source),
    ['docs/a.pdf', 'docs/c.docx'],
  )
  for (const { message } of failed) assert.match(message, /^(?:a\.pdf|c\.docx) /)
  await write('docs/b.md', 'text with \0 zeros \0'.repeat(10))
  const second = await base.add('docs/b.md')
  assert.equal(second.failed.length, 1)
  assert.equal((await base.search('good text'))[0]?.text, 'Good text.')
})

test('links, hidden files and packages are skipped, and a link itself is rejected', async (t) => {
  const { base, root, write } = await placeFor(t)
  await write('outside/secret.md', 'secret')
  await write('docs/a.md', 'a')
  await write('docs/.hidden.md', 'hidden')
  await write('docs/.git/b.md', 'hidden')
  await write('docs/node_modules/p/README.md', 'package')
  await write('docs/tool.bin', 'binary')
  await symlink(join(root, 'outside'), join(root, 'docs/link'))
  await symlink(join(root, 'outside/secret.md'), join(root, 'docs/link.md'))
  assert.deepEqual((await base.add('docs')).added, ['docs/a.md'])
  await assert.rejects(base.add('docs/link.md'), /link\.md is a link; give the path it points to$/)
})

test('[C-19] too many files, too many bytes and an empty folder are rejected before anything is read', async (t) => {
  const few = await placeFor(t, { limits: { maxFiles: 2 } })
  for (const name of ['a', 'b', 'c']) await few.write(`${name}.md`, name)
  await assert.rejects(few.base.add('.'), /more than 2 documents in it; add its folders one by one/)
  const small = await placeFor(t, { limits: { maxTotalBytes: 10 } })
  await small.write('a.md', 'x'.repeat(11))
  await assert.rejects(
    small.base.add('a.md'),
    /have 11 bytes in total, and one call adds at most 10/,
  )
  await assert.rejects(small.base.add('none.md'), {
    code: 'INVALID_INPUT',
    message:
      'there is no document at none.md; name a file, or a folder of files such as .md, .pdf or .docx',
  })
  assert.deepEqual([few.embedded(), small.embedded()], [0, 0])
})

test('an added file that still exists stays, even if its folder is not searched for its kind', async (t) => {
  const { base, root, write } = await placeFor(t)
  await write('docs/a.md', 'a')
  await write('docs/NOTICE', 'plain words')
  await write('docs/node_modules/p/README.md', 'package')
  await base.add('docs/NOTICE')
  await base.add('docs/node_modules/p/README.md')
  const address = { id: 'https://example.org/a', title: 'A', digest: 'd', addedAt: 1 }
  await base.store.put(address, [], base.embedder.id)
  const { unchanged, removed } = await base.add('.')
  assert.deepEqual([unchanged, removed], [['docs/NOTICE', 'docs/node_modules/p/README.md'], []])
  await write('docs/NOTICE', 'other words')
  await rm(join(root, 'docs/node_modules'), { recursive: true })
  const again = await base.add('.')
  assert.deepEqual(
    [again.added, again.removed],
    [['docs/NOTICE'], ['docs/node_modules/p/README.md']],
  )
  await base.remove('.')
  assert.deepEqual(
    (await base.list()).map(({ id }) => id),
    [address.id],
  )
})

test('[C-19] an unreadable folder is reported and stops no other', async (t) => {
  const { base, root, write } = await placeFor(t)
  await write('docs/a.md', 'a')
  await write('docs/shut/b.md', 'b')
  await base.add('docs')
  await chmod(join(root, 'docs/shut'), 0o000)
  const added = await base.add('docs')
  await chmod(join(root, 'docs/shut'), 0o700)
  const { failed, removed, unchanged } = added
  assert.deepEqual(removed, [])
  // A user who may read everything can read it.
  const isRoot = process.getuid?.() === 0
  assert.deepEqual(unchanged, isRoot ? ['docs/a.md', 'docs/shut/b.md'] : ['docs/a.md'])
  assert.deepEqual(
    failed.map(({ source }) => source),
    isRoot ? [] : ['docs/shut', 'docs/shut/b.md'],
  )
})

test('progress is reported, and an abort keeps what was added', async (t) => {
  const { base, write } = await placeFor(t)
  for (const name of ['a', 'b', 'c']) await write(`${name}.md`, `text of ${name}`)
  const heard: AddProgress[] = []
  const controller = new AbortController()
  const adding = base.add('.', {
    signal: controller.signal,
    onProgress(progress) {
      heard.push(progress)
      if (progress.done === 2) controller.abort(new Error('enough'))
    },
  })
  await assert.rejects(adding, /enough/)
  assert.deepEqual(heard, [
    { done: 0, total: 3 },
    { done: 1, total: 3, source: 'a.md' },
    { done: 2, total: 3, source: 'b.md' },
  ])
  assert.equal((await base.list()).length, 2)
  assert.deepEqual((await base.add('.')).added, ['c.md'])
})

test('a folder is removed with its files; files outside have absolute names', async (t) => {
  const { base, root, write } = await placeFor(t)
  const other = await placeFor(t)
  await write('docs/a.md', 'a')
  await write('docs2/b.md', 'b')
  await other.write('c.md', 'c')
  await base.add('.')
  await base.add(join(other.root, 'c.md'))
  assert.deepEqual(await base.remove('docs'), ['docs/a.md'])
  assert.deepEqual(await base.remove('docs'), [])
  const names = (await base.list()).map(({ id }) => id)
  assert.deepEqual(names, [join(other.root, 'c.md'), 'docs2/b.md'])
  assert.equal((await base.search('b', { below: join(root, 'docs2') }))[0]?.source, 'docs2/b.md')
})

test('[C-18] vectors of another embedder are rejected with what to do', async (t) => {
  const { base, root, write } = await placeFor(t)
  await write('a.md', 'a')
  await base.add('a.md')
  const other = knowledgeBase({
    store: base.store,
    root,
    embedder: hashedEmbedder({ dimensions: 512 }),
  })
  const refused = {
    code: 'INVALID_INPUT',
    message:
      /holds vectors of hashed-1\/4096, .* those of hashed-1\/512; use hashed-1\/4096, or remove/,
  }
  await assert.rejects(other.search('a'), refused)
  await assert.rejects(other.add('a.md'), refused)
  await other.remove('.')
  assert.deepEqual((await other.add('a.md')).added, ['a.md'])
})

test('a missing embedder, which no file can fix, ends the whole operation', async (t) => {
  const embedder: Embedder = {
    id: 'down/1',
    dimensions: 1,
    embed: () => Promise.reject(new Error('the server is down')),
  }
  const { base, write } = await placeFor(t, { embedder })
  await write('a.md', 'a')
  await assert.rejects(base.add('.'), /the server is down/)
})
