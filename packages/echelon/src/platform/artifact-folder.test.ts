import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { artifactFolder, type ArtifactFolderOptions } from './artifact-folder.ts'
import { ToolError } from '../core/tool/tool.ts'

/** These images are not measured. */
const unmeasured = (): Promise<null> => Promise.resolve(null)

const HELLO = new TextEncoder().encode('hello\n')

/** A temporary folder for the test; artifacts go to `artifacts` inside. */
async function place(t: TestContext, options: Omit<ArtifactFolderOptions, 'folder'> = {}) {
  const base = await mkdtemp(join(tmpdir(), 'artifacts-'))
  t.after(() => rm(base, { recursive: true, force: true }))
  const folder = join(base, 'artifacts')
  const outside = join(base, 'outside')
  await mkdir(outside)
  return { base, folder, outside, store: artifactFolder({ folder, ...options }, unmeasured) }
}

const modeOf = async (path: string): Promise<number> => (await lstat(path)).mode & 0o777

suite('the artifacts folder', () => {
  test('stores a file and returns its facts', async (t) => {
    const { folder, store } = await place(t)
    const artifact = await store.write('notes.txt', HELLO)
    const sha256 = createHash('sha256').update(HELLO).digest('hex')
    const name = `notes-${sha256.slice(0, 12)}.txt`
    const path = join(folder, name)
    assert.deepEqual(artifact, { name, path, mediaType: 'text/plain', bytes: 6, sha256 })
    assert.equal(await readFile(path, 'utf8'), 'hello\n')
  })

  test('[DD-28] is private, and so are its files', async (t) => {
    const { folder, store } = await place(t)
    const { path } = await store.write('notes.txt', HELLO)
    assert.equal(await modeOf(folder), 0o700)
    assert.equal(await modeOf(path), 0o600)
  })

  test('is not created before the first write', async (t) => {
    const { folder } = await place(t)
    await assert.rejects(lstat(folder), { code: 'ENOENT' })
  })

  test('never overwrites: different content gets another name, equal content the same', async (t) => {
    const { folder, store } = await place(t)
    const texts = ['one', 'two', 'one', 'three', 'two']
    const kept = await Promise.all(texts.map((text) => store.write('a.txt', Buffer.from(text))))
    for (const [index, { path }] of kept.entries()) {
      assert.equal(await readFile(path, 'utf8'), texts[index])
    }
    assert.equal((await readdir(folder)).length, 3)
  })

  test('rejects invalid limits', () => {
    const bad = [
      { maxArtifactMb: 0 },
      { maxArtifactMb: Number.NaN },
      { allowedExtensions: ['png'] },
    ]
    for (const options of bad) {
      assert.throws(() => artifactFolder({ folder: 'x', ...options }, unmeasured), {
        code: 'INVALID_CONFIG',
      })
    }
  })
})

suite('before a write', () => {
  test('[R23.3] rejects a file over the limit, 5 MB by default', async (t) => {
    const { folder, store } = await place(t)
    const limit = 5 * 1024 * 1024
    const refusal = { name: 'ToolError', code: 'FILE_TOO_LARGE' }
    await assert.rejects(store.write('a.txt', new Uint8Array(limit + 1)), refusal)
    await assert.rejects(lstat(folder), { code: 'ENOENT' })
    assert.equal((await store.write('a.txt', new Uint8Array(limit))).bytes, limit)
    const small = artifactFolder({ folder, maxArtifactMb: 0.001 }, unmeasured)
    await assert.rejects(small.write('a.txt', new Uint8Array(1049)), refusal)
    assert.equal((await readdir(folder)).length, 1)
  })

  test('[DD-23] rejects an extension that is not allowed', async (t) => {
    const { folder, store } = await place(t)
    for (const name of ['a.exe', 'a', '.png', '', 'a.png.sh', 'a.png\0.sh']) {
      await assert.rejects(store.write(name, HELLO), { code: 'INVALID_FILE_TYPE' }, name)
    }
    await assert.rejects(lstat(folder), { code: 'ENOENT' })
  })

  const escapes = (outside: string): readonly string[] => [
    '../outside/a.txt',
    `${outside}/a.txt`,
    '..\\outside\\b.txt',
    'link/a.txt',
    'sub/../../outside/a.txt',
    'a\0/../../outside/a.txt',
    '..',
  ]

  test('[DD-23] [DD-16] lets no name lead out of the folder', async (t) => {
    const { base, folder, outside, store } = await place(t)
    await mkdir(folder)
    await symlink(outside, join(folder, 'link'))
    const outcomes = await Promise.allSettled(
      escapes(outside).map((name) => store.write(name, HELLO)),
    )
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      [...Array(6).fill('fulfilled'), 'rejected'],
    )
    assert.deepEqual(await readdir(outside), [])
    assert.deepEqual(await readdir(base), ['artifacts', 'outside'])
    assert.equal((await readdir(folder)).length, 1 + 6)
  })

  test('[DD-23] checks paths also with sanitize_filenames: false', async (t) => {
    const { base, folder, outside, store } = await place(t, { sanitizeFilenames: false })
    await mkdir(folder)
    await symlink(outside, join(folder, 'link'))
    for (const name of escapes(outside)) {
      await assert.rejects(store.write(name, HELLO), { code: 'PATH_TRAVERSAL' }, name)
    }
    assert.deepEqual(await readdir(outside), [])
    assert.deepEqual(await readdir(base), ['artifacts', 'outside'])
    assert.deepEqual(await readdir(folder), ['link'])
  })

  test('keeps the letters of a name that is not sanitized', async (t) => {
    const { store } = await place(t, { sanitizeFilenames: false })
    assert.match(
      (await store.write('Kurs für Mai.txt', HELLO)).name,
      /^Kurs für Mai-[0-9a-f]{12}\.txt$/,
    )
  })
})

