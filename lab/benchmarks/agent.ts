/**
 * Measures the overhead of Echelon, against a hand-written loop and the `ai` package, with a model that
 * answers at once. `npm run bench`: a table, and `out/bench.json`.
 *
 * `--only turn` measures one figure, in this process; `--alone` without the others, for a profile;
 * `--json` prints JSON. Figures are medians of batches that take turns; each figure is measured in
 * a process of its own. Ratios hold within 15 % from run to run, absolute times do not.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { BARS, type BarName, isMet, type Measured } from './agent/bars.ts'
import { measureApart } from './agent/measure-apart.ts'
import { FIGURES } from './agent/figures.ts'
import { readOptions } from './agent/options.ts'
import { printTable } from './agent/table.ts'

const OUT = fileURLToPath(new URL('../../out', import.meta.url))

const HELP = `npm run bench -- [--only FIGURE] [--alone] [--quick] [--json]\nfigures: ${Object.keys(FIGURES).join(', ')}`

const { only, json } = optionsOrLeave()
const names = Object.keys(BARS).filter(isBarName)

if (only === undefined) await measureAll()
else await measureOne(only)

/** An error in the options is one line, and nothing is measured. */
function optionsOrLeave(): ReturnType<typeof readOptions> {
  if (process.argv.includes('--help')) leave(HELP)
  try {
    const options = readOptions()
    const { only: name } = options
    if (name === undefined || Object.hasOwn(FIGURES, name)) return options
    return leave(`nothing measures ${name}; there is: ${Object.keys(FIGURES).join(', ')}`)
  } catch (error) {
    return leave(`${error instanceof Error ? error.message : String(error)}\n${HELP}`)
  }
}

function leave(text: string): never {
  console.error(text)
  process.exit(2)
}

async function measureOne(name: string): Promise<void> {
  const figure = isBarName(name) ? FIGURES[name] : undefined
  if (!isBarName(name) || figure === undefined) {
    throw new Error(`nothing measures ${name}; there is: ${Object.keys(FIGURES).join(', ')}`)
  }
  const measured = await figure()
  console.log(
    json
      ? JSON.stringify(measured)
      : printTable(
          measured.map(({ bar }) => bar),
          measured,
        ),
  )
}

async function measureAll(): Promise<void> {
  const measured: Measured[] = []
  for (const name of names.filter((name) => FIGURES[name] !== undefined)) {
    console.error(`measuring ${name} ...`)
    try {
      measured.push(...(await measureApart(['--only', name])))
    } catch (error) {
      process.exitCode = 1
      console.error(error instanceof Error ? error.message : error)
    }
  }
  const report = reportOf(measured)
  mkdirSync(OUT, { recursive: true })
  writeFileSync(`${OUT}/bench.json`, `${JSON.stringify(report, null, 2)}\n`)
  console.log(json ? JSON.stringify(report) : `\n${printTable(names, measured)}\n\n${report.on}`)
}

function reportOf(measured: readonly Measured[]) {
  const date = new Date().toISOString()
  const cpu = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`
  const figures = measured.map((found) => ({
    ...found,
    ...BARS[found.bar],
    met: isMet(BARS[found.bar], found),
  }))
  return {
    date,
    node: process.version,
    cpu,
    on: `${date}, Node ${process.version}, ${cpu}`,
    figures,
  }
}

function isBarName(name: string): name is BarName {
  return Object.hasOwn(BARS, name)
}
