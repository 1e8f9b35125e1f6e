import type { Json } from 'echelon/runtime'
import type { TelemetryEvent, TelemetrySink } from '../primitives/telemetry-sink.ts'

/** A Node stream, or anything else that accepts text. */
export interface PrintStream {
  write(text: string): unknown
}

/** Characters of a value that are printed. */
const LONGEST_VALUE = 500

/** Prints one line per stage: its time, session, name and payload. */
export class PrintSink implements TelemetrySink {
  readonly #stream: PrintStream

  /** @param stream default: standard output */
  constructor(stream: PrintStream = process.stdout) {
    this.#stream = stream
  }

  record(event: TelemetryEvent): void {
    try {
      this.#stream.write(`${lineOf(event)}\n`)
    } catch {
      // The stream is closed, so there is no reader to inform.
    }
  }
}

function lineOf({ timestamp, session_id: session, stage, level, payload }: TelemetryEvent): string {
  const fields = Object.entries(payload).map(([name, value]) => `${name}=${told(value)}`)
  const mark = level === 'info' ? [] : [level.toUpperCase()]
  const line = [timestamp, `[${session}]`, stage.padEnd(18), ...mark, ...fields].join(' ')
  return line.trimEnd().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)
}

/** A single word as is, anything else as JSON. */
function told(value: Json): string {
  const isWord = typeof value === 'string' && /^[\p{L}\p{N}._:/-]+$/u.test(value)
  const text = isWord ? value : JSON.stringify(value)
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

/** Escapes characters that could control a terminal or disguise a line. */
const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
