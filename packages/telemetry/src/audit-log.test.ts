import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { type AuditAct, sha256 } from '../../echelon/src/audit/audit-entry.ts'
import { auditLog, lockOf } from './audit-log.ts'
import { readAudit } from './audit-read.ts'
import { verifyAudit } from './audit-verify.ts'
import { whileLocked } from './lock.ts'

const act = (action: string, details: AuditAct['details'] = {}): AuditAct => ({
  ts: '2026-11-22T08:00:00.000+07:00',
  run_id: 'run',
  task_id: 'task',
  actor: 'tester',
  action,
  details,
})

function pathFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-audit-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'audit.jsonl')
}

const write = (path: string, ...actions: readonly string[]): void => {
  for (const action of actions) auditLog(path).append([act(action)], false)
}

const actionsIn = async (path: string): Promise<readonly string[]> =>
  (await readAudit(path)).entries.map(({ action }) => action)

suite('the audit log', () => {
  test('[DD-28] chains each entry to the one before by a hash that other tools can compute', async (t) => {
    const path = pathFor(t)
    auditLog(path).append([act('first', { z: 1, a: 'ä' }), act('second')], true)
    write(path, 'third')
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    assert.equal(
      lines[0]?.replace(/"hash":"[0-9a-f]{64}",/, ''),
      `{"action":"first","actor":"tester","details":{"a":"ä","z":1},"prev":"${'0'.repeat(64)}","run_id":"run","seq":1,"task_id":"task","ts":"2026-11-22T08:00:00.000+07:00"}`,
    )
    let before = '0'.repeat(64)
    for (const line of lines) {
      const { hash, prev } = JSON.parse(line)
      assert.equal(prev, before)
      assert.equal(sha256(line.replace(/"hash":"[0-9a-f]{64}",/, '')), hash)
      before = hash
    }
    const report = await verifyAudit(path)
    assert.deepEqual(report, { ok: true, entries: 3, head: before, torn_lines: 0, broken: null })
  })

  test('[DD-28] only its owner may read it', (t) => {
    const path = pathFor(t)
    write(path, 'one')
    for (const file of [path, lockOf(path)]) assert.equal(statSync(file).mode & 0o777, 0o600)
    chmodSync(path, 0o644)
    write(path, 'two')
    assert.equal(statSync(path).mode & 0o777, 0o600)
  })

  test('refuses symbolic links, folders and files of another user', (t) => {
    const path = pathFor(t)
    const target = `${path}.target`
    writeFileSync(target, '')
    symlinkSync(target, path)
    assert.throws(() => write(path, 'one'), /ELOOP|symbolic link/)
    rmSync(path)
    symlinkSync(target, lockOf(`${path}2`))
    assert.throws(() => write(`${path}2`, 'one'), /symbolic link/)
    assert.throws(() => write(join(path, '..'), 'one'))
    assert.equal(readFileSync(target, 'utf8'), '')
    if (process.geteuid?.() !== 0) return
    writeFileSync(path, '')
    chownSync(path, 12345, 12345)
    assert.throws(() => write(path, 'one'), /belongs to another user/)
  })

  test('keeps and records a line cut short by a dying process, and continues the chain', async (t) => {
    const path = pathFor(t)
    write(path, 'one', 'two')
    const { size } = statSync(path)
    truncateSync(path, size - 30)
    const torn = readFileSync(path, 'utf8').split('\n').at(-1) ?? ''
    assert.equal((await verifyAudit(path)).broken?.what, 'torn')
    write(path, 'three')
    const { entries } = await readAudit(path)
    assert.deepEqual(await actionsIn(path), ['one', 'torn_line', 'three'])
    assert.deepEqual(entries[1]?.details, { bytes: torn.length, sha256: sha256(torn) })
    assert.ok(readFileSync(path, 'utf8').includes(`\n${torn}\n`))
    const { ok, torn_lines } = await verifyAudit(path)
    assert.deepEqual([ok, torn_lines], [true, 1])
  })

  test('accepts only these exact bytes as the torn line', async (t) => {
    const path = pathFor(t)
    write(path, 'one', 'two')
    truncateSync(path, statSync(path).size - 30)
    write(path, 'three')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('"action":"two"', '"action":"tow"'))
    assert.equal((await verifyAudit(path)).broken?.line, 2)
    writeFileSync(path, text.replace(/\n(.*"torn_line".*)\n/, '\nmore\n$1\n'))
    assert.equal((await verifyAudit(path)).broken?.line, 2)
  })

  test('the first line and the record of a torn line can be torn, too', async (t) => {
    const path = pathFor(t)
    appendFileSync(path, '{"action":"o')
    write(path, 'one')
    assert.equal((await verifyAudit(path)).ok, true)
    truncateSync(path, statSync(path).size - 30)
    appendFileSync(path, '\n{"action":"torn_li')
    write(path, 'two')
    const { ok, torn_lines, entries } = await verifyAudit(path)
    assert.deepEqual([ok, torn_lines, entries], [true, 2, 3])
    assert.deepEqual(await actionsIn(path), ['torn_line', 'torn_line', 'two'])
  })

  test('treats an entry without its newline as whole', async (t) => {
    const path = pathFor(t)
    write(path, 'one')
    truncateSync(path, statSync(path).size - 1)
    assert.equal((await verifyAudit(path)).ok, true)
    write(path, 'two')
    assert.deepEqual(await actionsIn(path), ['one', 'two'])
    assert.equal((await verifyAudit(path)).ok, true)
  })

  test('text from another writer at the end is not a torn line: it remains a breach', async (t) => {
    const path = pathFor(t)
    write(path, 'one')
    appendFileSync(path, 'hello\n')
    write(path, 'two')
    assert.deepEqual(await actionsIn(path), ['one', 'damage', 'two'])
    assert.deepEqual((await verifyAudit(path)).broken, {
      line: 2,
      what: 'inserted',
      reason: 'line 2 is not an entry, and the log continues after it: it was inserted.',
    })
    writeFileSync(path, 'no log\n'.repeat(50_000))
    assert.throws(() => write(path, 'three'), /not an audit log/)
  })

  test('replaces long details by their digest, and refuses overlong ids', async (t) => {
    const path = pathFor(t)
    auditLog(path).append([act('long', { text: 'x'.repeat(70_000) })], false)
    const [entry] = (await readAudit(path)).entries
    const bytes = 70_000 + '{"text":""}'.length
    const digest = sha256(`{"text":"${'x'.repeat(70_000)}"}`)
    assert.deepEqual(entry?.details, { left_out: { bytes, sha256: digest } })
    const endless = { ...act('endless'), task_id: 'x'.repeat(300_000) }
    assert.throws(() => auditLog(path).append([endless], false), /too long/)
    assert.equal((await verifyAudit(path)).ok, true)
  })

  test('limits the wait for a lock, and takes it when it is free', async (t) => {
    const path = pathFor(t)
    const log = auditLog(path, 1)
    whileLocked(lockOf(path), 1, () => {
      for (const action of ['one', 'two']) {
        assert.throws(() => log.append([act(action)], false), /locked by another process/)
      }
    })
    log.append([act('three')], false)
    assert.deepEqual(await actionsIn(path), ['three'])
  })
})

