import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Measured } from '../bars.ts'
import { bundle } from '../built.ts'
import { median } from '../measure.ts'

const TIMES = 15

/** Output of a program in a new process, and the total milliseconds. */
function evaluate(program: string): { readonly printed: string; readonly ms: number } {
  const began = performance.now()
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '../../../..'),
  })
  return { printed, ms: performance.now() - began }
}

const importing = (specifier: string): string => `await import(${JSON.stringify(specifier)})`

/** Extra time of a process that imports the entry point, and the modules it loads. */
export async function importEchelon(): Promise<readonly Measured[]> {
  const folder = bundle()
  const door = pathToFileURL(join(folder, 'index.js')).href
  const programs = { empty: '', echelon: importing(door), ai: importing('ai') }
  const times: Record<keyof typeof programs, number[]> = { empty: [], echelon: [], ai: [] }
  for (let round = 0; round <= TIMES; round++) {
    // The first run fills the disk cache.
    for (const name of ['empty', 'echelon', 'ai'] as const) {
      const { ms } = evaluate(programs[name])
      if (round > 0) times[name].push(ms)
    }
  }
  const more = (name: 'echelon' | 'ai'): number =>
    median(times[name].map((ms, round) => ms - (times.empty[round] ?? NaN)))
  const { own, foreign } = loadedBy(door, folder)
  const note = foreign.length === 0 ? `${own} modules of its own` : foreign.join(', ')
  return [
    { bar: 'import', echelon: more('echelon'), ai: more('ai'), note: `${own} modules of its own` },
    { bar: 'import-foreign', echelon: foreign.length, note },
  ]
}

/** Modules that an entry point loads: the number of Echelon's, and the packages of others. */
function loadedBy(door: string, folder: string): { own: number; foreign: readonly string[] } {
  const { printed } = evaluate(`
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    ${importing(door)}
    console.log(JSON.stringify(loaded))`)
  const loaded: readonly string[] = JSON.parse(printed)
  const home = pathToFileURL(folder).href
  const others = loaded.filter((url) => url.startsWith('file:') && !url.startsWith(home))
  const packages = others.map((url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url)
  return {
    own: loaded.filter((url) => url.startsWith(home)).length,
    foreign: [...new Set(packages)],
  }
}

/** The first list of all providers in a process, with the entry point loaded. */
export async function discovery(): Promise<readonly Measured[]> {
  const door = pathToFileURL(join(bundle(), 'providers.js')).href
  const program = `
    import { createRegistry, standardProviders } from ${JSON.stringify(door)}
    const began = performance.now()
    const found = await createRegistry(standardProviders).list()
    console.log(JSON.stringify({ ms: performance.now() - began, found: found.length }))`
  const found: { ms: number; found: number }[] = []
  for (let round = 0; round <= TIMES; round++) found.push(JSON.parse(evaluate(program).printed))
  const note = `${found[0]?.found ?? 0} providers`
  return [{ bar: 'discovery', echelon: median(found.slice(1).map(({ ms }) => ms)), note }]
}