suite('[DD-23] a symbolic link does not escape', () => {
  test('in place of the file', async (t) => {
    const { outside, store } = await place(t)
    const { path } = await store.write('a.txt', HELLO)
    const target = join(outside, 'target.txt')
    await writeFile(target, 'untouched')
    await rm(path)
    await symlink(target, path)
    await store.write('a.txt', HELLO)
    assert.equal(await readFile(target, 'utf8'), 'untouched')
    assert.ok((await lstat(path)).isFile())
  })

  test('in place of the folder, from the start, dangling or later', async (t) => {
    const { folder, outside, store } = await place(t)
    const refusal = { name: 'ToolError', code: 'PATH_TRAVERSAL' }
    await symlink(outside, folder)
    await assert.rejects(store.write('a.txt', HELLO), refusal)
    await rm(folder)
    await store.write('a.txt', HELLO)
    await rename(folder, `${folder}-old`)
    await symlink(outside, folder)
    await assert.rejects(store.write('b.txt', HELLO), refusal)
    assert.deepEqual(await readdir(outside), [])
    await rm(folder)
    await symlink(join(outside, 'not-there'), folder)
    await assert.rejects(store.write('b.txt', HELLO), { name: 'ToolError' })
    assert.deepEqual(await readdir(outside), [])
  })

  test('in place of a folder above it', async (t) => {
    const { folder, outside } = await place(t)
    const above = join(folder, 'runs')
    const store = artifactFolder({ folder: join(above, 'one') }, unmeasured)
    await store.write('a.txt', HELLO)
    await rename(above, `${above}-old`)
    await mkdir(join(outside, 'one'))
    await symlink(outside, above)
    await assert.rejects(store.write('b.txt', HELLO), { code: 'PATH_TRAVERSAL' })
    assert.deepEqual(await readdir(join(outside, 'one')), [])
  })
})

suite('a disk that rejects the file', () => {
  const failure = { name: 'ToolError', code: 'TOOL_ERROR' }

  test('causes a tool error if a file is in the way of the folder', async (t) => {
    const { folder, store } = await place(t)
    await writeFile(folder, '')
    await assert.rejects(store.write('a.txt', HELLO), { ...failure, message: /in the way/ })
  })

  test('leaves no temporary file if a folder is in the way of the file', async (t) => {
    const { folder, store } = await place(t)
    const { name, path } = await store.write('a.txt', HELLO)
    await rm(path)
    await mkdir(join(path, 'full'), { recursive: true })
    const inTheWay = { code: 'TOOL_ERROR', fault: 'setup', message: /in the way.*; move it$/ }
    await assert.rejects(store.write('a.txt', HELLO), inTheWay)
    assert.deepEqual(await readdir(folder), [name])
  })

  test('causes a tool error if the folder is read-only', async (t) => {
    const { base, folder, store } = await place(t)
    await chmod(base, 0o755)
    await mkdir(folder, { mode: 0o555 })
    const { message } = await unprivileged(() => store.write('a.txt', HELLO))
    assert.match(message, /may not be written to/)
  })

  test('leaves nothing after a failure in the middle of the write', async (t) => {
    const { folder } = await place(t)
    const child = spawn('/bin/sh', [
      '-c',
      'trap \'\' XFSZ; ulimit -f 4; exec "$@"',
      'sh',
      ...writer(folder),
    ])
    const output: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    await once(child, 'close')
    assert.match(Buffer.concat(output).toString(), /^TOOL_ERROR .*not saved/)
    assert.deepEqual(await readdir(folder), [])
  })
})

/** A program that writes 64 KiB to the folder and prints the resulting code and message. */
function writer(folder: string): string[] {
  const store = new URL('artifact-folder.ts', import.meta.url).href
  const program = `
    const { artifactFolder } = await import(${JSON.stringify(store)})
    const store = artifactFolder({ folder: ${JSON.stringify(folder)} })
    const refused = await store.write('a.txt', new Uint8Array(65536)).catch((error) => error)
    console.log(refused.code, refused.message)`
  return [process.execPath, '--input-type=module', '--eval', program]
}

/** Root can write anywhere, so the test temporarily drops root. */
async function unprivileged(write: () => Promise<unknown>): Promise<Error> {
  const root = process.getuid?.() === 0
  if (root) process.seteuid?.(65_534)
  try {
    const error: unknown = await write().catch((error: unknown) => error)
    assert.ok(error instanceof ToolError)
    return error
  } finally {
    if (root) process.seteuid?.(0)
  }
}

test('many writers can create the folder concurrently', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'echelon-artifacts-'))
  try {
    for (let round = 0; round < 30; round++) {
      const store = artifactFolder(
        {
          folder: join(folder, String(round), 'a', 'b'),
          maxArtifactMb: 1,
          allowedExtensions: ['.txt'],
          sanitizeFilenames: true,
        },
        unmeasured,
      )
      const names = ['one.txt', 'two.txt', 'three.txt', 'four.txt']
      await Promise.all(names.map((name) => store.write(name, HELLO)))
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
