import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import * as fc from 'fast-check'
import {
  BEFORE_FIRST,
  chain,
  entryOf,
  type Head,
  lineOf,
} from '../../echelon/src/audit/audit-entry.ts'
import { auditLog } from './audit-log.ts'
import { type AuditReport, verifyAudit } from './audit-verify.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-verify-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'audit.jsonl')

const ACTIONS = ['run_started', 'plan', 'tool_called', 'verified', 'decided', 'run_ended']

/** A log of a few entries, with one torn line recorded as such. */
function sampleLog(): Buffer {
  const log = auditLog(path)
  for (const [index, action] of ACTIONS.entries()) {
    const of = { run_id: 'run', task_id: null, actor: 'tester' }
    const details = { index, text: 'é "quoted" \u2028', list: [1.5, null, true] }
    log.append([{ ...of, ts: '2026-11-22T08:00:00.000+07:00', action, details }], false)
    if (index === 2) truncateSync(path, statSync(path).size - 40)
  }
  return readFileSync(path)
}

const SAMPLE = sampleLog()
const LINES = SAMPLE.toString('utf8').trimEnd().split('\n')
const HEAD = entryOf(Buffer.from(LINES.at(-1) ?? ''))?.hash ?? ''

async function check(content: string | Uint8Array, head?: string): Promise<AuditReport> {
  writeFileSync(path, content)
  return verifyAudit(path, head === undefined ? {} : { head })
}

const checkLines = (lines: readonly string[], head?: string): Promise<AuditReport> =>
  check(`${lines.join('\n')}\n`, head)

/** Replaces the lines of the log above. */
const place = async (lines: readonly string[]): Promise<readonly unknown[]> => {
  const { ok, broken } = await checkLines(lines)
  assert.equal(ok, false)
  return [broken?.line, broken?.what]
}

