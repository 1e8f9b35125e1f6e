import { copyFileSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, parse, relative, sep } from 'node:path'
import type { OutputOptions, Plugin, PluginContext, RolldownOptions } from 'rolldown'

const SOURCE = join(import.meta.dirname, 'src')
const DATA = 'agents/decide/plan.schema.json'

const doors = globSync('*.ts', { cwd: SOURCE }).map((file) => parse(file).name)

/** What child processes load: files of their own, where the code that starts them looks for them. */
const workers = [
  ...readFileSync(join(import.meta.dirname, 'tsconfig.build.json'), 'utf8').matchAll(
    /"src\/([^*"]+)\.ts"/g,
  ),
]
  .map(([, path]) => path)
  .filter((path) => path !== undefined)

const fileOf = (entry: string): string => join(SOURCE, `${entry}.ts`)

const byWorkers = new Set<string>()
const byRoot = new Set<string>()

export const isPackage = (id: string): boolean => !/^[./]/.test(id)

/** How the files are called and written, of the library as of the command. */
export const output: OutputOptions = {
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  // The declarations have the docstrings. What is not there need not be read, and what is ASCII is
  // read faster.
  comments: { jsdoc: false },
  charset: 'ascii',
}

/**
 * The published library. A door is a few files instead of two hundred, each of which takes Node half a
 * millisecond to find; what is imported by a call is still loaded by that call.
 */
const config: RolldownOptions = {
  input: Object.fromEntries([...doors, ...workers].map((entry) => [entry, fileOf(entry)])),
  platform: 'node',
  logLevel: 'warn',
  external: isPackage,
  plugins: [
    reach([fileOf('index')], byRoot),
    reach(workers.map(fileOf), byWorkers),
    addresses(),
    data(),
  ],
  output: {
    ...output,
    dir: 'dist',
    codeSplitting: {
      groups: [
        { name: 'base', test: (id) => byRoot.has(id) && byWorkers.has(id), priority: 1 },
        { name: 'agent', test: (id) => byRoot.has(id) },
      ],
    },
  },
}
export default config

/** Collects the modules that these load when they are loaded. */
export function reach(entries: readonly string[], into: Set<string>): Plugin {
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
function addresses(): Plugin {
  return {
    name: 'addresses',
    transform(code, id) {
      if (!code.includes('workerModule(import.meta.url')) return null
      const own = `./${relative(SOURCE, id).replaceAll(sep, '/').replace(/ts$/, 'js')}`
      const address = `new URL('${own}', import.meta.url).href`
      return code.replaceAll('workerModule(import.meta.url', `workerModule(${address}`)
    },
  }
}

/** The file of the door that is no module. */
function data(): Plugin {
  return {
    name: 'data',
    writeBundle({ dir = 'dist' }) {
      mkdirSync(dirname(join(dir, DATA)), { recursive: true })
      copyFileSync(join(SOURCE, DATA), join(dir, DATA))
    },
  }
}
