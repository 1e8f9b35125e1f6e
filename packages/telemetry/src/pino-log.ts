import type { LoggerOptions } from 'pino'
import { EchelonError } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { Log, LogLevel, LogRecord } from 'echelon/middleware'
import { reasonOf } from './private-file.ts'

export interface PinoLogOptions {
  /** Your own logger, with its own destination and level. pino is then not loaded. */
  readonly logger?: PinoLogger
  /** Lines are appended to this file, created for its owner only. Default: standard output. */
  readonly file?: string
  /** Minimum level. Default `info`. */
  readonly level?: LogLevel
}

/** The used part of a pino logger; child loggers have it too. */
export interface PinoLogger {
  debug(line: object, message?: string): void
  info(line: object, message?: string): void
  warn(line: object, message?: string): void
  error(line: object, message?: string): void
}

/**
 * A log written by pino: one line of JSON per record, with `level`, `time` (ISO), `event`, the record's
 * data and `msg`. Lines are written synchronously, so that a crash loses none.
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

/** Fields every line already has; a data field of the same name gets an underscore in front. */
const RESERVED: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'event', 'pid', 'hostname'])

const unreserved = (data: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [RESERVED.has(name) ? `_${name}` : name, value]),
  )
