import { type Config, type LoadOptions, loadConfig } from 'echelon/config'

/** Options of every command. */
export interface GlobalOptions {
  readonly config?: string
}

/** The file that is named, if one is. */
export const fileOf = ({ config: file }: GlobalOptions): LoadOptions =>
  file === undefined ? {} : { file }

/** The configuration of a command; what looks wrong in it and works is said on stderr. */
export async function configFor(global: GlobalOptions, options: LoadOptions = {}): Promise<Config> {
  const config = await loadConfig({ ...options, ...fileOf(global) })
  for (const warning of config.warnings) process.stderr.write(`echelon: warning: ${warning}\n`)
  return config
}
