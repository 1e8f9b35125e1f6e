import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'node_modules/.cache/echelon-bench')
const BUNDLE = join(ROOT, 'node_modules/.cache/echelon-bundle')

/**
 * Builds the library as published.
 * @returns the folder of the entry points of the package `echelon`
 */
export function bundle(): string {
  rmSync(BUNDLE, { recursive: true, force: true })
  const program = join(ROOT, 'node_modules/rolldown/bin/cli.mjs')
  const config = ['-c', join(ROOT, 'rolldown.config.ts'), '--configLoader', 'native']
  execFileSync(process.execPath, [program, ...config], {
    cwd: ROOT,
    env: { ...process.env, ECHELON_DIST: BUNDLE },
    // Its output would mix with the figures.
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  writeFileSync(join(BUNDLE, 'package.json'), '{"type":"module"}')
  return join(BUNDLE, 'echelon')
}

/**
 * Builds the library and the benchmarks as JavaScript, as in a package: the time and memory that Node
 * needs for TypeScript must not be measured.
 * @returns the folder that replaces the repository
 */
export function build(): string {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const config = join(FOLDER, 'tsconfig.json')
  const include = ['packages/echelon/src/*.ts', 'lab/benchmarks/agent/*.ts'].map((files) =>
    join(ROOT, files),
  )
  const compilerOptions = {
    noEmit: false,
    declaration: false,
    isolatedDeclarations: false,
    rootDir: ROOT,
    outDir: FOLDER,
    resolveJsonModule: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  }
  const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include }
  writeFileSync(config, JSON.stringify(settings))
  writeFileSync(join(FOLDER, 'package.json'), '{"type":"module"}')
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', config], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return FOLDER
}
