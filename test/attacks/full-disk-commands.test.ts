import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { type Ran, runCommand } from '../../cli/src/testing/run-command.ts'
import { CANNOT, fillUp, smallDisk } from './small-disk.ts'

const PLOT = 'Show me last 30 days closing price for AAPL and plot it'
const SUM = 'What is 15 * 23?'

/** A folder on a small separate disk, and one with room. */
class Place {
  readonly disk: string
  readonly roomy: string

  constructor(disk: string, roomy: string) {
    this.disk = disk
    this.roomy = roomy
  }

  static make(t: TestContext, kilobytes = 1024): Place | undefined {
    const disk = smallDisk(t, kilobytes)
    const roomy = mkdtempSync(join(tmpdir(), 'echelon-roomy-'))
    t.after(() => rmSync(roomy, { recursive: true, force: true }))
    return disk === undefined ? undefined : new Place(disk, roomy)
  }

  /** Puts only the named files on the full disk. */
  get elsewhere(): readonly string[] {
    return ['--no-store', '--records', join(this.roomy, 'records')]
  }

  async run(...args: readonly string[]): Promise<Ran> {
    const ran = await runCommand(args, this.disk, {
      env: { XDG_CONFIG_HOME: join(this.disk, 'own') },
    })
    assert.doesNotMatch(ran.stderr, /^ {4}at |node:internal|errno/m, args.join(' '))
    return ran
  }
}

suite('the command on a disk that is full', () => {
  test('an artifact without room is not a success, and leaves no partial file', async (t) => {
    const place = Place.make(t)
    if (place === undefined) return t.skip(CANNOT)
    fillUp(place.disk, 8192)
    const { status, stdout } = await place.run('decide', PLOT, ...place.elsewhere)
    assert.equal(status, 1)
    assert.match(stdout, /the artifact was not saved: the disk is full; free some space/)
    assert.deepEqual(readdirSync(join(place.disk, 'artifacts')), [])
  })

  for (const [option, again] of [
    ['--record', ['replay', 'run.jsonl']],
    ['--record-models', ['decide', PLOT, '--replay-models', 'run.jsonl', '--artifacts', 'more']],
  ] as const) {
    test(`${option}: a truncated file says so, and is never replayed as a complete one`, async (t) => {
      const place = Place.make(t)
      if (place === undefined) return t.skip(CANNOT)
      const artifacts = ['--artifacts', join(place.roomy, 'artifacts')]
      for (const room of [0, 4096, 12_288]) {
        const filler = fillUp(place.disk, room)
        const file = join(place.disk, 'run.jsonl')
        const ran = await place.run('decide', PLOT, option, file, ...artifacts, ...place.elsewhere)
        rmSync(filler)
        if (ran.stderr.includes('not complete')) {
          assert.match(ran.stderr, /the recording \S+ is not complete \(ENOSPC.*record again/)
          const replayed = await place.run(
            ...again,
            ...(again[0] === 'decide' ? place.elsewhere : []),
          )
          assert.notEqual(replayed.status, 0, `${room}: ${replayed.stdout}`)
          assert.match(
            replayed.stdout + replayed.stderr,
            /record (?:it )?again|breaks off|was interrupted/,
          )
        } else assert.ok(room > 0 && option === '--record-models', 'it has no room')
        rmSync(file)
      }
    })
  }

  test('--trace: a truncated line is reported', async (t) => {
    const place = Place.make(t)
    if (place === undefined) return t.skip(CANNOT)
    const trace = join(place.disk, 'trace.jsonl')
    const traced = ['decide', SUM, '--trace', trace, ...place.elsewhere]
    assert.equal((await place.run(...traced)).status, 0)
    const { length } = readFileSync(trace)
    assert.ok(length < 4096 && length * 2 > 4096, `${length}`)
    // A line that begins in the last block has no room for its end.
    fillUp(place.disk)
    const ran = await place.run(...traced)
    assert.equal(readFileSync(trace).length, 4096)
    assert.match(ran.stderr, /the trace file \S+ is not complete \(ENOSPC/)
  })

  test('servers and permissions stay as they were, with a sentence', async (t) => {
    const place = Place.make(t)
    if (place === undefined) return t.skip(CANNOT)
    const servers = join(place.disk, '.mcp.json')
    writeFileSync(servers, '{"mcpServers":{"a":{"command":"true"},"b":{"command":"true"}}}')
    assert.equal((await place.run('tools', 'allow', 'a')).status, 0)
    const allowed = join(place.disk, 'own', 'echelon', 'mcp-allowed.json')
    const before = [servers, allowed].map((file) => readFileSync(file, 'utf8'))
    fillUp(place.disk)
    for (const args of [
      ['add', 'mcp', 'c', '--', 'true'],
      ['remove', 'a'],
      ['allow', 'b'],
    ]) {
      const { status, stderr } = await place.run('tools', ...args)
      assert.equal(status, 2, args.join(' '))
      assert.match(
        stderr,
        /^echelon: \S+ cannot be written \(ENOSPC.*and was not changed; check that .*\n$/,
      )
    }
    assert.deepEqual(
      [servers, allowed].map((file) => readFileSync(file, 'utf8')),
      before,
    )
    assert.deepEqual(readdirSync(join(place.disk, 'own', 'echelon')), ['mcp-allowed.json'])
    assert.deepEqual(readdirSync(place.disk).toSorted(), ['.mcp.json', 'filler', 'own'])
  })

  test('an assistant says what it could not store', async (t) => {
    const place = Place.make(t)
    if (place === undefined) return t.skip(CANNOT)
    fillUp(place.disk)
    const { status, stderr } = await place.run('assist', 'Should I take the job in Berlin?')
    assert.equal(status, 0)
    assert.match(stderr, /echelon: the evaluations of this turn are not kept \(ENOSPC/)
  })

  test('stored data can be listed, shown and copied elsewhere; new runs get no id', async (t) => {
    const place = Place.make(t)
    if (place === undefined) return t.skip(CANNOT)
    const waits = await place.run('chat', '--approve', 'later', '--ask', 'plotter', PLOT)
    assert.equal(waits.status, 3, waits.stderr)
    fillUp(place.disk)
    const answered = await place.run('chat', SUM)
    assert.match(answered.stderr, /cannot be used .*this run is not stored/)
    const listed = await place.run('runs', 'list')
    assert.deepEqual([listed.status, listed.stderr], [0, ''])
    const [id = ''] = /^[\da-f]{8}(?= )/m.exec(listed.stdout) ?? []
    assert.equal((await place.run('runs', 'show', id)).status, 0)
    assert.equal((await place.run('state', 'doctor')).status, 0)
    for (const args of [
      ['fork', id, '--at', '1'],
      ['answer', id, 'once'],
      ['cancel', id],
    ]) {
      const { stdout, stderr } = await place.run('runs', ...args)
      assert.match(stderr, /^echelon: .*\n$/, args.join(' '))
      assert.doesNotMatch(stdout + stderr, /the fork is the run|on record|was canceled/)
    }
    const here = await place.run('backup', 'copy.db')
    assert.match(here.stderr, /^echelon: the backup copy\.db cannot be written .*has room\n$/)
    assert.ok(!existsSync(join(place.disk, 'copy.db')))
    const copy = join(place.roomy, 'copy.db')
    assert.equal((await place.run('backup', copy)).status, 0)
    assert.match((await place.run('runs', 'list', '--store', copy)).stdout, new RegExp(id))
  })
})
