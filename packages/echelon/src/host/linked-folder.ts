import { lstatSync } from 'node:fs'
import { basename } from 'node:path'

/** The folder beside a project that holds its records, its store and its knowledge. */
const USUAL = '.echelon'

/**
 * Refuses the usual folder where it is a symbolic link: a project that is cloned can bring one, and what
 * is kept would go where it leads. A folder of another name was chosen, and may be a link.
 * @throws Error in a sentence
 */
export function refuseLinkedFolder(folder: string): void {
  if (basename(folder) !== USUAL) return
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return
  throw new Error(
    `${folder} is a symbolic link, which is not followed; name the folder it leads to`,
  )
}
