import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { backUp } from '../../packages/store/src/sqlite/file/backup.ts'
import { Database } from '../../packages/store/src/sqlite/file/database.ts'
import { examineStore } from '../../packages/store/src/sqlite/file/examine-store.ts'
import { MIGRATIONS } from '../../packages/store/src/sqlite/file/schema.ts'
import { openStore } from '@echelon/store'
import { openRecords, readUsage, verifyAudit } from '@echelon/telemetry'
import type { RunRecord } from '../../packages/echelon/src/core/observability/run-record.ts'
import { IS_WHOLE } from '../share.ts'
import { CANNOT, fillUp, smallDisk } from './small-disk.ts'

const of = (runId: string) => ({ ts: '2026-11-22T08:00:00.000+00:00', runId, taskId: 'task' })

const begun = (runId: string): RunRecord => ({
  ...of(runId),
  type: 'run-started',
  agent: 'decide',
  mode: 'fallback_only',
  models: ['offline/small'],
  input: 'abc',
  settings: {},
  resumed: false,
})

const ended = (runId: string): RunRecord => ({
  ...of(runId),
  type: 'run-ended',
  agent: 'decide',
  mode: 'fallback_only',
  finishReason: 'success',
  limit: null,
  verified: true,
  seconds: 1,
  toolCalls: 0,
  actSteps: 0,
  rungs: [],
  artifacts: [],
})

suite('a disk that is full, or may only be read', () => {
  test('a full disk is not reported as a lock, and a lost audit record does not count as a cut', async (t) => {
    const disk = smallDisk(t, 64)
    if (disk === undefined) return t.skip(CANNOT)
    const folder = join(disk, 'records')
    const problems: string[] = []
    const options = { folder, timeZone: 'UTC', onProblem: (one: string) => problems.push(one) }
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(join(folder, 'usage.jsonl'), '\n'.repeat(4000), { mode: 0o600 })
    const filler = fillUp(disk)
    // The usage file ends within a block and has room for a line; the audit log has none.
    const recorder = openRecords(options)
    recorder.record(begun('r-1'))
    recorder.record(ended('r-1'))
    assert.match(problems[0] ?? '', /the audit log is not complete/)
    assert.doesNotMatch(problems.join(), /another process/)
    rmSync(filler)
    const next = openRecords(options)
    next.record(begun('r-2'))
    next.record(ended('r-2'))
    const { records } = await readUsage(join(folder, 'usage.jsonl'))
    const runs = records.flatMap((one) => (one.unaudited === true ? [] : [one.run_id]))
    assert.deepEqual(runs, ['r-2'])
    const report = await verifyAudit(join(folder, 'audit.jsonl'), { runs })
    assert.equal(report.ok, true, JSON.stringify(report))
  })

  test('a store on a full disk is reported in a sentence, and works once there is room', async (t) => {
    const disk = smallDisk(t, 1024)
    if (disk === undefined) return t.skip(CANNOT)
    const file = join(disk, 'store.db')
    const store = await openStore(file)
    await store.memories.write('m', 'before', { key: 'k:0' })
    const filler = fillUp(disk)
    const full = { code: 'STORE_UNUSABLE', message: /database or disk is full.*has room/ }
    const long = 'x'.repeat(100_000)
    await assert.rejects(store.memories.write('m', long, { key: 'k:1' }), full)
    await assert.rejects(backUp(file, join(disk, 'copy.db')), { code: 'INVALID_INPUT' })
    rmSync(filler)
    assert.equal((await store.memories.read('m')).value, 'before')
    assert.equal(await store.memories.write('m', 'after', { key: 'k:2' }), 2)
    await store.close()
    assert.deepEqual(readdirSync(disk), ['store.db'])
  })

  test('a read-only store can be listed and copied, and says why it cannot be written', async (t) => {
    const disk = smallDisk(t, 4096)
    if (disk === undefined) return t.skip(CANNOT)
    const [file, old] = [join(disk, 'store.db'), join(disk, 'old.db')]
    const store = await openStore(file)
    await store.memories.write('m', 'kept', { key: 'k:0' })
    await store.close()
    ;(await Database.open(old, MIGRATIONS.slice(0, 1))).close()
    assert.equal(spawnSync('mount', ['-o', 'remount,ro', disk]).status, 0)
    const seen = await openStore(file, { look: true })
    assert.equal((await seen.memories.read('m')).value, 'kept')
    assert.deepEqual([await seen.runs.list(), await seen.sessions.list()], [[], []])
    const unwritten = { code: 'STORE_UNUSABLE', message: /readonly.*is writable/ }
    await assert.rejects(seen.memories.write('m', 'new', { key: 'k:1' }), unwritten)
    await seen.close()
    await assert.rejects(openStore(old, { look: true }), /cannot be upgraded.*echelon backup/)
    const elsewhere = mkdtempSync(join(tmpdir(), 'echelon-copy-'))
    t.after(() => rmSync(elsewhere, { recursive: true, force: true }))
    for (const each of [file, old]) {
      const copy = join(elsewhere, `${each === file ? 'a' : 'b'}.db`)
      await backUp(each, copy)
      await (await openStore(copy)).close()
    }
  })

  test('the doctor reports what a killed backup left, and the next backup removes it', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'echelon-parts-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'store.db')
    await (await openStore(file)).close()
    const gone = spawnSync(process.execPath, ['-e', '']).pid
    const id = '00000000-0000-4000-8000-000000000000'
    const left = join(folder, `old.db.${id}@${hostname()}.${gone}.part`)
    const live = join(folder, `new.db.${id}@${hostname()}.${process.pid}.part`)
    for (const part of [left, `${left}-journal`, live]) writeFileSync(part, 'half')
    const opened = examineStore(file)
    assert.deepEqual((await opened.facts()).leftBackups, [left])
    opened.close()
    await backUp(file, join(folder, 'copy.db'))
    assert.deepEqual(
      [left, `${left}-journal`, live].map((part) => existsSync(part)),
      [false, false, true],
    )
  })

  test('a killed upgrade leaves the file unchanged or upgraded', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'echelon-upgrade-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const script = join(folder, 'upgrade.mjs')
    const database = new URL('../../packages/store/src/sqlite/file/database.ts', import.meta.url)
      .href
    writeFileSync(
      script,
      `import { Database } from '${database}'\nprocess.stdout.write('.')\nawait Database.open(process.argv[2])\nsetInterval(() => {}, 1000)`,
    )
    const kills = IS_WHOLE ? 20 : 4
    for (let nth = 0; nth < kills; nth++) {
      const file = join(folder, `${nth}.db`)
      const db = await Database.open(file, MIGRATIONS.slice(0, 1))
      const rows = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)'
      db.exec(`insert into audit (line) ${rows} select 'line ' || i from n`)
      db.close()
      const args = ['--conditions=echelon-source', script, file]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout, 'data')
      await setTimeout(nth * (160 / kills))
      child.kill('SIGKILL')
      await once(child, 'exit')
      const store = await openStore(file)
      assert.equal((await store.audit.read()).length, 20_000)
      await store.close()
      const opened = examineStore(file)
      const { version, damage, damagedRows } = await opened.facts()
      opened.close()
      assert.deepEqual([version, damage, damagedRows], [MIGRATIONS.length, [], []])
    }
    t.diagnostic(`tried ${kills}, failed 0`)
  })
})
