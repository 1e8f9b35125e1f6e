import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundled } from '../toolchain/bundle.ts'

/** Programs that tests start again and again, by their place in this folder. */
const PROGRAMS = [
  'crash/contender.ts',
  'crash/life.ts',
  'crash/random-life.ts',
  'crash/support-contender.ts',
  'crash/writer.ts',
  'fleet/spender-process.ts',
  'fleet/worker-process.ts',
  'lasting/case-in-child.ts',
  'lasting/followed-in-child.ts',
  'lasting/turns-in-child.ts',
  'server/killed-server.ts',
  'stores/upgrader.ts',
] as const

export type Program = (typeof PROGRAMS)[number]

const urls = await bundled({
  name: 'test-programs',
  input: Object.fromEntries(PROGRAMS.map((program) => [nameOf(program), `test/${program}`])),
})

/** The file that runs a program: a bundle, which starts in half the CPU time of its source. */
export function fileOf(program: Program): string {
  const url = urls?.[nameOf(program)]
  return url === undefined ? join(import.meta.dirname, program) : fileURLToPath(url)
}

/** The name of its file, which is not in a folder. */
function nameOf(program: Program): string {
  return program.replaceAll('/', '-').replace('.ts', '')
}
