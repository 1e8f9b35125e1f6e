/**
 * Measures the tools on real data, and what the calculator's isolate costs.
 * `node --conditions=echelon-source lab/benchmarks/tools.ts`; the data sets are read from the folder in
 * `ECHELON_DATA`, by default `../shared/data` seen from the repository. One that is absent is
 * skipped and says so; one that cannot be read ends the program with status 1. With `--brief` few calls of
 * the calculator are measured.
 */
import { fileURLToPath } from 'node:url'
import { benchAverages } from './tools/averages.ts'
import { benchCalculations } from './tools/calculations.ts'
import { benchDates } from './tools/dates.ts'
import { benchOverhead, BRIEF, WHOLE } from './tools/overhead.ts'
import { printTable } from './tools/print-table.ts'
import { absent, type Row } from './tools/row.ts'

type Section = (folder: string) => Promise<readonly Row[]>

const SECTIONS: Readonly<Record<string, Section>> = {
  gsm8k: async (folder) => [await benchCalculations(folder, 'calc_gsm8k.jsonl')],
  svamp: async (folder) => [await benchCalculations(folder, 'math_svamp.jsonl')],
  stock: async (folder) => [await benchAverages(folder, 'stock_aapl_2015_2017.jsonl')],
  dates: benchDates,
}

async function rowsOf([name, section]: [string, Section], folder: string): Promise<readonly Row[]> {
  try {
    return await section(folder)
  } catch (error) {
    process.exitCode = 1
    return [{ ...absent(name), note: error instanceof Error ? error.message : String(error) }]
  }
}

const folder =
  process.env['ECHELON_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url))
const rows: Row[] = []
for (const section of Object.entries(SECTIONS)) rows.push(...(await rowsOf(section, folder)))
console.log(printTable(rows))

const { calculator, empty } = await benchOverhead(process.argv.includes('--brief') ? BRIEF : WHOLE)
const line = (kind: string, cost: number, base: number): string =>
  `calculator, ${kind} call: ${cost.toFixed(2)} ms, ${(cost / base).toFixed(1)} times an empty isolate's ${base.toFixed(2)} ms`
console.log(`\n${line('cold', calculator.cold, empty.cold)}`)
console.log(line('warm', calculator.warm, empty.warm))