suite('the verification of an audit log', () => {
  test('[DD-28] passes an unchanged log', async () => {
    const report = await check(SAMPLE)
    assert.deepEqual(report, { ok: true, entries: 6, head: HEAD, torn_lines: 1, broken: null })
    assert.equal((await check(SAMPLE, HEAD)).ok, true)
    assert.deepEqual(await check(''), {
      ok: true,
      entries: 0,
      head: null,
      torn_lines: 0,
      broken: null,
    })
  })

  test('[DD-28] reports runs known from other records, unless the log says that entries were lost', async () => {
    await check(SAMPLE)
    assert.equal((await verifyAudit(path, { runs: ['run'] })).ok, true)
    const { ok, entries, broken } = await verifyAudit(path, { runs: ['run', 'gone', 'gone'] })
    assert.deepEqual([ok, entries, broken?.line, broken?.what], [false, 6, null, 'missing'])
    assert.match(broken?.reason ?? '', /^the usage records contain 1 run without an entry /)
    writeFileSync(path, '')
    assert.equal((await verifyAudit(path, { runs: ['run', 'gone'] })).ok, false)
    const lost = { run_id: null, task_id: null, actor: 'recorder', action: 'entries_lost' }
    auditLog(path).append([{ ...lost, ts: '2026-11-22T08:00:00Z', details: { entries: 6 } }], false)
    assert.equal((await verifyAudit(path, { runs: ['run'] })).ok, true)
  })

  test('[DD-28] property: finds any changed, removed or inserted byte', async () => {
    const edits = fc.record({
      at: fc.nat(SAMPLE.length - 2),
      left: fc.constantFrom(0, 1),
      put: fc.option(fc.nat(255), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(edits, async ({ at, left, put }) => {
        const bytes = [...SAMPLE]
        bytes.splice(at, left, ...(put === undefined ? [] : [put]))
        const edited = Uint8Array.from(bytes)
        fc.pre(!SAMPLE.equals(edited))
        const { ok, broken } = await check(edited)
        assert.equal(ok, false)
        const before = SAMPLE.subarray(0, at).toString('latin1').split('\n').length
        // The breach is reported at its line; for torn lines, at the first of them.
        assert.ok(Math.abs((broken?.line ?? 0) - before) <= 1, `${broken?.line}, not ${before}`)
      }),
      { numRuns: 1500 },
    )
  })

  for (const [index] of LINES.entries()) {
    test(`[DD-28] finds line ${index + 1} removed, doubled or moved`, async () => {
      const isLast = index === LINES.length - 1
      const without = await checkLines(LINES.toSpliced(index, 1), HEAD)
      assert.equal(without.ok, false)
      if (!isLast) assert.equal((await checkLines(LINES.toSpliced(index, 1))).ok, false)
      const twice = await checkLines(LINES.toSpliced(index, 0, LINES[index] ?? ''))
      assert.equal(twice.ok, false)
      for (const other of LINES.keys()) {
        if (other === index) continue
        const swapped = LINES.with(index, LINES[other] ?? '').with(other, LINES[index] ?? '')
        assert.equal((await checkLines(swapped)).ok, false, `${index} and ${other}`)
        const moved = LINES.toSpliced(index, 1).toSpliced(other, 0, LINES[index] ?? '')
        assert.equal((await checkLines(moved)).ok, false, `${index} to ${other}`)
      }
    })
  }

  test('[DD-28] reports the place and the kind of damage', async () => {
    // Line 3 is torn, and line 4 records it.
    const [first = '', second = '', , , fifth = '', sixth = '', seventh = ''] = LINES
    assert.deepEqual(await place(LINES.with(5, sixth.replace('"index":4', '"index":5'))), [
      6,
      'changed',
    ])
    assert.deepEqual(await place(LINES.toSpliced(5, 1)), [6, 'missing'])
    assert.deepEqual(await place(LINES.with(5, seventh).with(6, sixth)), [6, 'reordered'])
    assert.deepEqual(await place(LINES.toSpliced(5, 0, second)), [6, 'inserted'])
    assert.deepEqual(await place(LINES.toSpliced(5, 0, 'hello')), [6, 'inserted'])
    assert.deepEqual(await place(LINES.slice(1)), [1, 'missing'])
    assert.deepEqual(await place([...LINES, '{']), [8, 'changed'])
    const cut = await check(SAMPLE.subarray(0, SAMPLE.length - 9))
    assert.deepEqual([cut.broken?.line, cut.broken?.what], [7, 'torn'])
    assert.match(cut.broken?.reason ?? '', /^line 7, the last, is incomplete: .*\.$/)
    // Changed with a recomputed hash: the next entry then does not follow it.
    const forged = entryOf(Buffer.from(fifth))
    assert.ok(forged !== undefined)
    const { hash: prev, seq } = { ...forged, hash: forged.prev, seq: forged.seq - 1 }
    const other = lineOf(chain({ ...forged, action: 'nothing' }, { hash: prev, seq }))
    assert.deepEqual(await place(LINES.with(4, other)), [6, 'changed'])
    assert.equal((await checkLines([first, second])).ok, true)
  })

  test('[DD-28] finds a removed tail by a noted head, and by nothing else', async () => {
    const cut = LINES.slice(0, 6)
    assert.equal((await checkLines(cut)).ok, true)
    const { ok, broken } = await checkLines(cut, HEAD)
    assert.equal(ok, false)
    assert.deepEqual([broken?.line, broken?.what], [null, 'missing'])
    const earlier = entryOf(Buffer.from(LINES[1] ?? ''))?.hash ?? ''
    assert.equal((await checkLines(LINES, earlier)).ok, true)
    assert.equal((await verifyAudit(join(folder, 'nothing'), { head: HEAD })).ok, false)
    assert.equal((await verifyAudit(join(folder, 'nothing'))).ok, true)
  })

  test('verifies a file of one huge line without keeping it in memory', async () => {
    const { ok, broken } = await check('x'.repeat(5_000_000))
    assert.deepEqual([ok, broken?.line], [false, 1])
  })

  test('reads a chain of many entries to its end', async () => {
    let head: Head = BEFORE_FIRST
    const lines = Array.from({ length: 3000 }, (_, index) => {
      const of = { ts: 'now', run_id: null, task_id: null, actor: 'tester' }
      const entry = chain({ ...of, action: 'did', details: { index } }, head)
      head = entry
      return lineOf(entry)
    })
    const { ok, entries } = await checkLines(lines, head.hash)
    assert.deepEqual([ok, entries], [true, 3000])
  })

  test('rejects what looks like an entry but is not', () => {
    const good = LINES[0] ?? ''
    for (const bad of [
      '{}',
      '[]',
      'null',
      good.replace('"seq":1', '"seq":1.5'),
      good.replace('"run_id":"run"', '"run_id":7'),
      good.replace('"details":{', '"details":[{').replace('},"hash"', '}],"hash"'),
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      ` ${good}`,
    ]) {
      assert.equal(entryOf(Buffer.from(bad)), undefined, bad.slice(0, 60))
    }
    assert.ok(entryOf(Buffer.from(good)) !== undefined)
  })
})
