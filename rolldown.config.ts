import { copyFileSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { OutputOptions, Plugin, PluginContext, RolldownOptions } from 'rolldown'

const ROOT = import.meta.dirname

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly 'echelon-source': string }>>
  readonly devDependencies?: Readonly<Record<string, string>>
  /** Files of development dependencies that the package carries: their place in `dist`, and where they come from. */
  readonly copiedFiles?: Readonly<Record<string, string>>
}

const OUTPUT: OutputOptions = {
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // The declarations have the docstrings. Files without them, and in ASCII, load faster.
  comments: { jsdoc: false },
  charset: 'ascii',
}

function bundle(folder: string): RolldownOptions {
  const source = join(folder, 'src')
  const {
    exports,
    devDependencies = {},
    copiedFiles = {},
  }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const doors = Object.values(exports).flatMap((given) =>
    typeof given === 'string' ? [] : [given['echelon-source']],
  )
  const modules = doors.filter((door) => door.endsWith('.ts')).map((door) => entryOf(door.slice(6)))
  const data = doors.filter((door) => !door.endsWith('.ts'))
  const workers = workersOf(folder)
  const fileOf = (entry: string): string => join(source, `${entry}.ts`)
  const byWorkers = new Set<string>()
  const byRoot = new Set<string>()
  // Development dependencies are bundled.
  const isBundled = (id: string): boolean =>
    Object.keys(devDependencies).some((name) => id === name || id.startsWith(`${name}/`))
  return {
    input: Object.fromEntries([...modules, ...workers].map((entry) => [entry, fileOf(entry)])),
    platform: 'node',
    logLevel: 'warn',
    external: (id, from) =>
      !/^[./]/.test(id) && !isBundled(id) && from?.includes('/node_modules/') !== true,
    plugins: [
      reach([fileOf('index')], byRoot),
      reach(workers.map(fileOf), byWorkers),
      addresses(source),
      copied(folder, data),
      carried(folder, copiedFiles),
    ],
    output: {
      ...OUTPUT,
      dir: distOf(folder),
      codeSplitting: {
        groups: [
          { name: 'base', test: (id) => byRoot.has(id) && byWorkers.has(id), priority: 1 },
          { name: 'agent', test: (id) => byRoot.has(id) },
        ],
      },
    },
  }
}

/** Benchmarks and tests have their bundles written to a folder of their own. */
function distOf(folder: string): string {
  const elsewhere = process.env['ECHELON_DIST']
  return elsewhere === undefined ? join(folder, 'dist') : join(elsewhere, basename(folder))
}

const entryOf = (file: string): string => file.replace(/\.ts$/, '')

/** Modules of child processes: separate files, at the paths where their starters look for them. */
const workersOf = (folder: string): readonly string[] =>
  globSync('src/**/*.ts', { cwd: folder, exclude: (file) => /\.test\.ts$|trial/.test(file) })
    .flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /workerModule\(import\.meta\.url, '(.+?)'\)/g,
        ),
      ].map(([, path = '']) => join(dirname(file), path)),
    )
    .map((file) => entryOf(relative('src', file).replaceAll(sep, '/')))

/** Collects all modules that these import statically. */
function reach(entries: readonly string[], into: Set<string>): Plugin {
  return {
    name: 'reach',
    buildEnd() {
      for (const entry of entries) reached(this, entry, into)
    },
  }
}

function reached(graph: PluginContext, id: string, into: Set<string>): void {
  if (into.has(id)) return
  into.add(id)
  for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reached(graph, next, into)
}

/** An address that is relative to its module in the source stays so, whatever chunk it comes to. */
function addresses(source: string): Plugin {
  return {
    name: 'addresses',
    transform(code, id) {
      if (!code.includes('workerModule(import.meta.url')) return null
      const own = `./${relative(source, id).replaceAll(sep, '/').replace(/ts$/, 'js')}`
      const address = `new URL('${own}', import.meta.url).href`
      return code.replaceAll('workerModule(import.meta.url', `workerModule(${address}`)
    },
  }
}

/** Entry points that are not modules. */
function copied(folder: string, files: readonly string[]): Plugin {
  return {
    name: 'copied',
    writeBundle() {
      for (const file of files) {
        const to = join(distOf(folder), file.replace('./src/', ''))
        mkdirSync(dirname(to), { recursive: true })
        copyFileSync(join(folder, file), to)
      }
    },
  }
}

/** Files that a package carries, so that its users need not install the package that they come from. */
function carried(folder: string, files: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'carried',
    writeBundle() {
      for (const [place, from] of Object.entries(files)) {
        const to = join(distOf(folder), place)
        mkdirSync(dirname(to), { recursive: true })
        copyFileSync(join(ROOT, 'node_modules', from), to)
      }
    },
  }
}

/** The command: one file that every command needs, and the files that each command adds. */
function command(): RolldownOptions {
  const byProgram = new Set<string>()
  const source = join(ROOT, 'cli/src')
  return {
    input: { main: join(source, 'main.js') },
    platform: 'node',
    logLevel: 'warn',
    external: (id) => !/^[./]/.test(id),
    plugins: [reach([join(source, 'program.ts')], byProgram)],
    output: {
      ...OUTPUT,
      dir: distOf(join(ROOT, 'cli')),
      codeSplitting: { groups: [{ name: 'program', test: (id) => byProgram.has(id) }] },
    },
  }
}

/** The published packages: a door is a few files instead of two hundred. */
const config: readonly RolldownOptions[] = [
  ...globSync('packages/*/package.json', { cwd: ROOT }).map((file) =>
    bundle(join(ROOT, dirname(file))),
  ),
  command(),
]
export default config
