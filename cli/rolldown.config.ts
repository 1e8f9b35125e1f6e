import { join } from 'node:path'
import type { RolldownOptions } from 'rolldown'
import { isPackage, output, reach } from '../rolldown.config.ts'

const SOURCE = join(import.meta.dirname, 'src')

const byProgram = new Set<string>()

/** The published command: one file that every command needs, and the files that each command adds. */
const config: RolldownOptions = {
  input: { main: join(SOURCE, 'main.js') },
  platform: 'node',
  logLevel: 'warn',
  external: isPackage,
  plugins: [reach([join(SOURCE, 'program.ts')], byProgram)],
  output: {
    ...output,
    dir: 'cli/dist',
    codeSplitting: { groups: [{ name: 'program', test: (id) => byProgram.has(id) }] },
  },
}
export default config
