import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { runCommand } from '../../cli/src/testing/run-command.ts'
import { backUp } from '../../packages/store/src/sqlite/file/backup.ts'
import { Database } from '../../packages/store/src/sqlite/file/database.ts'
import { openStore } from '@echelon/store'
import { tried } from './tried.ts'

const BACKUP = new URL('../../packages/store/src/sqlite/file/backup.ts', import.meta.url).href

/** Copies the first file to the second, and reports progress every 4 MB. */
const COPY = `
import { backUp } from '${BACKUP}'
const [, from, to] = process.argv
await backUp(from, to, { onProgress: ({ done }) => process.stdout.write(String(done) + '\\n') })
process.stdout.write('copied\\n')`

const LINES = 20_000

suite('a backup that is killed', () => {
  let folder = ''
  let file = ''

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'echelon-killed-'))
    file = join(folder, 'store.db')
    const db = await Database.open(file)
    const rows = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LINES})`
    db.exec(`insert into audit (line) ${rows} select i || hex(randomblob(500)) from n`)
    db.close()
    assert.ok(statSync(file).size > 20_000_000)
  })

  after(() => rmSync(folder, { recursive: true, force: true }))

  /** @returns whether it was killed before it finished */
  async function killAt(target: string, reports: number): Promise<boolean> {
    const args = ['--conditions=echelon-source', '--input-type=module', '-e', COPY, file, target]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.split('\n').length > reports) child.kill('SIGKILL')
    })
    await once(child, 'exit')
    return child.signalCode === 'SIGKILL' && !said.includes('copied')
  }

  const parts = (): readonly string[] =>
    readdirSync(folder).filter((name) => name.includes('.part'))

  test('it leaves no file under its name; the doctor reports the rest, and the next backup removes it', async (t) => {
    let killed = 0
    await tried(t, {
      cases: [1, 2, 3, 4, 5],
      named: (reports) => `after ${reports} reports`,
      fast: 2,
      async hold(reports) {
        const target = join(folder, `copy-${reports}.db`)
        const isKilled = await killAt(target, reports)
        if (!isKilled) return rmSync(target, { force: true })
        killed++
        assert.ok(!existsSync(target), 'half a copy stands under the name of a whole one')
        assert.ok(parts().length > 0, 'nothing is left, so it was not under way')
        const doctor = await runCommand(['state', 'doctor', file], folder)
        assert.equal(doctor.status, 0, doctor.stderr)
        assert.match(doctor.stdout, /left by a killed backup, and may be deleted: \S+\.part/)
        await backUp(file, target)
        assert.deepEqual(parts(), [])
        const copy = await openStore(target)
        assert.equal((await copy.audit.read()).length, LINES)
        await copy.close()
        rmSync(target)
      },
    })
    assert.ok(killed > 0, 'none was killed on the way')
  })
})
