import { Command } from 'commander'
import { EchelonError } from 'echelon/runtime'
import { type Config, type ConfigValue, describeOrigin, exampleConfig } from 'echelon/config'
import { standardTools } from '@echelon/tools'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'
import { configFor, type GlobalOptions } from '../configuration.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { type Io, printLine } from '../io.ts'

interface ConfigOptions extends GlobalOptions {
  readonly json?: true
  readonly check?: true
  readonly example?: true
}

/** `echelon config`: shows each setting and its source. */
export function configCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('config')
    .description('show every setting and its source; keys are masked')
    .option('--json', 'print them as JSON')
    .option('--check', 'say whether the configuration is valid, with every problem')
    .option('--example', 'print a config.yaml with every setting and its default')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ConfigOptions>()
      if (options.example) io.stdout.write(exampleConfig())
      else if (options.check) finish(await check(io, options))
      else show(io, await load(io, options), options.json === true)
    })
}

async function load(io: Io, options: ConfigOptions): Promise<Config> {
  const tools = await standardTools()
  return configFor(io, options, { tools: tools.map(({ name }) => name) })
}

/** Prints one line per problem, as compilers do. */
async function check(io: Io, options: ConfigOptions): Promise<ExitStatus> {
  try {
    const { files } = await load(io, options)
    const what =
      files.length === 0
        ? 'the defaults are'
        : `${files.join(', ')} ${files.length === 1 ? 'is' : 'are'}`
    printLine(io, `${what} valid`)
    return EXIT.success
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    const { problems } = error.details
    const lines = Array.isArray(problems) ? problems.map(String) : [error.message]
    io.stderr.write(lines.map((line) => `${clean(line)}\n`).join(''))
    return EXIT.usage
  }
}

function show(io: Io, { values, warnings }: Config, asJson: boolean): void {
  if (asJson) {
    const shown = values.map(({ path, value, origin }) => ({
      path,
      value,
      origin: describeOrigin(origin),
    }))
    printLine(io, JSON.stringify({ values: shown, warnings }, null, 2))
    return
  }
  const rows = values.map((one) => ({ ...one, text: shortly(one) }))
  const width = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length))
  const [paths, texts] = [
    width(values.map(({ path }) => path)),
    width(rows.map(({ text }) => text)),
  ]
  for (const { path, text, origin } of rows) {
    const line = `${path.padEnd(paths)}  ${text.padEnd(texts)}  ${clean(describeOrigin(origin))}`
    printLine(io, origin.from === 'default' ? pc.dim(line) : line)
  }
}

const WIDE = 40

function shortly({ value }: ConfigValue): string {
  const text = clean(typeof value === 'string' ? value : JSON.stringify(value))
  return text.length <= WIDE ? text : `${text.slice(0, WIDE - 1)}…`
}
