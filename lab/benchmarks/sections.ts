import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** Measures one data set, and returns the figures as text. */
export type Section = (folder: string) => Promise<string>

export type Sections = Readonly<
  Record<string, { readonly title: string; readonly measure: Section }>
>

/**
 * Prints the sections, or the one that `--only NAME` names. The data is read from the folder in `ECHELON_DATA`, by
 * default `../shared/data` seen from the repository. A section that fails ends the program with status 1.
 */
export async function printSections(sections: Sections): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  const chosen = Object.entries(sections).filter(([name]) => (values.only ?? name) === name)
  if (chosen.length === 0) {
    console.error(`there is no ${values.only}; there are ${Object.keys(sections).join(', ')}`)
    process.exitCode = 2
  }
  const folder =
    process.env['ECHELON_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url))
  for (const [name, { title, measure }] of chosen) {
    console.log(`\n${title} (${name})`)
    try {
      // One at a time: they are timed.
      // oxlint-disable-next-line no-await-in-loop
      console.log(await measure(folder))
    } catch (error) {
      process.exitCode = 1
      console.log(`failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
