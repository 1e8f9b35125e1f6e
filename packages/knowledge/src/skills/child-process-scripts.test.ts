import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { test, type TestContext } from 'node:test'
import { type ChildProcessOptions, childProcessScripts } from './child-process-scripts.ts'

/** Runs a program as a script of a skill. */
function runs(
  t: TestContext,
  program: string,
  {
    name = 'it.mjs',
    signal = new AbortController().signal,
    ...options
  }: ChildProcessOptions & { readonly name?: string; readonly signal?: AbortSignal } = {},
): Promise<unknown> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'echelon-script-')))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, name)
  writeFileSync(file, program)
  const script = { skill: 'it', folder, file, args: ['a b', '$(id)'] }
  return childProcessScripts(options).run(script, signal)
}

test('a script gets its arguments unchanged, an empty environment and its own folder', async (t) => {
  const program = `import { readFileSync } from 'node:fs'
    const own = readFileSync(import.meta.filename, 'utf8').length > 0
    console.log(JSON.stringify([process.argv.slice(2), Object.keys(process.env), own]))
    console.error('beside it'); process.exitCode = 3`
  assert.deepEqual(await runs(t, program), {
    exit: 3,
    stdout: '[["a b","$(id)"],[],true]\n',
    stderr: 'beside it\n',
  })
})

test('JavaScript reads nothing outside its folder, writes nothing and starts no process', async (t) => {
  const program = `import { readFileSync, writeFileSync } from 'node:fs'
    import { execSync } from 'node:child_process'
    const attempts = [() => readFileSync('/etc/hosts'), () => writeFileSync('x', ''), () => execSync('id')]
    for (const attempt of attempts) {
      try { attempt(); console.log('done') } catch (error) { console.log(error.code) }
    }`
  const denied = 'ERR_ACCESS_DENIED\n'
  assert.deepEqual(await runs(t, program), {
    exit: 0,
    stdout: denied + denied + denied,
    stderr: '',
  })
})

test('kills a script that prints without end, and one that is aborted', async (t) => {
  const endless = `const write = () => process.stdout.write('x'.repeat(4096), write); write()`
  await assert.rejects(
    runs(t, endless, { maxOutputBytes: 10_000 }),
    /printed more than 10000 bytes/,
  )
  const given = new AbortController()
  const idle = runs(t, 'setInterval(() => {}, 1000)', { signal: given.signal })
  given.abort()
  await assert.rejects(idle, /the script was aborted/)
})

test('a child process of a script ends with it', async (t) => {
  // A surviving child would hold the output open, and the test would hang.
  const program = 'sleep 60 &\necho started'
  const interpreters = { '.sh': ['/bin/sh'] } as const
  assert.deepEqual(await runs(t, program, { name: 'it.sh', interpreters }), {
    exit: 0,
    stdout: 'started\n',
    stderr: '',
  })
})

test('does not wait for a process that left the group of its script', async (t) => {
  // Run without a sandbox, where a process can leave the group and survive.
  const program = `import { spawn } from 'node:child_process'
    const rest = spawn('/bin/sleep', ['20'], { detached: true, stdio: 'inherit' })
    console.log(rest.pid); rest.unref()`
  const interpreters = { '.mjs': [process.execPath] } as const
  const result = await runs(t, program, { interpreters, wall: 'off' })
  const [, rest] = /"stdout":"(\d+)/.exec(JSON.stringify(result)) ?? []
  assert.ok(rest !== undefined)
  // Throws if the process is gone.
  process.kill(Number(rest), 'SIGKILL')
})

test('running scripts are killed when the process exits', async (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'echelon-script-')))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'it.sh')
  writeFileSync(file, 'echo $$ > it.pid\nsleep 20')
  const host = `import { childProcessScripts } from ${JSON.stringify(join(import.meta.dirname, 'child-process-scripts.ts'))}
    import { existsSync, readFileSync } from 'node:fs'
    const { signal } = new AbortController()
    const { run } = childProcessScripts({ interpreters: { '.sh': ['/bin/sh'] }, wall: 'off' })
    void run({ skill: 'it', folder: ${JSON.stringify(folder)}, file: ${JSON.stringify(file)}, args: [] }, signal)
    const pid = ${JSON.stringify(join(folder, 'it.pid'))}
    const look = () => {
      if (existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\\n')) process.exit(0)
    }
    setInterval(look, 10)`
  await promisify(execFile)(process.execPath, [
    '--conditions=echelon-source',
    '--input-type=module',
    '-e',
    host,
  ])
  const group = -Number(readFileSync(join(folder, 'it.pid'), 'utf8'))
  while (isAlive(group)) await setTimeout(10)
})

/** Also true for a killed process until it is reaped. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('rejects invalid limits', () => {
  for (const limit of [{ maxOutputBytes: Number.NaN }, { timeoutMs: 0 }]) {
    assert.throws(() => childProcessScripts(limit), /give a whole number above 0/)
  }
})

test('rejects scripts without an interpreter, and reports a missing program', async (t) => {
  await assert.rejects(
    runs(t, 'print(1)', { name: 'it.py' }),
    /no interpreter is set for scripts of kind \.py; known kinds are \.js/,
  )
  const interpreters = { '.py': ['/nowhere/python'] } as const
  await assert.rejects(
    runs(t, 'print(1)', { name: 'it.py', interpreters }),
    /could not be run \(\/nowhere\/python is not there\)/,
  )
})
