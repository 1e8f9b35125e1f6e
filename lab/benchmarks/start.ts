/**
 * Measures the start of the command: CPU seconds, best of ten, and the loaded modules. It fails if a limit is missed.
 * `start.ts` measures a clone, `start.ts --built` the published build, which `npm run build` makes.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const BUILT = join(ROOT, 'cli/dist/main.js')
const RUNS = 10

const MOST_MODULES = 200

/** Commands, and the most CPU seconds that each may take. */
const COMMANDS: readonly { readonly words: readonly string[]; readonly most: number }[] = [
  { words: ['--version'], most: 0.25 },
  { words: ['decide', 'What is 15 * 23?'], most: 0.5 },
]

const { values } = parseArgs({ options: { built: { type: 'boolean', default: false } } })
if (values.built && !existsSync(BUILT)) throw new Error(`${BUILT} is missing; run: npm run build`)
const program = values.built
  ? [BUILT]
  : ['--conditions=echelon-source', join(ROOT, 'toolchain/start.js')]

const folder = mkdtempSync(join(tmpdir(), 'echelon-start-'))
try {
  for (const { words, most } of COMMANDS) {
    // The first run bundles the command, compiles it and makes the store, which later ones find.
    modulesOf(words)
    const loaded = modulesOf(words)
    const own = loaded.filter(isOwn).length
    const seconds = Math.min(...Array.from({ length: RUNS }, () => cpuOf(words)))
    const modules = `${loaded.length} modules (${own} of its own, ${loaded.length - own} of packages)`
    console.log(`${words.join(' ').padEnd(24)}  ${seconds.toFixed(3)} s CPU  ${modules}`)
    if (seconds > most || loaded.length > MOST_MODULES) {
      console.log(`  missed: at most ${most} s and ${MOST_MODULES} modules`)
      process.exitCode = 1
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Whether a module is of the repository: of its source, or of the bundle that a clone makes of it. */
function isOwn(url: string): boolean {
  return !url.replace('/node_modules/.cache/command/', '/').includes('/node_modules/')
}

function modulesOf(words: readonly string[]): readonly string[] {
  const counted = join(folder, 'modules.json')
  const counter = join(import.meta.dirname, 'start/loaded-modules.ts')
  execFileSync(process.execPath, ['--import', counter, ...program, ...words], {
    cwd: folder,
    env: { ...process.env, LOADED_MODULES: counted },
    stdio: 'ignore',
  })
  return JSON.parse(readFileSync(counted, 'utf8'))
}

/** User and system time of a run and its child processes. */
function cpuOf(words: readonly string[]): number {
  const script = '"$@" > /dev/null 2>&1 || exit; times'
  const args = ['-c', script, 'sh', process.execPath, ...program, ...words]
  const [, ofChildren = ''] = execFileSync('sh', args, { cwd: folder, encoding: 'utf8' }).split(
    '\n',
  )
  const times = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)]
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
}