/** Appends entries in a separate process: a given number, or without end. */
function appender(path: string, name: string, count: number): ChildProcess {
  const module = JSON.stringify(import.meta.resolve('./audit-log.ts'))
  const code = `
    import { auditLog } from ${module}
    const [path, name, count] = process.argv.slice(1)
    const log = auditLog(path)
    for (let i = 0; i < Number(count); i++) {
      log.append([{ ts: 'now', run_id: name, task_id: null, actor: 'child', action: 'did', details: { i, text: 'x'.repeat(i % 7000) } }], i % 10 === 0)
    }`
  const options = ['--conditions=echelon-source', '--input-type=module']
  const args = [...options, '--eval', code, path, name, String(count)]
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

suite('the audit log of several processes', () => {
  test('[DD-28] that append at the same time write one valid chain', async (t) => {
    const path = pathFor(t)
    const children = ['a', 'b', 'c', 'd'].map((name) => appender(path, name, 60))
    const statuses = await Promise.all(children.map((child) => once(child, 'exit')))
    assert.deepEqual(
      statuses.map(([status]) => status),
      [0, 0, 0, 0],
    )
    const { ok, entries, torn_lines } = await verifyAudit(path)
    assert.deepEqual([ok, entries, torn_lines], [true, 240, 0])
    for (const name of ['a', 'b', 'c', 'd']) {
      const own = (await readAudit(path, { run: name })).entries
      assert.deepEqual(
        own.map(({ details }) => details['i']),
        Array.from({ length: 60 }, (_, i) => i),
      )
    }
  })

  test('[DD-28] that are killed leave a log that is valid after the next append, and unlocked', async (t) => {
    const path = pathFor(t)
    for (let round = 0; round < 4; round++) {
      const before = existsSync(path) ? statSync(path).size : 0
      const children = [appender(path, 'a', Infinity), appender(path, 'b', Infinity)]
      while (!existsSync(path) || statSync(path).size < before + 50_000) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      for (const child of children) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      write(path, 'after the kill')
    }
    const { ok, broken } = await verifyAudit(path)
    assert.deepEqual([ok, broken], [true, null])
  })

  test('with a full disk keep the complete entries, and continue when there is room', async (t) => {
    const path = pathFor(t)
    write(path, 'one')
    // The file size limit, in blocks of 512 or 1024 bytes: the write stops within a line.
    const command = `ulimit -f 8; exec "$0" "$@"`
    const { spawnargs } = appender(path, 'a', 0)
    const args = [...spawnargs.slice(0, -1), '1000']
    const child = spawn('sh', ['-c', command, process.execPath, ...args.slice(1)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const errors: Buffer[] = []
    child.stderr.on('data', (data: Buffer) => errors.push(data))
    const [status] = await once(child, 'exit')
    assert.notEqual(status, 0)
    assert.match(Buffer.concat(errors).toString(), /EFBIG/)
    assert.ok(statSync(path).size > 1000)
    assert.equal((await verifyAudit(path)).ok, true)
    write(path, 'two')
    assert.equal((await verifyAudit(path)).ok, true)
    assert.equal((await actionsIn(path)).at(-1), 'two')
  })
})
