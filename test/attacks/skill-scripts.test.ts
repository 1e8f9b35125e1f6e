import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { wallHere } from '../../packages/echelon/src/platform/wall/wall-here.ts'
import { type ChildProcessOptions, childProcessScripts } from '@echelon/knowledge/skills'
import { attempts, probes } from './escapes/attempts.mjs'
import { prepare, type Target } from './escapes/target.ts'
import { tried } from './tried.ts'

const ATTEMPTS = join(import.meta.dirname, 'escapes/attempts.mjs')
const wall = await wallHere()
const noWall = wall === undefined && 'this machine has no wall'
const windows = process.platform === 'win32' && 'this system has none'
const onlyLinux = process.platform !== 'linux' && 'this system bounds no memory so'
const noFileWall = wall?.name !== 'bwrap' && 'this machine has no wall around files'

function skillFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'echelon-script-')))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Ended {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Script extends ChildProcessOptions {
  readonly name?: string
  readonly args?: readonly string[]
  readonly signal?: AbortSignal
}

async function run(folder: string, program: string, script: Script = {}): Promise<Ended> {
  const { name = 'it.mjs', args = [], signal = new AbortController().signal, ...options } = script
  const file = join(folder, name)
  writeFileSync(file, program)
  const scripts = childProcessScripts(options)
  const { exit, stdout, stderr } = Object(
    await scripts.run({ skill: 'it', folder, file, args }, signal),
  )
  return { exit, stdout: String(stdout), stderr: String(stderr) }
}

const TRY = `import { attempts, probes, tryAll } from './attempts.mjs'
  const [target, names] = process.argv.slice(2).map((word) => JSON.parse(word))
  console.log(JSON.stringify(await tryAll(target, names, { ...attempts, ...probes })))
  process.exit()`

const NAMES = Object.keys(attempts)

/** The results of the attempts that got through. */
async function through(
  folder: string,
  target: Target,
  options: ChildProcessOptions,
  names: readonly string[] = NAMES,
): Promise<ReadonlyMap<string, unknown>> {
  cpSync(ATTEMPTS, join(folder, 'attempts.mjs'))
  const args = [target, names].map((word) => JSON.stringify(word))
  const signal = AbortSignal.timeout(20_000)
  const { stdout, stderr } = await run(folder, TRY, { ...options, args, signal })
  const [told] = /^\{.*\}$/m.exec(stdout) ?? []
  assert.ok(told !== undefined, stderr)
  return new Map(Object.entries(JSON.parse(told)))
}

const held = (t: TestContext, names: readonly string[], got: ReadonlyMap<string, unknown>) =>
  tried(t, {
    cases: names,
    named: (name) => name,
    hold: (name) => assert.equal(got.get(name), undefined),
    fast: Number.MAX_SAFE_INTEGER,
  })

/** The attempts that the wall alone allows without Node's permissions: reading names, and starting processes. */
const READS =
  /^(open a store by|read it|read its size|read where|read certificates|watch it|require it|import it|load it|list its|find it|write a snapshot near|write a trace|start a |fork itself|become another program|register hooks|load an addon|ask for |open the inspector$|inspect itself|load a WASI|use what V8|signal its own group|look whether|leave its folder|put back|connect by a raw|listen$|listen for|look up a|change the mode|change the owner|change the times)/

/** Attempts that report success there but reach nothing. */
const LOST = /^(send a|write a report|write by a flag)/

const inShell = { name: 'it.sh', interpreters: { '.sh': ['/bin/sh'] } } as const

suite('scripts of skills: files, processes, network, limits', () => {
  test('a hostile script is contained by Node alone', async (t) => {
    const folder = skillFolder(t)
    const { target, unharmed } = await prepare(t, folder)
    await held(t, NAMES, await through(folder, target, { wall: 'off' }))
    unharmed()
    assert.deepEqual(readdirSync(folder).toSorted(), ['attempts.mjs', 'it.mjs'])
  })

  test('and behind the wall of this machine', { skip: noWall }, async (t) => {
    const folder = skillFolder(t)
    const { target, unharmed } = await prepare(t, folder)
    await held(t, NAMES, await through(folder, target, { wall: 'required' }))
    unharmed()
  })

  test('the wall alone contains programs other than Node', { skip: noFileWall }, async (t) => {
    const folder = skillFolder(t)
    const { target, unharmed } = await prepare(t, folder)
    const interpreters = { '.mjs': [process.execPath] } as const
    const names = NAMES.filter((name) => !READS.test(name))
    const got = await through(folder, target, { wall: 'required', interpreters }, names)
    await held(
      t,
      names.filter((name) => !LOST.test(name)),
      got,
    )
    unharmed()
  })

  test('Node reveals whether a path exists; a wall around files does not', async (t) => {
    const folder = skillFolder(t)
    const { target, unharmed } = await prepare(t, folder)
    const names = Object.keys(probes)
    const open = await through(folder, target, { wall: 'off' }, names)
    assert.deepEqual([...open.keys()].toSorted(), names.toSorted(), 'walls.md says so')
    if (noFileWall === false) {
      await held(t, names, await through(folder, target, { wall: 'required' }, names))
    }
    unharmed()
  })

  test('without protection each attempt gets through, or it would prove nothing', async (t) => {
    await tried(t, {
      // The first one becomes another program, which reports nothing.
      cases: NAMES.filter((name) => name !== 'become another program'),
      named: (name) => name,
      hold: async (name) => {
        const folder = skillFolder(t)
        const { target, unharmed } = await prepare(t, folder)
        cpSync(ATTEMPTS, join(folder, 'attempts.mjs'))
        writeFileSync(join(folder, 'it.mjs'), TRY)
        const words = [join(folder, 'it.mjs'), JSON.stringify(target), JSON.stringify([name])]
        const env = { NOT_EMPTY: 'x' }
        const cwd = skillFolder(t)
        const { stdout } = await promisify(execFile)(process.execPath, words, { env, cwd })
        if (!stdout.includes(JSON.stringify(name))) assert.throws(unharmed)
        // A wall that fails during development must leave nothing in the repository.
        assert.deepEqual(readdirSync(cwd), [])
      },
      fast: 4,
    })
  })

  test('a hidden link in a skill does not lead a script out of it', async (t) => {
    await tried(t, {
      cases: ['.hidden', 'node_modules', 'a/b/c/d/e/f/deep'],
      named: (name) => name,
      hold: async (name) => {
        const folder = skillFolder(t)
        mkdirSync(join(folder, name, '..'), { recursive: true })
        symlinkSync('/', join(folder, name))
        const program = `console.log((await import('node:fs')).readFileSync('${name}/etc/hosts', 'utf8'))`
        for (const mode of ['off', 'auto'] as const) {
          // One after another: they share the folder.
          // oxlint-disable-next-line no-await-in-loop
          await assert.rejects(run(folder, program, { wall: mode }), /points outside its skill/)
        }
      },
    })
  })

  test('a script that uses up memory of any kind is ended', { skip: onlyLinux }, async (t) => {
    const eats = {
      heap: 'const all = []; for (;;) all.push(new Array(1e5).fill(0.5))',
      buffers: 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))',
      WebAssembly: `const all = []
        for (;;) {
          const memory = new WebAssembly.Memory({ initial: 1600 })
          new Uint8Array(memory.buffer).fill(1)
          all.push(memory)
        }`,
    }
    await tried(t, {
      cases: Object.entries(eats),
      named: ([kind]) => kind,
      hold: async ([, program]) => {
        const { exit } = await run(skillFolder(t), program, { memoryMb: 64, wall: 'off' })
        assert.notEqual(exit, 0)
      },
    })
  })

  test('endless output on either stream ends the script', async (t) => {
    await tried(t, {
      cases: ['stdout', 'stderr'],
      named: (stream) => stream,
      hold: (stream) => {
        const program = `const on = () => process.${stream}.write('x'.repeat(9999), on); on()`
        return assert.rejects(run(skillFolder(t), program), /printed more than 65536 bytes/)
      },
    })
  })

  test("waiting for a FIFO ends at the script's timeout", { skip: windows }, async (t) => {
    const folder = skillFolder(t)
    execFileSync('/usr/bin/mkfifo', [join(folder, 'pipe')])
    const program = `(await import('node:fs')).readFileSync('pipe')`
    const waits = run(folder, program, { signal: AbortSignal.timeout(500) })
    await assert.rejects(waits, /was aborted/)
  })

  test('processes that left their group are ended too', { skip: noWall }, async (t) => {
    const mark = `${600 + Math.floor(performance.now())}`
    // Each in its own session, so that ending the group does not end them.
    const program = `i=0; while [ $i -lt 20 ]; do setsid sleep ${mark}.5 & i=$((i+1)); done; sleep ${mark}`
    const signal = AbortSignal.timeout(700)
    await assert.rejects(run(skillFolder(t), program, { ...inShell, signal }), /was aborted/)
    await setTimeout(100)
    assert.deepEqual(running(`sleep ${mark}`), [])
  })

  test('a script ends when its program is killed', { skip: noFileWall }, async (t) => {
    const folder = skillFolder(t)
    const mark = `${60_000 + Math.floor(performance.now())}`
    writeFileSync(join(folder, 'it.sh'), `sleep ${mark}`)
    const module = join(import.meta.dirname, '../../packages/knowledge/src/skills.ts')
    const host = `import { childProcessScripts } from ${JSON.stringify(module)}
      const scripts = childProcessScripts({ interpreters: { '.sh': ['/bin/sh'] } })
      const folder = ${JSON.stringify(folder)}
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 600)
      await scripts.run({ skill: 'it', folder, file: folder + '/it.sh', args: [] }, new AbortController().signal)`
    const args = ['--conditions=echelon-source', '--input-type=module', '--eval', host]
    await assert.rejects(promisify(execFile)(process.execPath, args), { signal: 'SIGKILL' })
    await setTimeout(200)
    assert.deepEqual(running(`sleep ${mark}`), [])
  })

  test(
    'neither the disk nor its memory-backed substitute is filled',
    { skip: noFileWall },
    async (t) => {
      await tried(t, {
        cases: ['.', '/tmp', '/var/tmp', '/dev', '/dev/shm', '/run', '/', '/proc'],
        named: (folder) => folder,
        hold: async (where) => {
          const program = `head -c 1000 /dev/zero > ${where}/eaten && echo written`
          const { stdout } = await run(skillFolder(t), program, inShell)
          assert.equal(stdout, '')
        },
      })
    },
  )

  test('without a required wall nothing is run', async (t) => {
    if (wall !== undefined) return t.skip('this machine has a wall')
    const ran = run(skillFolder(t), 'console.log(1)', { wall: 'required' })
    await assert.rejects(ran, /a wall is required/)
  })
})

/** Processes of this machine whose command line starts with this. */
const running = (command: string): readonly string[] =>
  globSync('/proc/[0-9]*/cmdline').filter((file) => commandIn(file).startsWith(command))

function commandIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', ' ')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}
