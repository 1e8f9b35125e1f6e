import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { bwrap } from './bwrap.ts'
import { seatbelt } from './seatbelt.ts'
import { unshare } from './unshare.ts'
import type { Wall } from './wall.ts'
import { setWall, wallFor, wallHere } from './wall-here.ts'

const WALLS: readonly Wall[] = [
  bwrap('/usr/bin/bwrap'),
  unshare('/usr/bin/unshare'),
  seatbelt('/usr/bin/sandbox-exec'),
]
const FOLDER = import.meta.dirname

/** The output of a program behind the wall; undefined if the machine does not allow the wall. */
async function behind(wall: Wall, program: string): Promise<string | undefined> {
  const command = [process.execPath, '--eval', program] as const
  const [first, ...args] = wall.around(command, { reads: [], folder: FOLDER })
  if (!existsSync(first)) return undefined
  const run = promisify(execFile)(first, args, { env: {}, cwd: FOLDER })
  return await run.then(
    ({ stdout }) => stdout,
    () => undefined,
  )
}

suite('operating system walls', () => {
  for (const wall of WALLS) {
    test(`${wall.name} blocks the network and hides other processes`, async (t) => {
      let came = 0
      const server = createServer((socket) => {
        came += 1
        socket.destroy()
      }).listen(0)
      t.after(() => server.close())
      await once(server, 'listening')
      const address = server.address()
      assert.ok(typeof address === 'object' && address !== null)
      const output = await behind(
        wall,
        `const end = (word) => { console.log(word, Object.keys(process.env).length); process.exit() }
        let signaled = 'held'
        try { process.kill(${process.pid}, 0); signaled = 'signaled' } catch {}
        require('node:net').connect(${address.port}, '127.0.0.1', () => end('connected'))
          .on('error', () => end(signaled))`,
      )
      if (output === undefined) return t.skip(`${wall.name} does not work here`)
      assert.equal(output, 'held 0\n')
      assert.equal(came, 0)
    })
  }

  test('rejects a required wall that is missing, and uses none when off', async (t) => {
    t.after(() => setWall('auto'))
    assert.equal(await wallFor('off'), undefined)
    setWall('off')
    assert.equal(await wallFor(), undefined)
    const wall = await wallHere()
    if (wall === undefined) await assert.rejects(wallFor('required'), /a wall is required/)
    else assert.equal(await wallFor('required'), wall)
  })
})
