import type { LoggerOptions } from 'pino'
import { EchelonError } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { Log, LogLevel, LogRecord } from 'echelon/middleware'
import { reasonOf } from './private-file.ts'

export interface PinoLogOptions {
  /** A logger of yours, with its own destination and level. Then nothing is loaded. */
  readonly logger?: PinoLogger
  /** Lines are appended to this file, which is made for its owner only. Default: standard output. */
  readonly file?: string
  /** The least that is written. Default `info`. */
  readonly level?: LogLevel
}

/** The part of a pino logger that is used; child loggers have it too. */
export interface PinoLogger {
  debug(line: object, message?: string): void
  info(line: object, message?: string): void
  warn(line: object, message?: string): void
  error(line: object, message?: string): void
}

/**
 * A log that pino writes: one line of JSON for each record, with `level`, `time` (ISO), `event`, the
 * record's data and `msg`. Each line is written when it comes, so that a crash loses none.
 * @throws EchelonError INVALID_CONFIG for a file that cannot be written
 */
export async function pinoLog(options: PinoLogOptions = {}): Promise<Log> {
  const logger = options.logger ?? (await loggerFor(options))
  return { write: (record) => writeWith(logger, record) }
}

async function loggerFor({ file, level = 'info' }: PinoLogOptions): Promise<PinoLogger> {
  const { pino } = await import('pino')
  const settings: LoggerOptions = {
    level: level === 'warning' ? 'warn' : level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  }
  try {
    const mode = 0o600
    return pino(settings, pino.destination({ dest: file ?? 1, sync: true, mode }))
  } catch (cause) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `the log ${file} cannot be written (${reasonOf(cause)}); name another file`,
      { cause },
    )
  }
}

function writeWith(logger: PinoLogger, { level, event, message, data }: LogRecord): void {
  const line = { event, ...unreserved(data) }
  switch (level) {
    case 'debug':
      return logger.debug(line, message)
    case 'info':
      return logger.info(line, message)
    case 'warning':
      return logger.warn(line, message)
    case 'error':
      return logger.error(line, message)
  }
}

/** Names that a line has already: what calls itself so follows an underscore. */
const RESERVED: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'event', 'pid', 'hostname'])

const unreserved = (data: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [RESERVED.has(name) ? `_${name}` : name, value]),
  )
