import { lstatSync } from 'node:fs'
import { basename } from 'node:path'

/** The project folder with its records, store and knowledge. */
const USUAL = '.echelon'

/**
 * Rejects the usual folder if it is a symbolic link: a cloned project can contain one, and the data
 * would go to its target. A folder with another name was chosen by the user and may be a link.
 * @throws Error with a sentence
 */
export function refuseLinkedFolder(folder: string): void {
  if (basename(folder) !== USUAL) return
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return
  throw new Error(
    `${folder} is a symbolic link, which is not followed; name the folder it leads to`,
  )
}
