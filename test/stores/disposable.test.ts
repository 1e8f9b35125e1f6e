import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openStore } from '@echelon/store'

const STORES = JSON.stringify(new URL('../../packages/store/src/index.ts', import.meta.url).href)

async function place(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'echelon-disposable-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

/** A program in a separate process. */
function running(program: string): ChildProcess {
  const args = ['--conditions=echelon-source', '--input-type=module', '--eval', program]
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
}

async function output({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout ?? []) text += String(chunk)
  return text.trim()
}

test("a killed process's disposable session is erased, to the byte, once the file is opened again", async (t) => {
  const folder = await place(t)
  const path = join(folder, 'echelon.db')
  const child = running(`
    const { openStore } = await import(${STORES})
    const store = await openStore(${JSON.stringify(path)})
    await store.sessions.markDisposable('secret')
    for (const id of ['secret', 'kept']) {
      const word = id === 'secret' ? 'UNMISTAKABLE ' : 'ordinary '
      const content = [{ type: 'text', text: word.repeat(5000) }]
      await store.sessions.save({
        id, agent: 'chat', from: 0, keep: 0, messages: [{ role: 'user', content }],
        states: { states: {}, schemaSignature: null, schemaVersion: 1, stateVersions: null },
        continues: null, at: 1,
      })
      await store.cache.set(word, word.repeat(100), 60_000, id)
    }
    console.log('written')
    setInterval(() => undefined, 1000)`)
  assert.ok(child.stdout)
  await once(child.stdout, 'data')
  const holding = async (): Promise<readonly string[]> => {
    const names = await readdir(folder)
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name))))
    return names.filter((_, index) => texts[index]?.includes('MISTAK'))
  }
  const early = await openStore(path)
  assert.equal((await early.sessions.list()).length, 2, 'who marked it lives')
  await early.close()
  assert.notDeepEqual(await holding(), [])
  child.kill('SIGKILL')
  await once(child, 'exit')
  const store = await openStore(path)
  assert.deepEqual(
    (await store.sessions.list()).map(({ id }) => id),
    ['kept'],
  )
  assert.deepEqual(await holding(), [])
  await store.close()
  assert.deepEqual(await holding(), [])
})

test('[DD-22] of ten processes with the same key one executes, and all get its result', async (t) => {
  const path = join(await place(t), 'echelon.db')
  const program = `
    const { openStore } = await import(${STORES})
    const store = await openStore(${JSON.stringify(path)})
    process.stdout.write('ready\\n')
    await new Promise((resolve) => process.stdin.once('data', resolve))
    let executed = 0
    for (;;) {
      const claim = await store.results.claim('key', 'input', 'run-' + process.pid)
      if (claim.type === 'yours') {
        executed++
        await store.results.settle('key', { by: process.pid })
      }
      if (claim.type === 'done') {
        console.log(JSON.stringify({ executed, run: claim.run, by: claim.result.by }))
        break
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await store.close()
    process.exit()`
  const children = Array.from({ length: 10 }, () => running(program))
  await Promise.all(children.map(async ({ stdout }) => stdout && (await once(stdout, 'data'))))
  for (const { stdin } of children) stdin?.write('go\n')
  const lines = await Promise.all(children.map(output))
  const ends: readonly { executed: number; run: string; by: number }[] = lines.map((line) =>
    JSON.parse(line),
  )
  const executed = ends.filter((end) => end.executed > 0)
  assert.equal(executed.length, 1)
  for (const end of ends) assert.deepEqual({ ...end, executed: 1 }, executed[0])
})
