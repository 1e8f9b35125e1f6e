import { ToolError } from 'echelon/internal/tool'
import { type DailyClose, isIsoDate } from './daily-close.ts'

/** The columns to read, by their names in the first line, case-insensitive. */
export interface CloseColumns {
  readonly date: string
  readonly close: string
}

/**
 * Reads closing prices from CSV text whose first line names the columns. Sorts them ascending.
 * @throws ToolError TOOL_ERROR with the line number for a row without a day and a price above 0,
 * and for a missing column or a repeated day
 */
export async function readCloses(csv: string, columns: CloseColumns): Promise<DailyClose[]> {
  const [header, ...lines] = await readTable(csv)
  const dateAt = columnAt(header, columns.date)
  const closeAt = columnAt(header, columns.close)
  const closes = lines.map(({ fields, number }) =>
    readClose(fields[dateAt] ?? '', fields[closeAt] ?? '', number),
  )
  return ascending(closes)
}

interface Line {
  readonly fields: readonly string[]
  /** Counted from 1. */
  readonly number: number
}

async function readTable(csv: string): Promise<readonly Line[]> {
  const { CsvError, parse } = await import('csv-parse/sync')
  const table: Line[] = []
  try {
    parse(csv, {
      bom: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (fields: string[], { lines }) => void table.push({ fields, number: lines }),
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new ToolError('TOOL_ERROR', `the CSV cannot be read: ${error.message}`)
  }
  return table
}

function columnAt(header: Line | undefined, name: string): number {
  const names = header?.fields ?? []
  const at = names.findIndex((each) => each.toLowerCase() === name.toLowerCase())
  if (at !== -1) return at
  const found = names
    .join(', ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 80)
  throw new ToolError('TOOL_ERROR', `the CSV has no column ${name}; its first line is: ${found}`)
}

function readClose(date: string, price: string, line: number): DailyClose {
  const close = Number(price)
  if (!isIsoDate(date)) throw malformed(line, `${quote(date)} is not a day such as 2018-05-11`)
  if (price === '' || !Number.isFinite(close) || close <= 0) {
    throw malformed(line, `${quote(price)} is not a price`)
  }
  return { date, close }
}

function ascending(closes: readonly DailyClose[]): DailyClose[] {
  const sorted = closes.toSorted((a, b) => (a.date < b.date ? -1 : 1))
  const twice = sorted.find(({ date }, index) => date === sorted[index - 1]?.date)
  if (twice !== undefined) throw new ToolError('TOOL_ERROR', `the CSV has ${twice.date} twice`)
  return sorted
}

const malformed = (line: number, message: string): ToolError =>
  new ToolError('TOOL_ERROR', `line ${line} of the CSV: ${message}`)

const quote = (text: string): string => JSON.stringify(text.slice(0, 40))
