import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createClient, type RunEventView } from 'echelon/client'
import { openStore } from '@echelon/store'
import { fileOf } from '../programs.ts'

interface Process {
  readonly url: string
  readonly child: ChildProcess
}

async function serverOn(
  t: TestContext,
  file: string,
  port: string,
  steps: number,
): Promise<Process> {
  const child = fork(fileOf('server/killed-server.ts'), [file, port, String(steps)], {
    execArgv: ['--conditions=echelon-source'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [url] = await once(child, 'message')
  assert.ok(typeof url === 'string')
  return { url, child }
}

const isKept = ({ id }: RunEventView): boolean => !id.includes('.')

test('a client of a server that is killed again and again gets every stored event once, each under its own place', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'store.db')
  let server = await serverOn(t, file, '0', 50)
  const { port } = new URL(server.url)
  const client = createClient({ url: server.url })
  const { id } = await client.runs.start({ agent: 'chat', input: 'Go' })
  const heard: RunEventView[] = []
  let kills = 0
  for await (const event of client.runs.events(id)) {
    heard.push(event)
    if (kills >= 3 || heard.length < (kills + 1) * 71) continue
    kills++
    server.child.kill('SIGKILL')
    await once(server.child, 'exit')
    server = await serverOn(t, file, port, kills < 3 ? 50 : 2)
  }
  assert.equal(kills, 3)
  const places = heard.map((event) => event.id)
  assert.equal(new Set(places).size, places.length)
  const ending = once(server.child, 'exit')
  server.child.kill('SIGKILL')
  await ending
  const store = await openStore(file)
  t.after(() => store.close())
  const stored = (await store.events.read(id)).map(({ n, event }) => [String(n), event.type])
  assert.deepEqual(
    heard.filter(isKept).map((one) => [one.id, one.event.type]),
    stored,
  )
})
