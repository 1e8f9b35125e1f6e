import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Folders that hold the code of a worker: this library's own, the module's, and those of packages that they
 * could import. Everything else of the disk is closed to it: stores, keys, other people's files.
 * @param code the folder of this library's code
 */
export function readable(module: URL, code: URL): readonly string[] {
  const own = fileURLToPath(code).replace(/[/\\]$/, '')
  const folder = dirname(fileURLToPath(module))
  const packages = [...foldersAbove(own)]
    .map((above) => join(above, 'node_modules'))
    .filter(existsSync)
  const linked = packages.map((folder) => realpathSync(folder))
  return [...new Set([own, folder, ...packages, ...linked, ...sharedStore(own)])]
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
