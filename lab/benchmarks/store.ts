/**
 * Measures the cost of the store: a step against a bare insert of its bytes, the bytes of a long run,
 * opening and resuming; and the same loop in LangGraph with its SqliteSaver.
 * `npm run bench:store`: a table, and `out/bench-store.json`.
 *
 * `--only step` measures one figure, in this process; `--json` prints JSON. Ratios
 * compare units that alternate in one process, on files of one folder; absolute times depend on the
 * machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isStoreBar, type StoreMeasured } from './store/bars.ts'
import { STORE_FIGURES } from './store/figures.ts'
import { measureStore } from './store/measure-store.ts'
import { storeTable } from './store/table.ts'

const OUT = fileURLToPath(new URL('../../out', import.meta.url))
const HELP = `npm run bench:store -- [--only FIGURE] [--json]\nfigures: ${Object.keys(STORE_FIGURES).join(', ')}`

const { only, json } = optionsOrLeave()
const measured = only === undefined ? await measureAll() : await measureOne(only)
console.log(json ? JSON.stringify(measured) : storeTable(measured))

/** An error in the options is one line, and nothing is measured. */
function optionsOrLeave(): { readonly only: string | undefined; readonly json: boolean } {
  if (process.argv.includes('--help')) leave(HELP)
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, json: { type: 'boolean', default: false } },
    })
    return { only: values.only, json: values.json }
  } catch (error) {
    return leave(`${error instanceof Error ? error.message : String(error)}\n${HELP}`)
  }
}

function leave(text: string): never {
  console.error(text)
  process.exit(2)
}

async function measureOne(name: string): Promise<readonly StoreMeasured[]> {
  const figure = isStoreBar(name) ? STORE_FIGURES[name] : undefined
  return figure === undefined ? leave(`nothing measures ${name}\n${HELP}`) : figure()
}

async function measureAll(): Promise<readonly StoreMeasured[]> {
  const found: StoreMeasured[] = []
  for (const name of Object.keys(STORE_FIGURES)) {
    console.error(`measuring ${name} ...`)
    try {
      found.push(...(await measureStore(name)))
    } catch (error) {
      process.exitCode = 1
      console.error(error instanceof Error ? error.message : error)
    }
  }
  const cpu = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`
  const report = { date: new Date().toISOString(), node: process.version, cpu, figures: found }
  mkdirSync(OUT, { recursive: true })
  writeFileSync(`${OUT}/bench-store.json`, `${JSON.stringify(report, null, 2)}\n`)
  return found
}
