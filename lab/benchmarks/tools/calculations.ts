import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'
import { calculator } from '../../../packages/tools/src/calculator.ts'
import { context } from './context.ts'
import { type DataRow, pick, readDataFile } from './data-file.ts'
import { absent, type Row } from './row.ts'

/** An expression and what a data set says that it comes to. */
export interface Calculation {
  readonly expr: string
  /** As written, since the number of its decimals tells how it was rounded. */
  readonly expected: string
}

/** The names under which GSM8K and SVAMP, and what people make of them, keep the two. */
const EXPRESSION = ['expr', 'expression', 'equation', 'calc', 'formula', 'input']
const EXPECTED = ['value', 'result', 'answer', 'expected', 'output', 'gold', 'gold_answer']
/** GSM8K writes its calculations into its solutions: `<<48/2=24>>`. */
const ANNOTATION = /<<([^<>]+)=([^<>=]+)>>/g

/**
 * Measures the calculator on one data set of expressions. A row counts once for each calculation
 * that has a number as its result.
 * @throws EchelonError INVALID_INPUT for a file without any
 */
export async function benchCalculations(folder: string, file: string): Promise<Row> {
  const data = await readDataFile(folder, file)
  if (data === undefined) return absent(file)
  const calculations = data.rows.flatMap(calculationsOf)
  const counted = calculations.filter(({ expected }) => !Number.isNaN(numberOf(expected)))
  if (counted.length === 0) throw data.unusable('an expression and its value')

  const start = performance.now()
  const wrong: string[] = []
  for (const calculation of counted) {
    const found = await calculate(calculation.expr)
    if (!agrees(found, calculation.expected)) wrong.push(`${calculation.expr} gave ${found}`)
  }
  const seconds = (performance.now() - start) / 1000
  return {
    set: file,
    rows: data.rows.length,
    counted: counted.length,
    right: counted.length - wrong.length,
    seconds,
    ...(wrong[0] === undefined ? {} : { note: `first wrong: ${wrong[0]}` }),
  }
}

/** The calculations of a row: its annotations, or else its expression and its value. */
export function calculationsOf(row: DataRow): readonly Calculation[] {
  const texts = Object.values(row).filter((value) => typeof value === 'string')
  const annotated = texts.flatMap((text) => [...text.matchAll(ANNOTATION)])
  if (annotated.length > 0) {
    return annotated.map(([, expr = '', expected = '']) => ({ expr, expected }))
  }
  const expr = pick(row, EXPRESSION)
  const expected = pick(row, EXPECTED)
  if (typeof expr !== 'string') return []
  if (typeof expected === 'number' || typeof expected === 'string') {
    return [{ expr, expected: String(expected) }]
  }
  const [, left, right] = /^(.+)=([^=]+)$/.exec(expr) ?? []
  return left === undefined || right === undefined ? [] : [{ expr: left, expected: right }]
}

/**
 * Within a millionth of the value; and, where the data set writes decimals, within one of the last
 * it writes, since `10/3=3.33` is right.
 */
export function agrees(found: string, expected: string): boolean {
  const wanted = numberOf(expected)
  const decimals = /\.(\d+)/.exec(expected)?.[1]?.length ?? 0
  const unit = expected.trim().endsWith('%') ? 0.01 : 1
  const rounding = decimals === 0 ? 0 : unit * 10 ** -decimals
  return Math.abs(Number(found) - wanted) <= Math.max(1e-6 * Math.abs(wanted), rounding, 1e-9)
}

/** Reads without the calculator, which is what this measures. `NaN` if the text is not a number. */
function numberOf(text: string): number {
  const [, sign = '', digits = '', divisor = '1', percent] =
    /^\s*(-?)\s*\$?\s*([\d,]*\.?\d+|\d+\.)(?:\s*\/\s*(\d+))?\s*(%?)\s*$/.exec(text) ?? []
  const value = Number(digits.replaceAll(',', '') || NaN) / Number(divisor)
  return (sign === '' ? value : -value) / (percent === '%' ? 100 : 1)
}

async function calculate(expr: string): Promise<string> {
  try {
    const result = await calculator.run({ expr }, context)
    return isRecord(result) && typeof result['value'] === 'string' ? result['value'] : 'nothing'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
