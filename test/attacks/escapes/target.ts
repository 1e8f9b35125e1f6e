import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'

/** The files and addresses that the attempts try to reach, as JSON. */
export interface Target {
  readonly store: string
  readonly secret: string
  readonly out: string
  readonly here: string
  readonly port: number
  readonly datagrams: number
  readonly socket: string
  readonly abstract: string
  readonly parent: number
  readonly victim: number
  /** Environment variables that the attempts may see. */
  readonly known: readonly string[]
}

export interface Prepared {
  readonly target: Target
  /** @throws AssertionError if any of it was reached, regardless of what the attempts report */
  readonly unharmed: () => void
}

const SECRET = 'KEY=sk-secret\n'

/** A store, files, servers that count connections, and a process: none of them may be reached. */
export async function prepare(t: TestContext, here: string): Promise<Prepared> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'echelon-outside-')))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const store = join(folder, 'kept.db')
  const secret = join(folder, '.env')
  const out = join(folder, 'out')
  const socket = join(folder, 'socket')
  mkdirSync(out)
  writeFileSync(secret, SECRET)
  symlinkSync(secret, join(folder, 'link'))
  keep(store)
  const bytes = readFileSync(store)
  const seen: string[] = []
  const abstract = `echelon-${process.pid}-${folder.slice(-6)}`
  const servers = [
    await listening(t, seen, { port: 0, host: '::', ipv6Only: false }),
    await listening(t, seen, { path: socket }),
    ...(process.platform === 'linux' ? [await listening(t, seen, { path: `\0${abstract}` })] : []),
  ]
  const address = servers[0]?.address()
  assert.ok(typeof address === 'object' && address !== null)
  const datagrams = await receiving(t, seen)
  const victim = sleeping(t)
  const priority = getPriority(victim.pid)
  const { port } = address
  const parent = process.pid
  const reach = { store, secret, out, here, port, datagrams, socket, abstract, parent }
  return {
    target: { ...reach, victim: victim.pid ?? 0, known: [] },
    unharmed() {
      assert.deepEqual(seen, [], 'nobody came')
      assert.deepEqual([victim.exitCode, victim.signalCode], [null, null], 'nobody was signaled')
      assert.equal(getPriority(victim.pid), priority)
      assert.deepEqual(readdirSync(out), [])
      assert.deepEqual(readdirSync(folder), ['.env', 'kept.db', 'link', 'out', 'socket'])
      assert.equal(readFileSync(secret, 'utf8'), SECRET)
      assert.deepEqual(readFileSync(store), bytes)
    },
  }
}

function keep(store: string): void {
  const database = new DatabaseSync(store)
  database.exec('create table kept (row text)')
  database.close()
}

async function listening(t: TestContext, seen: string[], at: object): Promise<Server> {
  const server = createServer((socket) => {
    seen.push(`a connection to ${JSON.stringify(at)}`)
    socket.destroy()
  }).listen(at)
  t.after(() => server.close())
  await once(server, 'listening')
  return server
}

async function receiving(t: TestContext, seen: string[]): Promise<number> {
  const server = createSocket('udp4', (message) => seen.push(`a datagram ${message.toString()}`))
  t.after(() => server.close())
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address().port
}

function sleeping(t: TestContext): ChildProcess {
  const child = spawn('/bin/sleep', ['120'], { stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  return child
}
