import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Folders that hold the code of a worker: this package and the packages that it could import. Everything
 * else of the disk is closed to it: stores, keys, other people's files.
 */
export function readable(module: URL, packageRoot: URL): readonly string[] {
  const above = [...foldersAbove(fileURLToPath(module))]
  const packages = above.map((folder) => join(folder, 'node_modules')).filter(existsSync)
  const linked = packages.map((folder) => realpathSync(folder))
  const own = fileURLToPath(packageRoot).replace(/[/\\]$/, '')
  return [...new Set([own, ...packages, ...linked, ...sharedStore(own)])]
}

function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder
    if (folder === dirname(folder)) return
  }
}

/** pnpm may keep packages of all projects in one folder, each linked to the others in it. */
function sharedStore(folder: string): readonly string[] {
  const [store] = /^.*[/\\]store[/\\]v\d+[/\\]links(?=[/\\])/.exec(folder) ?? []
  return store === undefined ? [] : [store]
}
