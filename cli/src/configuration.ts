import { type Config, type LoadOptions, loadConfig } from 'echelon/config'
import { withDatabase } from './store/database.ts'
import type { Io } from './io.ts'

/** Options of every command. */
export interface GlobalOptions {
  readonly config?: string
  readonly database?: string
}

/** Load options for the file named by `--config`, if any. */
export const fileOf = ({ config: file }: GlobalOptions): LoadOptions =>
  file === undefined ? {} : { file }

/** The configuration of a command. Its warnings are not shown. */
export const readConfig = (
  io: Pick<Io, 'env'>,
  global: GlobalOptions,
  options: LoadOptions = {},
): Promise<Config> =>
  loadConfig({ env: io.env, ...options, ...fileOf(global) }).then((config) =>
    withDatabase(config, global.database ?? io.env['ECHELON_DATABASE']),
  )

/** The configuration of a command. Its warnings go to stderr. */
export async function configFor(
  io: Io,
  global: GlobalOptions,
  options: LoadOptions = {},
): Promise<Config> {
  const config = await readConfig(io, global, options)
  for (const warning of config.warnings) io.stderr.write(`echelon: warning: ${warning}\n`)
  return config
}
